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
import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex
import org.apache.spark.sql.types._
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.group.{Codec, PartitionTransform, Predicate, ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.layout.PartitionPath
import org.hadoopmpsr.core.plan.ReadRequest
import org.hadoopmpsr.core.schema.{Column, ColumnType, Schema}
import org.hadoopmpsr.core.stats.FileTotals
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.hadoopmpsr.spark.source.{NameNodePlanSource, PlanSource}

/**
 * The extension for Spark's own tests: each Parquet directory is a dataset with a second replica group, whose files are the
 * directory's own. So all that a redirected read is made of is used; only the files are those of stock.
 */
final class DirectoriesAreDatasets extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    FirstRules.inject(extensions, NameNodePlanSource)
    extensions.injectPostHocResolutionRule(_ => GroupHint.Removal)
    extensions.injectPreCBORule(session => new ReadRule(session, new MirrorPlanSource(session)))
    sys.addShutdownHook(println(
      s"mpsr: ${DecisionMetrics.sum("plans")} reads decided, ${DecisionMetrics.sum("redirected")} redirected, " +
        s"${DecisionMetrics.sum("answered")} answered, ${DecisionMetrics.sum("stock")} stock, ${DecisionMetrics.sum("failures")} failures"))
  }
}

/** Plans reads of any Parquet directory: all its files, in the group `mirror` where its partitions can be told. */
private[spark] final class MirrorPlanSource(session: SparkSession) extends PlanSource {
  private val SparkSchema = "org.apache.spark.sql.parquet.row.metadata"

  override def plan(
      root: Path,
      conf: => Configuration,
      readRequest: ReadRequest,
      group: Option[String],
      statisticsColumns: Seq[String]): PlanSource.Answer = {
    val hadoopConf = conf
    val fs = root.getFileSystem(hadoopConf)
    if (!fs.getFileStatus(root).isDirectory) PlanSource.NotADataset
    else {
      val index = new InMemoryFileIndex(session, Seq(root), Map.empty, None)
      val files = index.allFiles()
      val plan =
        for {
          first <- files.headOption
          data <- schemaOf(first, hadoopConf)
          schema <- schema(data, index.partitionSchema)
        } yield planned(root, files, schema, index.partitionSchema, hadoopConf, group)
      plan.map(PlanSource.DatasetPlan(_)).getOrElse(PlanSource.NotADataset)
    }
  }

  private def schemaOf(file: FileStatus, conf: Configuration): Option[StructType] =
    Using.resource(ParquetFileReader.open(HadoopInputFile.fromStatus(file, conf))) { reader =>
      Option(reader.getFileMetaData.getKeyValueMetaData.get(SparkSchema))
        .map(DataType.fromJson(_).asInstanceOf[StructType])
    }

  /** The columns of types that datasets have; empty where the partitions are of another type. */
  private def schema(data: StructType, partitions: StructType): Option[Schema] = {
    val columns = data.filterNot(f => partitions.fieldNames.contains(f.name)).flatMap(column)
    val fields = partitions.flatMap(column)
    if (fields.size < partitions.size || fields.exists(f => !new PartitionTransform.Identity().accepts(f.`type`))) None
    else try Some(new Schema((columns ++ fields).asJava))
    catch { case NonFatal(_) => None } // names that a dataset cannot have
  }

  private def column(field: StructField): Option[Column] = {
    val columnType = field.dataType match {
      case StringType => Some(ColumnType.STRING)
      case IntegerType => Some(ColumnType.INT)
      case LongType => Some(ColumnType.LONG)
      case FloatType => Some(ColumnType.FLOAT)
      case DoubleType => Some(ColumnType.DOUBLE)
      case BooleanType => Some(ColumnType.BOOLEAN)
      case DateType => Some(ColumnType.DATE)
      case TimestampType => Some(ColumnType.TIMESTAMP)
      case _ => None
    }
    try columnType.map(new Column(field.name, _, true))
    catch { case NonFatal(_) => None }
  }

  private def planned(
      root: Path,
      files: Seq[FileStatus],
      schema: Schema,
      partitions: StructType,
      conf: Configuration,
      forced: Option[String]): ReadPlan = {
    val predicates = partitions.fieldNames.toSeq.map(new Predicate(new PartitionTransform.Identity(), _))
    def group(name: String) =
      new ReplicaGroup(name, predicates.asJava, java.util.List.of[SortKey](), 1, Codec.parse("zstd:3"))
    val groups = new ReplicaGroups(java.util.List.of(group("default"), group("mirror")), "default")
    val fields = groups.defaultGroup.partitionFields(schema)
    val paths = files.map(_.getPath.toUri.getPath)
    val readable = paths.forall(PartitionPath.values(fields, _).isPresent)
    new ReadPlan(
      false,
      forced.getOrElse(if (readable) "mirror" else "default"),
      root.toUri.getPath,
      files.map(f => planned(f, conf)).asJava,
      java.util.List.of(),
      "mirror",
      files.map(f => (f.getPath.toString, f.getLen, f.getModificationTime)).hashCode,
      files.foldLeft(FileTotals.EMPTY)((totals, f) => totals.plus(f.getPath.toUri.getPath, f.getLen)),
      schema,
      groups,
      0)
  }

  private def planned(file: FileStatus, conf: Configuration): ReadPlan.PlannedFile = {
    val rows = Using.resource(ParquetFileReader.open(HadoopInputFile.fromStatus(file, conf)))(_.getRecordCount)
    new ReadPlan.PlannedFile(
      file.getPath.toUri.getPath,
      file.getLen,
      file.getModificationTime,
      rows,
      java.util.List.of(),
      java.util.Map.of())
  }
}
