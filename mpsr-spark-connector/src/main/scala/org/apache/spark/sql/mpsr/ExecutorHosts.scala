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
package org.apache.spark.sql.mpsr

import org.apache.spark.SparkContext
import org.apache.spark.sql.{classic, SparkSession}

/** Spark tells its executors' hosts to its own packages only. */
object ExecutorHosts {

  /** The hosts that have executors now, in alphabetical order; none where the driver runs the tasks itself. */
  def of(session: SparkSession): Seq[String] = {
    val context: SparkContext = session.asInstanceOf[classic.SparkSession].sparkContext
    context.statusStore
      .executorList(true)
      .filter(_.id != SparkContext.DRIVER_IDENTIFIER)
      .map(e => e.hostPort.substring(0, e.hostPort.lastIndexOf(':')))
      .distinct
      .sorted
  }
}
