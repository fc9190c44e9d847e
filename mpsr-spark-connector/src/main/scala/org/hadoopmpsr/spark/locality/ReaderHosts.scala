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
package org.hadoopmpsr.spark.locality

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.mpsr.ExecutorHosts
import org.hadoopmpsr.spark.relation.ConfKeys

/** The hosts that read, under their names in HDFS. */
private[spark] object ReaderHosts {

  /** Empty where the hosts are not known, or where the session leaves the choice of tasks to Spark. */
  def of(session: SparkSession, conf: SQLConf): Seq[String] =
    if (!ConfKeys.locality(conf)) Nil
    else ConfKeys.localityHosts(conf).getOrElse(ExecutorHosts.of(session))
}
