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

import java.io.IOException
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.core.commit.RemovedContent
import org.hadoopmpsr.core.compact.{MergePart, SegmentFile}
import org.hadoopmpsr.core.hash.{ContentHash, ContentHashes}
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.spark.SparkFixture
import org.hadoopmpsr.spark.jobs.run.{BegunChange, CancelledException, JobException, ReadBudget, SparkTasks}
import org.junit.jupiter.api.Test

class SparkPartsTest {
  import SparkPartsTest._

  private val context = SparkFixture.session.sparkContext

  private def parts(count: Int): Seq[MergePart] = (0 until count).map { i =>
    val file = new SegmentFile("s", "g", s"p=$i", java.util.Arrays.asList(Long.box(i), null), s"/$i", 1000 + i, Hash)
    new MergePart(i, "g", s"p=$i", java.util.List.of(file))
  }

  private def run(merger: PartMerger, count: Int, parallelism: Int = 0, bandwidth: Long = 0)(
      pulse: => Unit): (Seq[MergedPart], Seq[Int]) = {
    val told = new ConcurrentLinkedQueue[Int]
    val merged = new SparkParts(context, merger, new SparkTasks(context, parallelism, bandwidth))
      .run(parts(count), Change, part => told.add(part.number), () => pulse)
    (merged, told.asScala.toSeq)
  }

  @Test
  def eachPartIsDoneOnceAndEachFileHasItsOwnName(): Unit = for (parallelism <- Seq(0, 1, 3)) {
    val (merged, told) = run(Renamer, 25, parallelism)(())
    assertThat(merged.map(_.number).sorted.asJava).isEqualTo((0 until 25).asJava)
    assertThat(told.sorted.asJava).isEqualTo((0 until 25).asJava)
    val files = merged.flatMap(_.files)
    assertThat(files.map(f => f.relativePath.substring(f.relativePath.lastIndexOf('/'))).distinct.size).isEqualTo(50)
    assertThat(files.head.statistics.partition).hasSize(2)
    assertThat(RemovedContent.sum(merged.map(_.removed).asJava).stated.count).isEqualTo(25)
  }

  @Test
  def tasksReadAboutAsMuch(): Unit = {
    val tasks = SparkTasks.divided(parts(100), 7)(_.bytes, _.files.size)
    assertThat(tasks.flatten.map(_.number).sorted.asJava).isEqualTo((0 until 100).asJava)
    assertThat(tasks.size).isEqualTo(7)
    tasks.foreach(task => assertThat(task.size).isBetween(14, 15))
    assertThat(SparkTasks.divided(parts(3), 20)(_.bytes, _.files.size).size).isEqualTo(3)
  }

  @Test
  def aFailedPartIsAnErrorOfOneLine(): Unit =
    assertThatThrownBy(() => run(Failing, 4)(()))
      .isInstanceOf(classOf[JobException])
      .hasMessageContaining("the files of change merge-1-2-0a could not be written, and it is not published: ")
      .hasMessageContaining("java.io.IOException: /2 is damaged")
      .hasMessageNotContaining("\n")

  @Test
  def aRunThatIsCancelledLeavesNoTask(): Unit = {
    var pulses = 0
    assertThatThrownBy(() =>
      run(Renamer, 4, bandwidth = 1) {
        pulses += 1
        if (pulses > 1) throw new CancelledException("compaction")
      }).isInstanceOf(classOf[CancelledException])
    await().atMost(Duration.ofSeconds(60)).until(() => context.statusTracker.getActiveStageIds().isEmpty)
  }
}

private object SparkPartsTest {
  val Hash = new ContentHash(1, 2, 3)
  val Change: BegunChange = BegunChange("merge-1-2-0a", "/staging/merge-1-2-0a", 100)

  /** Two files of each part; reads them as long as their budget takes. */
  object Renamer extends PartMerger {
    override def merge(part: MergePart, change: BegunChange, firstNumber: Int, budget: ReadBudget): MergedPart = {
      budget.read(part.bytes)
      val statistics = new FileStatistics(change.id, Hash, part.partition, java.util.Map.of())
      val files = (0 until 2).map { i =>
        new StagedFile(part.group, s"${part.directory}/${change.id}-${firstNumber + i}.parquet", statistics).toBytes
      }
      MergedPart(part.number, part.group, files, new RemovedContent(ContentHashes.of(Hash), java.util.Map.of()), part.files.size, part.bytes, None)
    }
  }

  object Failing extends PartMerger {
    override def merge(part: MergePart, change: BegunChange, firstNumber: Int, budget: ReadBudget): MergedPart =
      if (part.number == 2) throw new IOException("/2 is damaged")
      else Renamer.merge(part, change, firstNumber, budget)
  }
}
