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

import java.net.URI

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.mpsr.LocalDirectories
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.client.write.HdfsFile
import org.hadoopmpsr.columnar.merge.{MergeInput, MergeLimits, PartitionMerge}
import org.hadoopmpsr.core.commit.{Duplicates, RemovedContent}
import org.hadoopmpsr.core.compact.MergePart
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BegunChange, BudgetedFile, DatasetText, ReadBudget, TaskFiles}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Merges parts with the code that the sink writes files with.
 *
 * @param fs the URI of the file system
 * @param fileBytes about the length of new files
 */
private[jobs] final class ColumnarMerger(
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    fileBytes: Long)
    extends PartMerger {
  @transient private lazy val schema = Schema.parse(dataset.schema)
  @transient private lazy val groups = dataset.groups

  override def merge(part: MergePart, change: BegunChange, firstNumber: Int, budget: ReadBudget): MergedPart = {
    val system = TaskFiles.fileSystem(fs, conf.value.value)
    val limits = new MergeLimits(fileBytes, TaskFiles.memoryBytes, LocalDirectories.ofTask(TaskContext.get().taskAttemptId()))
    val inputs = part.files.asScala.map { file =>
      val status = system.getFileStatus(new Path(file.path))
      new MergeInput(
        file.path,
        new BudgetedFile(HadoopInputFile.fromStatus(status, system.getConf), budget),
        file.segment,
        file.content)
    }
    val result = new PartitionMerge(groups, groups.find(part.group).get, schema, dataset.keys.asJava, limits).merge(
      inputs.asJava,
      part.partition,
      path => new HdfsFile(system, new Path(s"${change.stagingDir}/${part.group}/$path")),
      change.id,
      firstNumber)
    MergedPart(
      part.number,
      part.group,
      result.files.asScala.toSeq.map(f => new StagedFile(part.group, f.relativePath, f.statistics, f.bytes).toBytes),
      RemovedContent.of(part.directory, result.read),
      part.files.size,
      part.bytes,
      Option.unless(result.duplicates.isEmpty)(new Duplicates(part.group, part.directory, result.duplicates)))
  }
}
