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
package org.hadoopmpsr.spark.jobs.adopt

import java.util.{List => JList}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.{PublishResult, StagedFile}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.{JobKind, RunRecord, RunRecords}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.core.adopt.{AdoptionRules, UntrackedFile}
import org.hadoopmpsr.core.commit.Refusal
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.group.{Codec, Predicate, ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.spark.TestDirectories
import org.hadoopmpsr.spark.jobs.rebuild.{Derivation, DerivedPart, Deriver}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, JobException, RunReporter}
import org.junit.jupiter.api.Test

/** What an adoption does one after the other, with files in memory. */
class AdoptRunTest {
  private val groups = new ReplicaGroups(
    Seq("a", "b", "c")
      .map(name => new ReplicaGroup(name, JList.of(Predicate.parse("p")), JList.of(), 1, Codec.parse("none")))
      .asJava,
    "a")
  private val conf = new Configuration()
  private val records =
    new RunRecords(JobKind.ADOPT, FileSystem.getLocal(conf), conf, TestDirectories.create("mpsr-runs").toUri.toString)
  private val files = mutable.LinkedHashMap.empty[Long, UntrackedFile]
  private val published = mutable.ArrayBuffer.empty[Seq[Long]]
  private val read = mutable.ArrayBuffer.empty[Seq[Long]]
  private var unfit = Map.empty[Long, String]
  private var unread = Set.empty[Long]
  private var broken = false
  private var pausesAfter = Option.empty[Int]
  private var answers: List[PublishResult] = Nil
  private var staged = Set.empty[String]
  private var stood = Set.empty[String]

  private def add(id: Long, state: Long = 1): Unit =
    files(id) = new UntrackedFile(s"/d/p=x/$id", id, 100, id, 1000, state, 7, null)

  private object Store extends AdoptStore {
    override def isPaused: Boolean = pausesAfter.exists(published.size >= _)
    override def untracked(): Seq[UntrackedFile] = files.values.toSeq
    override def unfit(reasons: Map[UntrackedFile, String]): Unit = reasons.foreach { case (file, reason) =>
      files(file.fileId) =
        new UntrackedFile(file.path, file.fileId, file.length, 0, file.ageMs, file.state, file.rights, reason)
    }
    override def stand(begun: BegunChange, named: Seq[StagedFile]): Unit = stood ++= named.map(_.relativePath)
    override def begin(change: String): BegunChange = {
      staged += change
      BegunChange(change, s"/staging/$change", 100)
    }
    override def abort(change: String): Unit = staged -= change
    override def deleteOthers(begun: BegunChange, named: Set[String]): Int = 0
    override def adopt(change: String, adopted: Seq[UntrackedFile], named: Seq[StagedFile]): PublishResult = {
      val next = answers.headOption.getOrElse(new PublishResult(Outcome.COMMITTED, "", null, JList.of()))
      answers = answers.drop(1)
      assertThat(named.map(_.statistics.commitId).distinct.asJava).containsExactly(change)
      assertThat(named.map(_.group).distinct.sorted.asJava).containsExactly("a", "b", "c")
      assertThat(named.filter(_.group == "a").map(_.relativePath).toSet.asJava)
        .isEqualTo(adopted.map(file => s"p=x/${file.fileId}").toSet.asJava)
      if (next.isCommitted) {
        published += adopted.map(_.fileId)
        adopted.foreach(file => files -= file.fileId)
        staged -= change
      }
      next
    }
  }

  private object Files extends Reader {
    override def read(some: Seq[UntrackedFile], pulse: () => Unit): Seq[ReadFile] = {
      AdoptRunTest.this.read += some.map(_.fileId)
      some.map { file =>
        if (unread(file.fileId)) ReadFile.failed(file, "no DataNode has it")
        else unfit.get(file.fileId) match {
          case Some(reason) => ReadFile.unfit(file, reason)
          case None =>
            val counts = Seq("b", "c").map(_ -> Map(JList.of[AnyRef]("x") -> 7L)).toMap
            val statistics = new FileStatistics("", new ContentHash(ReadFile.Kind, 7, 8, file.fileId), JList.of("x"), java.util.Map.of())
            ReadFile(file, Some(new StagedFile("a", s"p=x/${file.fileId}", statistics, file.length).toBytes), counts, None, None)
        }
      }
    }
  }

