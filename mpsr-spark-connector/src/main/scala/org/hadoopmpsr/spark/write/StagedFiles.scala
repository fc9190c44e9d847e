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
package org.hadoopmpsr.spark.write

import scala.collection.mutable

import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.spark.versions.Scala213._

/** Collects what tasks have staged. Safe for use by several threads. */
private[write] final class StagedFiles(maxFiles: Int) {
  private val all = mutable.ArrayBuffer.empty[Array[Byte]]
  private var reason = Option.empty[String]
  private var action: () => Unit = () => ()

  /** Adds what one task has staged; for the thread that schedules all tasks. */
  def add(result: TaskResult): Unit = {
    val first = synchronized {
      val before = reason
      all ++= result.files
      reason = before.orElse(result.problem).orElse(Option.when(all.size > maxFiles)(StagedFiles.tooMany(maxFiles)))
      if (before.isEmpty && reason.isDefined) action else () => ()
    }
    first()
  }

  /** Does this once, as soon as there is a problem. */
  def onProblem(body: () => Unit): Unit = {
    val now = synchronized {
      action = body
      reason.isDefined
    }
    if (now) body()
  }

  /** Why the files are of no use. */
  def problem: Option[String] = synchronized(reason)

  def files: Seq[StagedFile] = synchronized(all.toSeq).map(StagedFile.of)
}

private[write] object StagedFiles {
  def tooMany(maxFiles: Int): String =
    s"its tasks make more than $maxFiles files, and the NameNode publishes at most so many at once (dfs.mpsr.commit.max.files); write" +
      " with fewer tasks ('coalesce'), or fewer records at a time"
}

/**
 * What a task has staged.
 *
 * @param files as [[StagedFile.toBytes]] writes them
 * @param problem why the write cannot go to all groups; none if it can
 */
private[write] final case class TaskResult(files: Seq[Array[Byte]], problem: Option[String])
