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

import scala.collection.concurrent.TrieMap
import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.parquet.hadoop.util.{HadoopInputFile, HadoopStreams}
import org.apache.parquet.io.{OutputFile, PositionOutputStream}
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.mpsr.LocalDirectories
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.{Dataset, StagedFile}
import org.hadoopmpsr.columnar.merge.{MergeInput, MergeLimits, PartitionMerge}
import org.hadoopmpsr.core.commit.{Duplicates, RemovedContent}
import org.hadoopmpsr.core.compact.MergePart
import org.hadoopmpsr.core.group.{Codec, Predicate, ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.core.schema.Schema

/**
 * Merges parts with the code that the sink writes files with.
 *
 * @param fs the URI of the file system
 * @param fileBytes about the length of new files
 */
private[jobs] final class ColumnarMerger(
    dataset: ColumnarMerger.DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    fileBytes: Long)
    extends PartMerger {
  import ColumnarMerger._

  @transient private lazy val schema = Schema.parse(dataset.schema)
  @transient private lazy val groups = dataset.groups

  override def merge(part: MergePart, change: BegunChange, firstNumber: Int, budget: ReadBudget): MergedPart = {
    val system = fileSystem(fs, conf.value.value)
    val limits = new MergeLimits(fileBytes, memoryBytes, LocalDirectories.ofTask(TaskContext.get().taskAttemptId()))
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
      path => new NewFile(system, new Path(s"${change.stagingDir}/${part.group}/$path")),
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

private[jobs] object ColumnarMerger {

  /** The schema, the groups and the key columns of a dataset. Serializable. */
  final case class DatasetText(schema: String, groupTexts: Seq[GroupText], defaultGroup: String, keys: Seq[String]) {
    def groups: ReplicaGroups = new ReplicaGroups(groupTexts.map(_.group).asJava, defaultGroup)
  }

  /** A replica group. Serializable. */
  final case class GroupText(name: String, predicates: Seq[String], sort: Seq[String], replication: Int, codec: String) {
    def group: ReplicaGroup =
      new ReplicaGroup(name, predicates.map(Predicate.parse).asJava, sort.asJava, replication, Codec.parse(codec))
  }

  object DatasetText {
    def of(dataset: Dataset): DatasetText = DatasetText(
      dataset.schema.ddl,
      dataset.groups.groups.asScala.toSeq.map { g =>
        GroupText(g.name, g.predicates.asScala.toSeq.map(_.text), g.sort.asScala.toSeq, g.replication, g.codec.text)
      },
      dataset.groups.defaultName,
      dataset.keys.asScala.toSeq)
  }

  /** The share of the heap that all merges of a process take together; the rest is for Spark and for what is read. */
  private val HeapShare = 0.5
  private val LeastMemory = 64L << 20
  private val MostMemory = 512L << 20

  private def memoryBytes: Long = {
    val tasks = SparkEnv.get.conf.getInt("spark.executor.cores", Runtime.getRuntime.availableProcessors)
    val share = (Runtime.getRuntime.maxMemory * HeapShare / math.max(1, tasks)).toLong
    math.max(LeastMemory, math.min(MostMemory, share))
  }

  private val systems = TrieMap.empty[URI, FileSystem]

  /** One for each process, as long as it lives. */
  private def fileSystem(uri: URI, conf: Configuration): FileSystem = systems.synchronized {
    systems.getOrElseUpdate(
      uri, {
        val tuned = new Configuration(conf)
        // Closing a small file waits for the DataNode's report: ask again soon, and as long in total as by default.
        tuned.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 10)
        tuned.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12)
        FileSystem.newInstance(uri, tuned)
      })
  }

  private final class NewFile(fs: FileSystem, path: Path) extends OutputFile {
    override def create(blockSizeHint: Long): PositionOutputStream = HadoopStreams.wrap(fs.create(path, false))

    override def createOrOverwrite(blockSizeHint: Long): PositionOutputStream = HadoopStreams.wrap(fs.create(path, true))

    override def supportsBlockSize(): Boolean = false

    override def defaultBlockSize(): Long = fs.getDefaultBlockSize(path)

    override def getPath: String = path.toString
  }
}
