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
package org.hadoopmpsr.spark.stream

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.streaming.checkpointing.HDFSMetadataLog
import org.hadoopmpsr.spark.relation.DecisionMetrics

/**
 * What a stream does with the files that rewrites have made, kept with the stream's checkpoint: replaced files are not kept
 * for ever. For one thread.
 *
 * @param directory where they are kept
 */
private[stream] final class Decisions(session: SparkSession, directory: String) {
  private val log = new HDFSMetadataLog[Array[String]](session, directory)
  private var last = log.getLatestBatchId().getOrElse(-1L)
  private var saved = true
  private var known: Map[String, Decisions.Decision] =
    log.getLatest().map(_._2).getOrElse(Array.empty[String]).grouped(2).collect { case Array(file, name) =>
      file -> Decisions.byName(name)
    }.toMap

  /**
   * Empty where nothing was decided.
   *
   * @param file the absolute path of a file that a rewrite has made, without scheme
   */
  def of(file: String): Option[Decisions.Decision] = known.get(file)

  /** The files that are not read, absolute, without scheme. */
  def covered: Iterable[String] = known.filter(_._2 == Decisions.Covered).keys

  /** Decides, for ever. */
  def decide(file: String, decision: Decisions.Decision): Unit = {
    known += file -> decision
    saved = false
    DecisionMetrics.countStreamed(decision.name)
  }

  /** Must be called before anybody learns what the stream reads next. */
  def save(): Unit = if (!saved) {
    last += 1
    val all = known.toArray.flatMap { case (file, decision) => Array(file, decision.name) }
    if (!log.add(last, all)) {
      throw new IllegalStateException(s"Another run of the stream writes to its checkpoint: $directory/$last exists. Stop one of them")
    }
    log.purge(last)
    saved = true
  }
}

private[stream] object Decisions {
  sealed abstract class Decision(val name: String)

  /** The files are read: the stream has read none of the replaced ones. */
  case object Read extends Decision("read")

  /** The files are not read: the stream has read all of the replaced ones. */
  case object Covered extends Decision("covered")

  private def byName(name: String): Decision = if (name == Covered.name) Covered else Read
}
