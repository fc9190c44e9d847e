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

import scala.collection.mutable
import scala.util.Using

import org.apache.hadoop.fs.Path
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.SparkFixture
import org.hadoopmpsr.spark.degraded.DegradedReads
import org.junit.jupiter.api.AfterEach

/**
 * Things happen to a dataset in an order that a seed chooses. After each step queries answer as the records that there should be, and
 * in the end every group holds all of them. `-Dmpsr.seed=N` replays one seed, `-Dmpsr.seeds=N` runs so many from there.
 *
 * @param seedsByDefault the number of seeds without these
 */
private[recovery] abstract class SeededSteps(seedsByDefault: Int) {
  import SeededSteps._

  /** What may happen. */
  protected def steps(recovery: Recovery, faults: RecoveryFaults, work: RecoveryWork, check: RecoveryCheck): Seq[RecoveryStep]

  private val took = mutable.SortedMap.empty[String, Took]
  private var settings: Set[String] = Set.empty

  @AfterEach
  def forgetNameNodes(): Unit = settings.foreach(SparkFixture.session.sparkContext.hadoopConfiguration.unset)

  protected def runSeeds(): Unit = {
    val first = sys.props.get("mpsr.seed").map(_.toLong)
    val seeds = sys.props.get("mpsr.seeds").map(_.toInt).getOrElse(first.fold(seedsByDefault)(_ => 1))
    val from = first.getOrElse(0L)
    (from until from + seeds).grouped(SeedsOfCluster).foreach { some =>
      Using.resource(RecoveryCluster.start()) { cluster =>
        val hadoop = SparkFixture.session.sparkContext.hadoopConfiguration
        cluster.settings.foreach { case (key, value) => hadoop.set(key, value) }
        settings = cluster.settings.keySet
        some.foreach(run(cluster, _))
      }
    }
    println(s"steps (milliseconds): ${took.map { case (name, t) => s"$name ${t.times} (${t.millis})" }.mkString(", ")}")
    println(s"files read from another group: ${DegradedReads.counter(SparkFixture.session.sparkContext).sum}")
  }

  private def run(cluster: RecoveryCluster, seed: Long): Unit = {
    val start = System.nanoTime()
    val recovery = new Recovery(cluster, seed)
    try runSteps(recovery)
    catch {
      case e: Throwable =>
        throw new AssertionError(
          s"seed $seed (replay with -Dmpsr.seed=$seed) failed after\n  ${recovery.log.mkString("\n  ")}\n$e",
          e)
    }
    println(s"seed $seed passed in ${(System.nanoTime() - start) / 1000000} ms")
  }

  private def runSteps(recovery: Recovery): Unit = {
    val faults = new RecoveryFaults(recovery)
    val work = new RecoveryWork(recovery, faults)
    val check = new RecoveryCheck(recovery)
    val drawn = steps(recovery, faults, work, check).flatMap(step => Seq.fill(step.weight)(step))
    (0 until 2).foreach(_ => assertThat(work.commit()).isTrue)
    var done = 0
    while (done < Steps) {
      val step = recovery.any(drawn)
      if (timed(step.name)(step.run.getAsBoolean)) {
        timed("queries") { check.queries(); true }
        done += 1
      }
    }
    timed("end") {
      faults.heal()
      work.adopt()
      work.checkRebuilt()
      work.awaitAltered()
      check.whole()
      recovery.cluster.client(_.dropDataset(recovery.path, true))
      recovery.cluster.fs.delete(new Path(recovery.path), true)
    }
  }

  /** Counts what happened, which `body` tells. */
  private def timed(name: String)(body: => Boolean): Boolean = {
    val start = System.nanoTime()
    val happened = body
    if (happened) {
      val before = took.getOrElse(name, Took(0, 0))
      took(name) = Took(before.times + 1, before.millis + (System.nanoTime() - start) / 1000000)
    }
    happened
  }
}

private object SeededSteps {
  private final case class Took(times: Int, millis: Long)

  private val Steps = 8

  /** Then a new cluster starts, for NameNodes that have ended stay in memory while it runs. */
  private val SeedsOfCluster = 25
}
