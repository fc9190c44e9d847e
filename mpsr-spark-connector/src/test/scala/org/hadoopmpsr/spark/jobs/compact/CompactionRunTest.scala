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
package org.hadoopmpsr.spark.jobs.compact

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.{JobKind, RunRecord, RunRecords}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.core.commit.Refusal
import org.hadoopmpsr.core.compact.MergeRules
import org.hadoopmpsr.spark.TestDirectories
import org.hadoopmpsr.spark.jobs.run.{JobException, RunReporter}
import org.junit.jupiter.api.{BeforeEach, Test}

class CompactionRunTest {
  private val conf = new Configuration()
  private val records =
    new RunRecords(JobKind.COMPACT, FileSystem.getLocal(conf), conf, TestDirectories.create("mpsr-runs").toUri.toString)
  private val rules = MergeRules.of(128L << 20, 10000)
  private val store = new FakeStore
  private val parts = new FakeParts(store)
  private var nowMs = 1000000L

  private def first(application: String): RunRecord = new RunRecord(
    "/d", application, "u", State.RUNNING, nowMs, nowMs, null, Progress.NONE, Progress.NONE, null)

  private def run(application: String = "app-1"): RunRecord = {
    val reporter = new RunReporter(records, "d-1", first(application), () => { nowMs += 1000; nowMs })
    new CompactionRun(store, parts, reporter, rules).run()
  }

  private def kept: RunRecord = records.read("d-1").get

  private def current: java.util.List[String] =
    store.segments().sortBy(_.first).map(s => s"${s.first}-${s.last}").asJava

  @BeforeEach
  def eightSegments(): Unit = (1 to 8).foreach(i => store.add(s"s$i", i, 1000, Seq("day=1", s"day=${i % 3}")))

  @Test
  def allThatIsDueBecomesOneSegment(): Unit = {
    val done = run()
    assertThat(current).isEqualTo(java.util.List.of("1-8"))
    assertThat(store.published.head.segments.asJava).isEqualTo((1 to 8).map(i => s"s$i").asJava)
    assertThat(store.published.head.files.size).isEqualTo(3)
    assertThat(done.state).isEqualTo(State.DONE)
    assertThat(done.done).isEqualTo(new Progress(1, 8, 16, 8000, 3, 0))
    assertThat(done.problem).isNull()
    assertThat(kept).isEqualTo(done)
    assertThat(store.staged.keySet.asJava).isEmpty()
    assertThat(run().done).isEqualTo(Progress.NONE)
  }

  @Test
  def aFailureLosesOnlyTheMergeUnderway(): Unit = {
    (9 to 300).foreach(i => store.add(s"s$i", i, 1000, Seq("day=1")))
    var merged = 0
    parts.before = _ => { merged += 1; if (merged == 5) throw new IllegalStateException("disk full\nat x") }
    assertThatThrownBy(() => run()).hasMessage("disk full\nat x")
    assertThat(kept.state).isEqualTo(State.FAILED)
    assertThat(kept.problem).isEqualTo("disk full")
    assertThat(kept.done.changes).isEqualTo(2)
    assertThat(kept.change).isNull()
    assertThat(store.staged.keySet.asJava).isEmpty()
    parts.before = _ => ()
    assertThat(run().state).isEqualTo(State.DONE)
    assertThat(current).hasSizeLessThan(20)
    assertThat(current.get(0)).startsWith("1-")
    assertThat(current.get(current.size - 1)).endsWith("-300")
    assertThat(run().done).isEqualTo(Progress.NONE)
  }

  @Test
  def whatALostDriverHasLeftIsAborted(): Unit = {
    store.begin("merge-1-8-lost")
    val lost = new RunRecord(
      "/d", "app-0", "u", State.RUNNING, 0, 10, "merge-1-8-lost", Progress.NONE, Progress.NONE, null)
    records.write("d-1", lost)
    assertThat(run().state).isEqualTo(State.DONE)
    assertThat(store.staged.keySet.asJava).isEmpty()
  }

  @Test
  def twoDriversDoNotWorkOnOneDataset(): Unit = {
    records.write("d-1", first("app-0"))
    assertThatThrownBy(() => run())
      .isInstanceOf(classOf[JobException])
      .hasMessageContaining("a compaction of /d runs, application app-0 of u")
    assertThat(kept.application).isEqualTo("app-0")
    assertThat(current).hasSize(8)
  }

  @Test
  def aCancelEndsTheRun(): Unit = {
    parts.before = _ => { records.requestCancel("d-1"); nowMs += 10000 }
    assertThat(run().state).isEqualTo(State.CANCELLED)
    assertThat(current).hasSize(8)
    assertThat(store.staged.keySet.asJava).isEmpty()
    parts.before = _ => ()
    // the request was for the run before
    assertThat(run().state).isEqualTo(State.DONE)
  }

  @Test
  def aLostAnswerIsAskedForAgain(): Unit = {
    store.losesAnswers = 1
    assertThat(run().done.changes).isEqualTo(1)
    assertThat(store.published.size).isEqualTo(1)
  }

  @Test
  def filesOfLateAttemptsAreDeletedAndItIsPublishedAgain(): Unit = {
    store.atPublish = calls => {
      if (calls == 1) store.staged.head._2 += s"/staging/${store.staged.head._1}/g/day=1/late.parquet"
      None
    }
    assertThat(run().done.changes).isEqualTo(1)
  }

  @Test
  def aFencedMergeIsPlannedAnew(): Unit = {
    store.atPublish = calls => if (calls == 1) Some(store.result(Outcome.FENCED, "another change")) else None
    assertThat(run().done.changes).isEqualTo(1)
    assertThat(store.staged.keySet.asJava).isEmpty()
  }

  @Test
  def whatIsFencedAgainAndAgainIsAnError(): Unit = {
    store.atPublish = _ => Some(store.result(Outcome.FENCED, "another change runs"))
    assertThatThrownBy(() => run()).hasMessageContaining("3 merges were fenced, the last one because another change runs")
    assertThat(kept.state).isEqualTo(State.FAILED)
  }

  @Test
  def whatCannotBeReplacedIsLeftOut(): Unit = {
    store.atPublish = _ => Some(store.refused(Refusal.Kind.NOT_REPLACEABLE, "a file of s3 is lost"))
    val done = run()
    assertThat(done.state).isEqualTo(State.DONE)
    assertThat(done.problem).isEqualTo("segment s1 and what follows it stay: a file of s3 is lost")
    assertThat(store.staged.keySet.asJava).isEmpty()
  }

  @Test
  def aRefusalEndsTheRun(): Unit = {
    store.atPublish = _ => Some(store.refused(Refusal.Kind.NO_PERMISSION, "only the owner u2 may rewrite /d"))
    assertThatThrownBy(() => run()).hasMessage("only the owner u2 may rewrite /d")
    assertThat(kept.problem).isEqualTo("only the owner u2 may rewrite /d")
  }

  @Test
  def whatSavesNothingOrIsTooMuchIsLeftOut(): Unit = {
    store.current.clear()
    (1 to 8).foreach(i => store.add(s"s$i", i, 1000, Seq(s"day=$i")))
    assertThat(run().problem).isNull()
    assertThat(current).hasSize(8)
    store.maxFiles = 1
    assertThat(run().problem).contains(
      "two segments together have more files than one change may write (1 in all groups)",
      "raise dfs.mpsr.commit.max.files")
  }
}