  private object Derived extends Deriver {
    override def derive(
        derivation: Derivation,
        change: BegunChange,
        done: DerivedPart => Unit,
        pulse: () => Unit): Seq[DerivedPart] = {
      if (broken) throw new JobException("a task has failed")
      derivation.targets.map { target =>
        assertThat(target.segment).isEqualTo(change.id)
        val statistics = new FileStatistics(change.id, new ContentHash(target.kind, target.rows, 8, 9), target.partition, java.util.Map.of())
        val part = DerivedPart(target, Seq(new StagedFile(derivation.group, s"p=x/${change.id}-0", statistics).toBytes))
        done(part)
        part
      }
    }
    override def count(group: String, some: Seq[SegmentFile], pulse: () => Unit): Map[JList[AnyRef], Long] =
      throw new AssertionError("files are read once for that")
  }

  private def run(): RunRecord = {
    val now = System.currentTimeMillis()
    val first = new RunRecord("/d", "app", "u", State.RUNNING, now, now, null, Progress.NONE, Progress.NONE, null)
    val reporter = new RunReporter(records, "d-1", first, () => System.currentTimeMillis())
    new AdoptRun(groups, Store, Files, Derived, reporter, new AdoptionRules(1, 1, 0, 1000, 3)).run()
  }

  private def ids(of: Iterable[Seq[Long]]) = of.map(_.map(Long.box).asJava).toSeq.asJava

  private def refused(kind: Refusal.Kind): PublishResult = PublishResult.refused(new Refusal(kind, "it is refused"))

  @Test
  def filesAreAdoptedChangeByChange(): Unit = {
    (1L to 4L).foreach(add(_))
    val done = run()
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(1L, 2L, 3L), Seq(4L))))
    assertThat(done.problem).isNull()
    assertThat(done.done).isEqualTo(new Progress(2, 2, 4, 400, 4, 0))
    assertThat(staged.asJava).isEmpty()
    assertThat(stood.asJava).isEqualTo((1 to 4).map(i => s"p=x/$i").toSet.asJava)
  }

  @Test
  def aPauseLetsAChangeEndAndNoOtherBegin(): Unit = {
    (1L to 7L).foreach(add(_))
    pausesAfter = Some(1)
    assertThat(run().problem).startsWith("the adoption is paused")
    assertThat(run().problem).startsWith("the adoption is paused")
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(1L, 2L, 3L))))
    assertThat(ids(read)).isEqualTo(ids(published))
    pausesAfter = None
    assertThat(run().problem).isNull()
    assertThat(published.flatten.size).isEqualTo(7)
    pausesAfter = Some(0)
    assertThat(run().problem).as("nothing is left").isNull()
  }

  @Test
  def whatDoesNotFitIsToldOnceAndTheOthersGoOn(): Unit = {
    (1L to 2L).foreach(add(_))
    unfit = Map(1L -> "it has no records")
    assertThat(run().problem).isNull()
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(2L))))
    assertThat(files(1).unfit).isEqualTo("it has no records")
    assertThat(run().done).isEqualTo(Progress.NONE)
    assertThat(ids(read)).isEqualTo(ids(Seq(Seq(1L, 2L))))
  }

  @Test
  def whatCannotBeReadNowIsLeftForTheNextRun(): Unit = {
    (1L to 2L).foreach(add(_))
    unread = Set(1L)
    assertThat(run().problem).isEqualTo("/d/p=x/1 could not be read: no DataNode has it")
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(2L))))
    unread = Set.empty
    assertThat(run().problem).isNull()
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(2L), Seq(1L))))
  }

  /** The file is asked for again, and is read again if it has another state. */
  @Test
  def whatChangesMeanwhileIsReadAgain(): Unit = {
    add(1)
    answers = List(new PublishResult(Outcome.FENCED, "it was changed", null, JList.of()))
    assertThat(run().problem).isNull()
    assertThat(ids(published)).isEqualTo(ids(Nil))
    assertThat(staged.asJava).isEmpty()
    add(1, state = 2)
    assertThat(run().problem).isNull()
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(1L))))
  }

  @Test
  def aChangeOfTooManyFilesIsDivided(): Unit = {
    (1L to 3L).foreach(add(_))
    answers = List.fill(1)(refused(Refusal.Kind.TOO_MANY_FILES))
    assertThat(run().problem).isNull()
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(1L), Seq(2L, 3L))))
    add(4)
    answers = List(refused(Refusal.Kind.TOO_MANY_FILES))
    assertThat(run().problem).isEqualTo("it is refused")
    assertThat(staged.asJava).isEmpty()
  }

  @Test
  def aTaskThatFailsLeavesNothingBehind(): Unit = {
    add(1)
    broken = true
    assertThat(run().problem).isEqualTo("a task has failed")
    assertThat(staged.asJava).isEmpty()
    broken = false
    assertThat(run().problem).isNull()
    assertThat(ids(published)).isEqualTo(ids(Seq(Seq(1L))))
  }
}
