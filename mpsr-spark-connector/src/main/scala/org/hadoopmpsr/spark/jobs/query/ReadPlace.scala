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
package org.hadoopmpsr.spark.jobs.query

import java.util.concurrent.atomic.AtomicReference

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.ControlThrowable

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart, SparkListenerTaskEnd}
import org.hadoopmpsr.core.place.{Place, PlaceChoice, Placement, PlaceState, ReductionProfile}
import org.hadoopmpsr.spark.versions.OptionConverters._

/** Is told what a query reads, before it does. */
private[jobs] trait ReadPlace {

  /**
   * @param parts that are read; none where what is known of files tells the answer
   * @param resultBytes of a partial result of a file
   */
  def before(parts: Seq[ReadPart], resultBytes: Long): Unit
}

private[jobs] object ReadPlace {
  /** The query runs where it is. */
  val Here: ReadPlace = (_, _) => ()

  /** c_p: a microsecond for a record, to decode and to reduce it. */
  private val RecordSeconds = 1e-6

  /** m_p: what Parquet's reader takes of memory for a file. */
  private val MemoryBytes = 64L << 20

  /** Where nothing tells the number of records, a record has as many bytes. */
  private val RecordBytes = 8

  private[query] def profile(parts: Seq[ReadPart], resultBytes: Long): ReductionProfile = {
    val bytes = parts.map(_.bytes).sum
    val records = parts.map(part => part.records.getOrElse(part.bytes / RecordBytes)).sum
    new ReductionProfile(parts.map(_.files.toLong).sum, bytes, records, resultBytes, RecordSeconds, MemoryBytes)
  }
}

/** The query does not go on in its place, which is why it was ended. */
private[jobs] final case class MovesToStorage(choice: PlaceChoice) extends ControlThrowable

/**
 * A query at its reader, in a session of this process alone: [[Placement]] decides whether it reads here, and each time that a task has
 * ended, but not more often than the interval says, whether it goes on here. The pace is that since the first task ended.
 *
 * @param storage of the place that it may move to; empty where it must not
 * @param progress is told that the reduction is made here, and why; a move is for the caller to tell
 */
private[jobs] final class AtReader(
    context: SparkContext,
    reader: PlaceState,
    storage: Option[PlaceState],
    intervalMs: Long,
    progress: String => Unit)
    extends SparkListener
    with ReadPlace {
  private val away = new AtomicReference[Option[PlaceChoice]](None)
  private var profile: Option[ReductionProfile] = None
  private val readingStages = mutable.Set.empty[Int]
  private var tasks = 0
  private var ended = 0
  private var begun = 0L
  private var looked = 0L

  /** Where the query is to go on, and why; its jobs are ended then, unless they were at their end. */
  def moves: Option[MovesToStorage] = away.get.map(MovesToStorage(_))

  override def before(parts: Seq[ReadPart], resultBytes: Long): Unit = synchronized {
    moves.foreach(throw _)
    val all = ReadPlace.profile(parts, resultBytes)
    val choice = Placement.choose(all, all.files == 0, (Seq(reader) ++ storage).asJava)
    if (choice.place == Place.STORAGE) {
      away.set(Some(choice))
      throw MovesToStorage(choice)
    }
    progress(choice.text)
    profile = Some(all)
    readingStages.clear()
    tasks = 0
    ended = 0
    looked = System.nanoTime()
  }

  override def onJobStart(job: SparkListenerJobStart): Unit = synchronized {
    // the others read what these have made
    job.stageInfos.filter(stage => stage.parentIds.isEmpty && !readingStages(stage.stageId)).foreach { stage =>
      readingStages += stage.stageId
      tasks += stage.numTasks
    }
  }

  override def onTaskEnd(end: SparkListenerTaskEnd): Unit = synchronized {
    val now = System.nanoTime()
    if (readingStages(end.stageId)) {
      ended += 1
      // the first one also takes what every process takes that begins
      if (ended == 1) begun = now
      else if (now - looked >= intervalMs * 1000000) {
        looked = now
        look((now - begun) / 1e9)
      }
    }
  }

  private def look(elapsed: Double): Unit = for {
    all <- profile
    if moves.isEmpty && ended < tasks
    remaining = Placement.remaining(elapsed, (ended - 1.0) / (tasks - 1))
    if remaining.isPresent
    choice <- Placement.move(all, remaining.getAsDouble, storage.toSeq.asJava).toScala
  } {
    away.set(Some(choice))
    context.cancelAllJobs()
  }
}
