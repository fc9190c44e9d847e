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

import java.io.{Closeable, IOException}
import java.net.URI

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * The rows, or batches, of a part of a planned file, in one of three ways: first from the file itself, with a client that
 * gives up soon; then from another group; then from the file again, as without MPSR. It goes on to another group only
 * while nothing was given. After that, the task fails if it may be tried again: Spark drops what it gave, and in the next try
 * the file is read to its end once before anything is given. If the task may not be tried again, the file is read once more
 * as without MPSR: what was given comes first again, and is left out.
 *
 * @param path of the file, without its file system
 */
private[degraded] final class PartRows(reads: PartReads, path: String, dataset: URI, limits: Limits)
    extends Iterator[AnyRef]
    with Closeable
    with PrintableLogging {
  private val attempt = Option(TaskContext.get()).map(_.attemptNumber()).getOrElse(0)
  private val mayFail = attempt + 1 < limits.failures
  private val began = System.nanoTime()

  /** None at the end, and before the first read. */
  private var current: Iterator[AnyRef] = Iterator.empty
  private var isPatient = false
  private var isOfOtherGroup = false
  private var count = 0L

  /** Opens the file; call it first. */
  def begin(): Unit =
    if (BadFiles.contains(path) || isOnSilentNodes) takeOver(None)
    else
      try {
        if (attempt > 0) readOnce()
        current = reads.failingSoon()
      } catch { case e: Exception if isFailure(e) => failed(e) }

  override def hasNext: Boolean =
    try current.hasNext
    catch {
      case e: Exception if isFailure(e) =>
        failed(e)
        current.hasNext
    }

  override def next(): AnyRef = {
    val row =
      try current.next()
      catch {
        case e: Exception if isFailure(e) =>
          failed(e)
          current.next()
      }
    count += 1
    row
  }

  private def isFailure(e: Exception): Boolean = NonFatal(e) && !isPatient && ReadFailures.isLoss(e)

  private def isOnSilentNodes: Boolean = SilentNodes.has(reads.nodes)

  private def readOnce(): Unit = {
    val once = reads.failingSoon()
    try once.foreach(_ => ())
    finally PartReads.close(once)
  }

  private def failed(failure: Exception): Unit = {
    close()
    noteSilence()
    val isNew = BadFiles.add(path)
    if (isOfOtherGroup) throw failure
    else if (count == 0) {
      if (isNew) logWarning(s"$path of the dataset $dataset cannot be read (${ReadFailures.line(failure)}); its records are looked for in other groups")
      takeOver(Some(failure))
    } else if (mayFail) {
      throw new IOException(s"$path cannot be read to its end; ${DegradedReads.StartsAgain}", failure)
    } else goOn()
  }

  private def noteSilence(): Unit =
    if (count == 0 && !isOfOtherGroup) SilentNodes.note(reads.nodes, began, limits.timeoutMs)

  private def takeOver(failure: Option[Exception]): Unit =
    try {
      val other = reads.fromOtherGroup(careful = attempt > 0 || !mayFail)
      isOfOtherGroup = true
      current = other.rows
      logInfo(s"The records of $path come from group ${other.group}")
    } catch {
      case e: Exception if NonFatal(e) && !ReadFailures.isInterrupted(e) =>
        logWarning(s"The records of $path do not come from another group: ${ReadFailures.line(e)}. The file is read as without MPSR")
        isPatient = true
        current =
          try reads.patient()
          catch {
            case original: Exception =>
              original.addSuppressed(e)
              failure.foreach(original.addSuppressed)
              throw original
          }
    }

  /** Spark's reader gives the same rows in the same order each time. */
  private def goOn(): Unit = {
    isPatient = true
    current = reads.patient()
    var left = count
    while (left > 0) {
      if (!current.hasNext) throw new IOException(s"$path gave $count rows or batches, and now gives fewer")
      current.next()
      left -= 1
    }
  }

  override def close(): Unit = {
    val open = current
    current = Iterator.empty
    PartReads.close(open)
  }
}
