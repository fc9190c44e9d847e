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
package org.hadoopmpsr.spark.jobs.rebuild

import java.util.{List => JList}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.{PublishResult, StagedFile}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.{JobKind, RunRecord, RunRecords}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.core.commit.{Rebuild, Refusal, Segment}
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.group.{Codec, Predicate, ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.rebuild.{Damage, DamagedFile, RebuildRules, RebuildScope}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.{DataFile, FileStatistics}
import org.hadoopmpsr.spark.TestDirectories
import org.hadoopmpsr.spark.jobs.run.{BegunChange, JobException, RunReporter}
import org.junit.jupiter.api.Test

/** What a rebuild does one after the other, with damage in memory. */
class RebuildRunTest {
  private val content = new ContentHash(7, 8, 9)
  private val schema = Schema.parse("p string")
  private val groups = new ReplicaGroups(
    Seq("a", "b", "c")
      .map(name => new ReplicaGroup(name, JList.of(Predicate.parse("p")), JList.of(), 1, Codec.parse("none")))
      .asJava,
    "a")
  private val conf = new Configuration()
  private val records =
    new RunRecords(JobKind.REBUILD, FileSystem.getLocal(conf), conf, TestDirectories.create("mpsr-runs").toUri.toString)
  private val damaged = mutable.LinkedHashMap.empty[(String, String), Damage]
  private val read = mutable.ArrayBuffer.empty[String]
  private var broken = Set.empty[String]
  private var answers: List[PublishResult] = Nil
  private var staged = Set.empty[String]
  private val told = mutable.ArrayBuffer.empty[RebuildScope]
  private var nowMs = 0L
  private var meanwhile: () => Unit = () => ()

  private def file(segment: String, group: String): DataFile =
    new DataFile(s"/$group/$segment", 5, 100, 0, new FileStatistics(segment, content, JList.of("x"), java.util.Map.of()))

  private def damage(segment: String, group: String, sources: String*): Unit = {
    val whole = sources.map(_ -> new Segment.Group(1, 100, content)).toMap.asJava
    val lost = JList.of(new DamagedFile(file(segment, group), DamagedFile.Cause.LOST))
    damaged((segment, group)) =
      new Damage(segment, group, group == "a", whole, 0, true, ContentHash.EMPTY, content, false, lost)
  }

  private object Store extends RebuildStore {
    override def damages(): Seq[Damage] = damaged.values.toSeq
    override def files(group: String, segments: Seq[String]): Seq[DataFile] = segments.map(file(_, group))
    override def isThere(file: DataFile): Boolean = true
    override def begin(change: String): BegunChange = {
      staged += change
      BegunChange(change, s"/staging/$change", 100)
    }
    override def begin(change: String, rebuild: RebuildScope): BegunChange = {
      told += rebuild
      begin(change)
    }
    override def abort(change: String): Unit = staged -= change
    override def deleteOthers(begun: BegunChange, named: Set[String]): Int = 0
    override def publish(change: String, rebuild: Rebuild, files: Seq[StagedFile]): PublishResult = {
      val next = answers.headOption.getOrElse(new PublishResult(Outcome.COMMITTED, "", null, JList.of()))
      answers = answers.drop(1)
      if (next.isCommitted) {
        assertThat(files.size).isEqualTo(rebuild.segments.size)
        rebuild.segments.forEach(segment => damaged -= ((segment, rebuild.group)))
        staged -= change
      }
      next
    }
  }

  private object Files extends Deriver {
    override def derive(
        derivation: Derivation,
        change: BegunChange,
        done: DerivedPart => Unit,
        pulse: () => Unit): Seq[DerivedPart] = {
      read += derivation.files.map(_.file.path).mkString(" ")
      meanwhile()
      derivation.files.map(_.file.path).find(broken).foreach(path => throw new JobException(s"$path is corrupt"))
      derivation.targets.map { target =>
        val statistics = new FileStatistics(target.segment, content, target.partition, java.util.Map.of())
        val part = DerivedPart(target, Seq(new StagedFile(derivation.group, s"p=x/${target.segment}-${change.id}-0", statistics).toBytes))
        done(part)
        part
      }
    }
    override def count(group: String, files: Seq[SegmentFile], pulse: () => Unit): Map[JList[AnyRef], Long] = Map.empty
  }

  private def run(): RunRecord = {
    val now = System.currentTimeMillis()
    val first = new RunRecord("/d", "app", "u", State.RUNNING, now, now, null, Progress.NONE, Progress.NONE, null)
    val reporter = new RunReporter(records, "d-1", first, () => System.currentTimeMillis())
    new RebuildRun(schema, groups, Store, Files, reporter, new RebuildRules(1000, 10, 10, 150), _ => true, () => nowMs).run()
  }

  @Test
  def theMostEndangeredIsRebuiltFirst(): Unit = {
    damage("s1", "b", "a", "c")
    damage("s2", "a", "b")
    val done = run()
    assertThat(read.asJava).containsExactly("/b/s2", "/a/s1")
    assertThat(told.asJava).containsExactly(new RebuildScope("a", 1, 1, 100, false), new RebuildScope("b", 1, 1, 100, false))
    assertThat(done.state).isEqualTo(State.DONE)
    assertThat(done.problem).isNull()
    assertThat(done.done).isEqualTo(new Progress(2, 2, 2, 200, 2, 0))
    assertThat(damaged.asJava).isEmpty()
    assertThat(staged.asJava).isEmpty()
  }

  @Test
  def whatBecomesMoreEndangeredMeanwhileHasItsTurn(): Unit = {
    damage("s1", "b", "a")
    damage("s2", "b", "a", "c")
    damage("s3", "b", "a", "c")
    meanwhile = () => {
      nowMs += 61000
      if (read.size == 1) damage("s3", "b", "c")
    }
    assertThat(run().problem).isNull()
    assertThat(read.asJava).containsExactly("/a/s1", "/c/s3", "/a/s2")
  }

  @Test
  def aBrokenSourceIsReplacedByAnother(): Unit = {
    damage("s1", "b", "a", "c")
    damage("s2", "b", "a", "c")
    broken = Set("/a/s1")
    assertThat(run().problem).isNull()
    assertThat(read.asJava).containsExactly("/a/s1", "/c/s1", "/a/s2")
    assertThat(damaged.asJava).isEmpty()
  }

  @Test
  def whatCannotBeRebuiltIsNamed(): Unit = {
    damage("s1", "b", "a")
    damage("s2", "b", "a", "c")
    damage("s3", "b")
    broken = Set("/a/s1")
    val done = run()
    assertThat(done.state).isEqualTo(State.DONE)
    assertThat(done.problem)
      .isEqualTo("segment s1 in group b stays damaged: from group a: /a/s1 is corrupt; 1 more segments of groups stay damaged")
    assertThat(damaged.keys.map(_._1).asJavaCollection).containsExactly("s1", "s3")
    assertThat(staged.asJava).isEmpty()
  }

  @Test
  def whatIsFencedIsAskedForAgain(): Unit = {
    damage("s1", "b", "a")
    answers = List(new PublishResult(Outcome.FENCED, "a merge came first", null, JList.of()))
    assertThat(run().done.changes).isEqualTo(1)
    assertThat(read.asJava).containsExactly("/a/s1", "/a/s1")
  }

  @Test
  def aRefusalOfTheUserEndsTheRun(): Unit = {
    damage("s1", "b", "a")
    answers = List(PublishResult.refused(new Refusal(Refusal.Kind.NO_PERMISSION, "you may not")))
    assertThatThrownBy(() => run()).isInstanceOf(classOf[JobException]).hasMessage("you may not")
    assertThat(records.read("d-1").get.state).isEqualTo(State.FAILED)
    assertThat(staged.asJava).isEmpty()
  }
}
