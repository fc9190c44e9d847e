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
package org.hadoopmpsr.spark

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.hadoop.fs.Path
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.core.cost.FileTasks
import org.hadoopmpsr.core.cost.FileTasks.Piece
import org.hadoopmpsr.spark.versions.SplitBytes
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** The tasks that costs are of are those that Spark makes. */
class FileTasksTest {
  import SparkFixture._

  @Test
  def tasksAreThoseOfSpark(): Unit = {
    (0 until 300).foreach { i =>
      val random = new Random(seed + i)
      val cores = 1 + random.nextInt(16)
      // from some bytes to 500 MB
      val files = Seq.fill(1 + random.nextInt(60))(new Piece(math.exp(random.nextDouble() * 20).toLong, random.nextInt(100)))
      val what = s"-Dmpsr.test.seed=${seed + i}: $cores cores, $files"
      assertEquals(doneMs(files, cores), FileTasks.doneMs(files.asJava, cores), 1e-6, what)
    }
  }

  /** When the last core is done, if each takes the next of Spark's tasks when it is free. */
  private def doneMs(files: Seq[Piece], cores: Int): Double = {
    val busy = Array.fill(cores)(0.0)
    sparkTasks(files, cores).foreach(task => busy(busy.indexOf(busy.min)) += task)
    busy.max
  }

  private def sparkTasks(files: Seq[Piece], cores: Int): Seq[Double] =
    withConf(SQLConf.FILES_MIN_PARTITION_NUM.key -> cores.toString) {
      val most = SplitBytes.max(session, files.map(_.length + session.sessionState.conf.filesOpenCostInBytes).sum)
      val pieces = files.zipWithIndex.flatMap { case (file, i) =>
        (0L until file.length by most).map { start =>
          PartitionedFile(
            InternalRow.empty,
            SparkPath.fromPath(new Path(s"/f$i")),
            start,
            math.min(most, file.length - start),
            fileSize = file.length)
        }
      }
      FilePartition
        .getFilePartitions(session, pieces.sortBy(_.length)(Ordering[Long].reverse), most)
        .map(_.files.map { f =>
          val file = files(f.toPath.getName.drop(1).toInt)
          file.ms * f.length / file.length
        }.sum)
    }
}
