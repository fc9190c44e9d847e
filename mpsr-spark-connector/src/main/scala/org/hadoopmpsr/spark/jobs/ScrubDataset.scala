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
package org.hadoopmpsr.spark.jobs

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.Segments
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.client.scrub.{Candidates, ScrubOptions, ScrubRecords}
import org.hadoopmpsr.core.scrub.ScrubState
import org.hadoopmpsr.spark.jobs.rebuild.{NameNodeRebuildStore, RebuildRun}
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, JobException, SparkTasks}
import org.hadoopmpsr.spark.jobs.scrub.ScrubRun
import org.hadoopmpsr.spark.jobs.verify.{NameNodeSegments, SegmentCheck}

/**
 * Reads segments of datasets that were not read for long, and writes anew what is wrong in a group from groups that are right.
 * `hdfs mpsr maintain` and `hdfs mpsr verify --heal` start it. The exit code is 1 also if something stays wrong.
 */
object ScrubDataset extends DatasetJob[ScrubOptions](JobKind.SCRUB) {
  /** What a run that ends early reads again at the most. */
  private val PortionBytes = 4L << 30

  override protected def usage: String =
    "usage: ScrubDataset hdfs://<namenode>/<dataset>... [--all | --segment ID...] [--period-days N] [--max-bytes N]" +
      " [--bandwidth N] [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): ScrubOptions =
    ScrubOptions.parse(arguments, datasets)

  override protected def run(session: SparkSession, path: String, options: ScrubOptions): RunRecord =
    scrub(session, path, options)

  override protected def isDone(run: RunRecord): Boolean = super.isDone(run) && run.problem == null

  /**
   * Reads what is due in a dataset and heals it, in a session that there is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @param clock milliseconds since the epoch
   * @param portionBytes what was read is kept after about so many bytes
   * @return how the run ended; its problem names what is wrong and stays so
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  def scrub(
      session: SparkSession,
      path: String,
      options: ScrubOptions,
      clock: () => Long = () => System.currentTimeMillis(),
      portionBytes: Long = PortionBytes): RunRecord =
    within(session, path, options.runDir) { job =>
      val context = session.sparkContext
      val tasks = new SparkTasks(context, options.parallelism, options.bandwidth)
      val records = new ScrubRecords(job.fs, context.hadoopConfiguration, options.runDir)
      val id = job.dataset.id
      val state = records.read(id)
      val segments = new NameNodeSegments(job.client, job.dataset.path)
      new ScrubRun(
        job.dataset.groups,
        new NameNodeRebuildStore(job.client, job.fs, job.dataset),
        () => segments.segments(),
        select(_, options, state, clock()),
        new SegmentCheck(context, job.text, job.fs.getUri, job.conf, tasks, segments, portionBytes),
        RebuildRun.of(session, job, tasks, _, _ => true),
        job.reporter,
        state,
        records.write(id, _),
        clock).run()
    }

  private def select(
      current: Seq[Segments.Info],
      options: ScrubOptions,
      state: ScrubState,
      nowMs: Long): Seq[Segments.Info] =
    if (options.all) current
    else {
      val byId = current.map(segment => segment.id -> segment).toMap
      if (options.segments.isEmpty) {
        options.schedule.next(Candidates.of(current.asJava), state, nowMs).asScala.map(c => byId(c.id)).toSeq
      } else options.segments.asScala.toSeq.map { id =>
        byId.getOrElse(
          id,
          throw new JobException(s"there is no current segment '$id'; it was replaced, or never published: 'hdfs mpsr verify' names segments"))
      }
    }

  override protected def text(done: Progress): String =
    s"${done.bytes} bytes are read; ${done.changes} changes healed ${done.segments} segments of groups"
}
