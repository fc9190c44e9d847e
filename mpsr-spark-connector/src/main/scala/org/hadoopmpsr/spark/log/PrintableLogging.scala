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
package org.hadoopmpsr.spark.log

import org.apache.spark.internal.Logging
import org.hadoopmpsr.client.log.PrintableThrowable
import org.hadoopmpsr.core.text.PrintableText

/** Spark's logging, with names and messages of others in printable form, as `PrintableLog` writes them. */
private[spark] trait PrintableLogging extends Logging {
  override protected def logInfo(msg: => String): Unit = super.logInfo(PrintableText.ofMessage(msg))

  override protected def logDebug(msg: => String): Unit = super.logDebug(PrintableText.ofMessage(msg))

  override protected def logDebug(msg: => String, throwable: Throwable): Unit =
    super.logDebug(PrintableText.ofMessage(msg), PrintableThrowable.of(throwable))

  override protected def logWarning(msg: => String): Unit = super.logWarning(PrintableText.ofMessage(msg))

  override protected def logWarning(msg: => String, throwable: Throwable): Unit =
    super.logWarning(PrintableText.ofMessage(msg), PrintableThrowable.of(throwable))
}
