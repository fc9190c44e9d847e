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
import java.time.Duration
import java.util.concurrent.atomic.AtomicReference

import scala.util.control.NonFatal

import org.hadoopmpsr.client.run.{RunRecord, RunRecords}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * Says how far a run is: in the log, and in its record in HDFS. For one thread, but parts may be told by any.
 *
 * @param first the record of a run that has done nothing yet
 * @param clock milliseconds since the epoch
 */
private[jobs] final class RunReporter(records: RunRecords, datasetId: String, first: RunRecord, clock: () => Long)
    extends PrintableLogging {
  import RunReporter._

  private var now = first
  private var toldMs = 0L
  private val underway = new AtomicReference(Progress.NONE)

  /**
   * Keeps the record of a run from its beginning to its end.
   *
   * @param discard is told the change that an earlier run has left when its driver was lost
   * @param work returns what is left out, if anything is
   * @return the record, as it is kept
   * @throws java.io.IOException if the work throws one, with the record kept; or if another driver works on the dataset
   */
  def run(discard: String => Unit)(work: => Option[String]): RunRecord = {
    begin().foreach(discard)
    try ends(State.DONE, work)
    catch {
      case e: CancelledException => ends(State.CANCELLED, Some(e.getMessage))
      case NonFatal(e) =>
        ends(State.FAILED, Some(Option(e.getMessage).getOrElse(e.toString).linesIterator.next()))
        throw e
    }
  }

  /**
   * Begins the run.
   *
   * @return the change that an earlier run has left when its driver was lost
   * @throws JobException if another driver works on the dataset
   */
  private def begin(): Option[String] = {
    val last = records.read(datasetId)
    if (last.isPresent && last.get.isAlive(clock())) {
      throw new JobException(
        s"a ${records.kind.noun} of ${first.dataset} runs, application ${last.get.application} of ${last.get.user};" +
          s" wait for it, or end it with 'hdfs mpsr ${records.kind.command} --cancel'")
    }
    records.clearCancel(datasetId)
    tell(now)
    if (last.isPresent && last.get.state == State.RUNNING) Option(last.get.change) else None
  }

  def record: RunRecord = {
    val part = underway.get
    copied(done = now.done.plus(part))
  }

  /** What the changes that are still due are to read, those among it that follow from others. */
  def planned(due: Progress): Unit = tell(copied(planned = now.done.plus(due)))

  /** From here on a run that is lost leaves this change behind. */
  def changeBegins(change: String): Unit = tell(copied(change = change))

  /** Work is done that belongs to no change. */
  def done(work: Progress): Unit = tell(copied(done = now.done.plus(work)))

  /** A part of the change underway is done. On any thread. */
  def partDone(part: Progress): Unit = underway.accumulateAndGet(part, (a, b) => a.plus(b))

  /**
   * The change underway is published.
   *
   * @param ended what it has done, without the files, which partDone has told; None: it is given up
   */
  def changeEnds(ended: Option[Progress]): Unit = {
    val part = underway.getAndSet(Progress.NONE)
    val done = ended.fold(now.done)(now.done.plus(part).plus(_))
    tell(copied(change = null, done = done))
    logInfo(progressText(now))
  }

  /** Says how far it is, now and then. */
  @throws[CancelledException]("if the run is asked to end")
  def pulse(): Unit = if (clock() - toldMs >= TellEveryMs) {
    tell(now)
    logInfo(progressText(record))
    if (records.isCancelRequested(datasetId)) {
      throw new CancelledException(records.kind.noun)
    }
  }

  /** The run is over. */
  private def ends(state: State, problem: Option[String]): RunRecord = {
    now = copied(change = null, state = state, problem = problem.orNull)
    underway.set(Progress.NONE)
    try tell(now)
    catch { case e: IOException => logWarning(e.getMessage) }
    now
  }

  private def tell(next: RunRecord): Unit = {
    toldMs = clock()
    now = next
    now = copied()
    records.write(datasetId, record)
  }

  private def copied(
      state: State = now.state,
      change: String = now.change,
      done: Progress = now.done,
      planned: Progress = now.planned,
      problem: String = now.problem): RunRecord =
    new RunRecord(now.dataset, now.application, now.user, state, now.startedMs, toldMs, change, done, planned, problem)
}

private[jobs] object RunReporter {
  private val TellEveryMs = 5000L

  /** One line for the log. */
  def progressText(run: RunRecord): String = {
    val left = run.leftMs
    val until = if (left > 0) s", about ${Duration.ofSeconds(left / 1000)} left" else ""
    val without = if (run.done.duplicates > 0) s" without ${run.done.duplicates} duplicates" else ""
    s"${run.dataset}: ${run.done.changes} of about ${run.planned.changes} changes, ${run.done.segments} segments$without," +
      s" ${run.done.bytes} of about ${run.planned.bytes} bytes in ${(run.updatedMs - run.startedMs) / 1000} s$until"
  }
}

/** The run was asked to end. */
private[jobs] final class CancelledException(run: String) extends RuntimeException(s"the $run was cancelled")
