/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.spark.jobs

import org.apache.spark.SparkConf
import org.apache.spark.sql.SparkSession

/** Sessions with the extension of MPSR, whatever the configuration of Spark has. */
private[jobs] object ExtendedSession {
  private val Extensions = "spark.sql.extensions"
  private val Extension = "org.hadoopmpsr.spark.MpsrSparkSessionExtensions"

  /** Makes a session with the extensions that are configured, and with MPSR's. */
  def builder(conf: SparkConf): SparkSession.Builder = {
    val configured = conf.get(Extensions, "").split(",").map(_.trim).filter(_.nonEmpty).toSeq
    SparkSession.builder().config(Extensions, (configured :+ Extension).distinct.mkString(","))
  }
}
