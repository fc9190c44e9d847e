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

import java.net.URI

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.EventLoggingListener

/** Has a running application write an event log, as spark.eventLog.enabled does from the start. */
object EventLogs {

  /** @param directory where the log of `body` is written */
  def of(context: SparkContext, directory: URI)(body: => Unit): Unit = {
    val conf = context.getConf.set("spark.eventLog.compress", "false").set("spark.eventLog.rolling.enabled", "false")
    val log = new EventLoggingListener(s"${context.applicationId}-log", None, directory, conf)
    log.start()
    context.addSparkListener(log)
    try {
      body
      context.listenerBus.waitUntilEmpty()
    } finally {
      context.removeSparkListener(log)
      log.stop()
    }
  }
}
