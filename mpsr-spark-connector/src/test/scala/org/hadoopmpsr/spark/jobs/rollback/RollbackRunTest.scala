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
package org.hadoopmpsr.spark.jobs.rollback

import java.util.{List => JList, Map => JMap}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.{PublishResult, StagedFile}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.history.PlannedRollback
import org.hadoopmpsr.client.rollback.RollbackReport
import org.hadoopmpsr.client.run.{JobKind, RunRecord, RunRecords}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.spark.TestDirectories
import org.hadoopmpsr.spark.jobs.delete.FileTasks
import org.hadoopmpsr.spark.jobs.run.{BegunChange, RunReporter}
import org.junit.jupiter.api.Test

/** What a rollback does one after the other when other changes come meanwhile. No segment comes back, so no file is written. */
class RollbackRunTest {
  private val conf = new Configuration()
  private val records =
    new RunRecords(JobKind.ROLLBACK, FileSystem.getLocal(conf), conf, TestDirectories.create("mpsr-runs").toUri.toString)
  private val plans = mutable.Queue.empty[PlannedRollback]
  private val published = mutable.ArrayBuffer.empty[Seq[String]]
  private var fenced = 0
  private var inDirectory = 1
  private var staged = Set.empty[String]

  private object Store extends RollbackStore {
    override def plan(): PlannedRollback = if (plans.size > 1) plans.dequeue() else plans.head
    override def restored(plan: PlannedRollback): Seq[SegmentFile] = Nil
    override def removed(plan: PlannedRollback): Map[String, Int] = Map("day=1" -> inDirectory)
    override def sequence(change: String): Long = 9
    override def begin(change: String): BegunChange = {
      staged += change
      BegunChange(change, s"/staging/$change", 100)
    }
    override def abort(change: String): Unit = staged -= change
    override def deleteOthers(begun: BegunChange, named: Set[String]): Int = 0
    override def publish(change: String, plan: PlannedRollback, files: Seq[StagedFile]): PublishResult = {
      assertThat(change).startsWith("rollback-")
      assertThat(files.asJava).isEmpty()
      if (fenced > 0) {
        fenced -= 1
        new PublishResult(Outcome.FENCED, "another change came first", null, JList.of())
      } else {
        published += plan.removedIds.asScala.toSeq
        staged -= change
        new PublishResult(Outcome.COMMITTED, "", null, JList.of())
      }
    }
  }

  private def part(id: String, first: Long, latest: Long): PlannedRollback.Part =
    new PlannedRollback.Part(id, new ContentHash(10, 1, 2), first, latest, JMap.of())

  private def plan(last: Long, removes: PlannedRollback.Part*): PlannedRollback =
    new PlannedRollback("d-1", 2, last, removes.asJava, JList.of())

  private def run(): Option[RollbackReport] = {
    val now = System.currentTimeMillis()
    val first = new RunRecord("/d", "app", "u", State.RUNNING, now, now, null, Progress.NONE, Progress.NONE, null)
    val reporter = new RunReporter(records, "d-1", first, () => System.currentTimeMillis())
    val run = new RollbackRun("/d", "time", Store, new FileTasks(null, null, null), reporter, 100)
    try assertThat(run.run().state).isEqualTo(State.DONE)
    finally assertThat(staged.asJava).isEmpty()
    run.report
  }

  private def publishedIds = published.map(_.asJava).asJava

  @Test
  def whatIsCommittedMeanwhileStays(): Unit = {
    plans += plan(5, part("a", 3, 3)) += plan(7, part("merged", 3, 3), part("late", 7, 7))
    fenced = 1
    assertThat(run().get.change.sequence).isEqualTo(9)
    assertThat(publishedIds).containsExactly(JList.of("merged"))
  }

  @Test
  def oldAndNewRecordsInOneSegmentEndIt(): Unit = {
    plans += plan(5, part("a", 3, 3)) += plan(7, part("merged", 3, 6))
    fenced = 1
    assertThatThrownBy(() => run()).hasMessageContaining(
      "segment merged, which is to go, has records that were committed after the job began")
    assertThat(publishedIds).isEmpty()
  }

  @Test
  def itEndsWhenOtherChangesComeAgainAndAgain(): Unit = {
    plans += plan(5, part("a", 3, 3))
    fenced = 3
    assertThatThrownBy(() => run()).hasMessageContaining("3 rollbacks were fenced, the last one because another change came first")
    assertThat(publishedIds).isEmpty()
  }

  @Test
  def aDirectoryOfTooManyFilesIsRefused(): Unit = {
    plans += plan(5, part("a", 3, 3))
    inDirectory = 1001
    assertThatThrownBy(() => run()).hasMessageContaining("1001 files of directory 'day=1' would change in one hold")
  }

  @Test
  def nothingIsChangedIfNothingDiffers(): Unit = {
    plans += plan(5)
    assertThat(run().get.change).isNull()
    assertThat(publishedIds).isEmpty()
  }
}
