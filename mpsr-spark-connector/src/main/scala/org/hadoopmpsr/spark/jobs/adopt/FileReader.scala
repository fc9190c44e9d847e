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

import java.net.URI
import java.util.{List => JList}

import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.{TaskContext, TaskKilledException}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.columnar.merge.MergeInput
import org.hadoopmpsr.columnar.survey.PageIndexes
import org.hadoopmpsr.core.adopt.UntrackedFile
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.rebuild.PartitionCount
import org.hadoopmpsr.spark.jobs.run.{BudgetedFile, DatasetText, Footers, JobDataset, ReadBudget, SparkTasks, TaskFiles}
import org.hadoopmpsr.spark.jobs.verify.WatchedFile
import org.hadoopmpsr.spark.versions.Scala213._

/** Reads files in tasks, each once from its beginning to its end. */
private[jobs] final class FileReader(
    session: SparkSession,
    root: String,
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    tasks: SparkTasks)
    extends Reader {

  override def read(files: Seq[UntrackedFile], pulse: () => Unit): Seq[ReadFile] = {
    val parts = SparkTasks.divided(files, tasks.count)(_.length, _ => 1)
    val work = new FileReader.Work(root, dataset, fs, conf, tasks.bandwidthOf(parts.size))
    tasks.run[Seq[UntrackedFile], ReadFile](
      "files of ordinary writers could not be read",
      session.sparkContext.parallelize(parts, parts.size),
      some => work.read(some.flatten),
      _ => (),
      pulse)
  }
}

private[jobs] object FileReader {
  def of(session: SparkSession, job: JobDataset, tasks: SparkTasks): FileReader =
    new FileReader(session, job.dataset.path, job.text, job.fs.getUri, job.conf, tasks)

  private final class Work(
      root: String,
      dataset: DatasetText,
      fs: URI,
      conf: Broadcast[SerializableConfiguration],
      bandwidth: Long)
      extends Serializable {
    @transient private lazy val schema = Schema.parse(dataset.schema)
    @transient private lazy val groups = dataset.groups
    @transient private lazy val group = groups.defaultGroup
    @transient private lazy val others = groups.groups.asScala.toSeq.filter(_ != group)
    @transient private lazy val fields = group.partitionFields(schema).asScala.toSeq
    @transient private lazy val place = new FilePlace(root, fields)

    def read(files: Iterator[UntrackedFile]): Seq[ReadFile] = {
      val context = TaskContext.get()
      val budget = ReadBudget.ofTask(context, bandwidth)
      files.map(read(_, budget, context)).toVector
    }

    private def read(file: UntrackedFile, budget: ReadBudget, context: TaskContext): ReadFile = {
      var watched: Option[WatchedFile] = None
      try {
        place.partition(file.path) match {
          case Left(problem) => ReadFile.unfit(file, problem)
          case Right(partition) =>
            val system = TaskFiles.fileSystem(fs, conf.value.value)
            val status = system.getFileStatus(new Path(file.path))
            if (status.getLen != file.length || status.getModificationTime != file.modificationTime) {
              ReadFile.failed(file, "it was changed meanwhile")
            } else if (status.isErasureCoded) {
              ReadFile.unfit(file, FileForm.ErasureCoded)
            } else {
              val opened = new WatchedFile(new BudgetedFile(HadoopInputFile.fromStatus(status, system.getConf), budget))
              watched = Some(opened)
              read(file, place.relative(file.path), partition, opened)
            }
        }
      } catch {
        case e: TaskKilledException => throw e
        case NonFatal(_) if context.isInterrupted() => throw new TaskKilledException("the task was ended")
        case NonFatal(e) if watched.forall(_.failure.isDefined) =>
          ReadFile.failed(file, text(watched.flatMap(_.failure).getOrElse(e)))
        case NonFatal(e) => ReadFile.unfit(file, text(e))
        case _: OutOfMemoryError => ReadFile.failed(file, "it takes more memory than a task has; give executors more")
      }
    }

    private def read(file: UntrackedFile, relative: String, partition: JList[AnyRef], opened: WatchedFile): ReadFile = {
      val (footer, problem, pageShares) = Using.resource(Footers.open(opened)) { parquet =>
        val problem = new FileForm(schema, fields.map(_.name)).problem(parquet.getFooter)
        // only estimates use the indexes: a file is adopted without them, too
        val shares = if (problem.isEmpty) Try(PageIndexes.shares(parquet).asScala).toOption else None
        (parquet.getFooter, problem, shares.fold(Map.empty[String, Double])(_.map { case (name, share) => name -> share.doubleValue }.toMap))
      }
      problem match {
        case Some(why) => ReadFile.unfit(file, why)
        case None =>
          val input = new MergeInput(file.path, opened, "", ContentHash.EMPTY)
          Using.resource(RecordReader.ofAnyRecords(groups, group, schema, partition, input, ReadFile.Kind)) { reader =>
            val counts = others.map(other => other.name -> new PartitionCount(other))
            FoundStatistics.of(reader, schema, group, partition, footer, pageShares, counts.map(_._2)) match {
              case Left(problem) => ReadFile.unfit(file, problem)
              case Right(found) =>
                val encoded = new StagedFile(group.name, relative, found, file.length).toBytes
                ReadFile(file, Some(encoded), counts.map { case (name, count) => name -> count.result }.toMap, None, None)
            }
          }
      }
    }

    private def text(e: Throwable): String =
      Option(e.getMessage).getOrElse(e.toString).linesIterator.nextOption().getOrElse(e.toString)
  }
}
