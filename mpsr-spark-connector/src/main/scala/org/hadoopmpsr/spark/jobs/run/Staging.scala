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

/** Where changes of one dataset are staged. For one thread. */
private[spark] trait Staging {

  /**
   * Makes the directory in which the files of a change are staged. What was staged under this id before is gone.
   *
   * @throws JobException if the NameNode refuses it
   */
  def begin(change: String): BegunChange

  /** Deletes what is staged for a change that is not published. */
  def abort(change: String): Unit

  /** Deletes the files below the directory of a change that are not among these paths; returns how many there were. */
  def deleteOthers(begun: BegunChange, named: Set[String]): Int
}

/**
 * A change that is begun.
 *
 * @param stagingDir absolute, without scheme; with a directory for each group
 * @param maxFiles the most files that it may have, in all groups together
 */
private[spark] final case class BegunChange(id: String, stagingDir: String, maxFiles: Int)

/** A job cannot go on; the message says the problem, the cause and the fix. */
private[spark] final class JobException(message: String, cause: Throwable = null)
    extends IOException(message, cause)
