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
package org.hadoopmpsr.spark.jobs.run

import java.io.IOException

import scala.util.control.NonFatal

import org.hadoopmpsr.client.{PublishResult, StagedFile}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.spark.log.PrintableLogging

/** Publishes changes whose files tasks have staged. */
private[spark] final class Publisher(staging: Staging) extends PrintableLogging {
  import Publisher._

  /**
   * Publishes a change, and asks again while the outcome is unknown, or while late attempts of tasks have left files.
   *
   * @param files all files of the change; others are deleted
   * @param call publishes it once
   */
  def publish(begun: BegunChange, files: Seq[StagedFile])(call: => PublishResult): PublishResult = {
    val named = files.map(f => s"${begun.stagingDir}/${f.group}/${f.relativePath}").toSet
    val others = staging.deleteOthers(begun, named)
    if (others > 0) {
      logInfo(s"change ${begun.id}: $others files of attempts that came to nothing are deleted")
    }
    var tries = 1
    while (true) {
      try {
        val result = call
        val late = result.outcome == Outcome.REFUSED && tries < MostTries && staging.deleteOthers(begun, named) > 0
        if (!late) return result
      } catch {
        case e: IOException if tries < MostTries =>
          logWarning(s"it is not known yet whether change ${begun.id} is published; the NameNode is asked again", e)
      }
      tries += 1
    }
    throw new IllegalStateException
  }

  /** Gives a change up that is not published. */
  def discard(change: String): Unit =
    try staging.abort(change)
    catch { case NonFatal(e) => logWarning(s"what is staged for change $change stays until the NameNode deletes it", e) }
}

private[spark] object Publisher {
  private val MostTries = 3
}
