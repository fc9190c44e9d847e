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
package org.hadoopmpsr.spark.recovery

import java.io.IOException

import java.util.Collections.singletonList

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.{assertThat, assertThatList}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.adopt.AdoptOptions
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.core.group.RepresentationName
import org.hadoopmpsr.spark.{SparkFixture, TestRecords}
import org.hadoopmpsr.spark.jobs.{AdoptDataset, CompactDataset, RebuildDataset}

/** Steps that write: commits, merges and rebuilds, which faults may strike. */
private[recovery] final class RecoveryWork(recovery: Recovery, faults: RecoveryFaults) {
  import recovery._

  private val most = 60
  private var commits = 0
  private var offers = 0

  def steps: Seq[RecoveryStep] = writes ++ Seq(
    RecoveryStep("rebuild of wrong records", 6, () => offerWrong()),
    RecoveryStep("rebuild and node lost", 3, () => rebuildWhile("a node is lost", stopOne())),
    RecoveryStep("rebuild and failover", 2, () => rebuildWhile("failover", cluster.failOver())))

  /** What may change no answer but by the records that come. */
  def writes: Seq[RecoveryStep] = Seq(
    RecoveryStep("commit", 4, () => commit()),
    RecoveryStep("merge", 2, () => compact()),
    RecoveryStep("rebuild", 8, () => rebuild()))

  /** Needs room in each group. */
  def commit(): Boolean = {
    val possible = hasRoom
    if (possible) {
      val records = more()
      log += s"commit of ${records.size} records"
      dataset.commit(records)
      rows ++= records
    }
    possible
  }

  /** Records that are not there yet. */
  def more(): Seq[Row] = {
    commits += 1
    TestRecords.rows(seed, commits - 1, 1 + random.nextInt(most))
  }

  /** Makes segments of files that came without a commit. */
  def adopt(): Boolean = {
    val possible = untracked.nonEmpty && hasRoom
    if (possible) {
      log += "untracked files become segments"
      val run = AdoptDataset.adopt(SparkFixture.session, dataset.root.toString, new AdoptOptions(true, 0, 0, null))
      assertThat(run.problem).isNull()
      assertThatList(cluster.client(_.untracked(path))).isEmpty()
      rows ++= untracked
      untracked.clear()
    }
    possible
  }

  /** Waits until groups are complete that have all records. */
  def awaitAltered(): Unit =
    await().atMost(RecoveryCluster.Long).until(() => cluster.client(_.getDataset(path)).alterations.isEmpty)

  private def compact(): Boolean = {
    val possible = hasRoom
    if (possible) {
      log += "merge"
      val options = CompactionOptions.parse(singletonList("--all"), new java.util.ArrayList)
      CompactDataset.compact(SparkFixture.session, dataset.root.toString, options)
    }
    possible
  }

  private def rebuild(): Boolean = {
    val possible = damages.nonEmpty
    if (possible) checkRebuilt()
    possible
  }

  /** A writer that is wrong offers other records than the segment's. */
  private def offerWrong(): Boolean = {
    val now = damages.sortBy(damage => (damage.segment, damage.group))
    val possible = now.nonEmpty && hasRoom
    if (possible) {
      val damage = any(now)
      offers += 1
      val answer = dataset.offer(s"rebuild-wrong-$offers", damage, TestRecords.rows(seed, -offers, 3))
      log += s"wrong records for ${damage.segment} in ${damage.group}: ${answer.outcome} ${answer.reason}"
      assertThat(answer.outcome).isEqualTo(Outcome.REFUSED)
    }
    possible
  }

  /** Rebuilds all that can be rebuilt now. */
  def checkRebuilt(): Unit = {
    log += "rebuild"
    val room = roomy
    val ended = run()
    learnRebuilt()
    val left = damages.filter(damage => damage.liveCopies > 0 && room(RepresentationName.group(damage.group)))
    assertThatList(left.map(d => s"${d.segment} in ${d.group}").asJava).as(s"left by a rebuild that said ${ended.problem}").isEmpty()
  }

  private def run(): RunRecord =
    RebuildDataset.rebuild(SparkFixture.session, dataset.root.toString, RebuildOptions.DEFAULT)

  /** What the fault strikes may fail; nothing wrong may be published. */
  private def rebuildWhile(what: String, happen: => Unit): Boolean = {
    val possible = damages.nonEmpty && cluster.down.size < 2
    if (possible) {
      log += s"rebuild; meanwhile $what"
      val delay = random.nextInt(1500).millis
      val running = Future(run())(ExecutionContext.global)
      Try(Await.ready(running, delay))
      happen
      Await.ready(running, Duration.Inf).value.get match {
        case Success(_) => ()
        case Failure(e: IOException) => log += s"the rebuild failed: $e"
        case Failure(e) => throw e
      }
      readCorrupt()
      learnRebuilt()
    }
    possible
  }

  private def stopOne(): Unit = faults.stop(any(cluster.up))
}
