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
import org.apache.spark.util.Utils

/** Spark tells its executors' hosts to its own packages only. */
object ExecutorHosts {

  /**
   * The hosts that have executors now, in alphabetical order. None where the driver runs the tasks itself, and where
   * executors come and go: the few that are there when a query is planned would be given all of its tasks.
   */
  def of(session: SparkSession): Seq[String] = {
    val context = session.asInstanceOf[classic.SparkSession].sparkContext
    if (Utils.isDynamicAllocationEnabled(context.getConf)) Nil else running(context)
  }

  private def running(context: SparkContext): Seq[String] =
    context.statusStore
      .executorList(true)
      .filter(_.id != SparkContext.DRIVER_IDENTIFIER)
      .map(e => e.hostPort.substring(0, e.hostPort.lastIndexOf(':')))
      .distinct
      .sorted
}
