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
package org.hadoopmpsr.spark.degraded

import java.io.InterruptedIOException
import java.net.SocketTimeoutException
import java.nio.channels.ClosedByInterruptException

import org.apache.hadoop.security.AccessControlException
import org.apache.spark.TaskContext

/** What failures of reads mean. */
private[degraded] object ReadFailures {

  /** Whether another copy of the records may help: not where the user may not read the file, or the task is to end. */
  def isLoss(failure: Throwable): Boolean =
    !isInterrupted(failure) && !causes(failure).exists(_.isInstanceOf[AccessControlException])

  /** Whether the task is to end. */
  def isInterrupted(failure: Throwable): Boolean =
    Thread.currentThread.isInterrupted || Option(TaskContext.get()).exists(_.isInterrupted()) || causes(failure).exists {
      case _: SocketTimeoutException => false
      case _: InterruptedException | _: InterruptedIOException | _: ClosedByInterruptException => true
      case _ => false
    }

  /** The first line of a failure's text. */
  def line(failure: Throwable): String = failure.toString.linesIterator.nextOption().getOrElse("")

  private def causes(failure: Throwable): Seq[Throwable] =
    Iterator.iterate(failure)(_.getCause).takeWhile(_ != null).take(50).toSeq
}
