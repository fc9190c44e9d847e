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
package org.hadoopmpsr.spark.write

import java.util.Locale

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.SaveMode
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType
import org.hadoopmpsr.core.schema.ColumnPath
import org.hadoopmpsr.client.Dataset
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.source.SparkTypes

/** Decides whether what a command writes is what all groups of a dataset can have, so that no query can tell the difference. */
private[write] final class WriteFit(dataset: Dataset, conf: SQLConf, hadoopConf: Configuration) {
  import WriteFit._

  private val schema = dataset.schema.columns.asScala.toSeq
  private val group = dataset.groups.defaultGroup
  private val fields = group.partitionFields(dataset.schema).asScala.toSeq

  /** Where the rows of a command have the records' values, or why the command is an ordinary write. */
  def form(command: InsertIntoHadoopFsRelationCommand): Either[String, WriteForm] =
    problem(command).toLeft(()).flatMap(_ => OldTimes.of(conf)).flatMap { times =>
      val names = command.outputColumnNames
      val types = command.query.output.map(_.dataType)
      val partitions = command.partitionColumns.map(_.name)
      problemOfColumns(names, types, partitions).toLeft {
        val derived = fields.zipWithIndex.filter { case (f, _) => !isColumn(f.name) && partitions.contains(f.name) }
        WriteForm(schema.map(c => names.indexOf(c.name)), derived.map { case (field, i) => i -> names.indexOf(field.name) }, times)
      }
    }

  private def problem(command: InsertIntoHadoopFsRelationCommand): Option[String] = {
    val strange = command.options.keys.filterNot(key => Harmless(key.toLowerCase(Locale.ROOT))).toSeq.sorted
    if (command.fileFormat.getClass != classOf[ParquetFileFormat]) Some(s"it is of the format ${command.fileFormat}, not Parquet")
    else if (command.mode != SaveMode.Append && command.mode != SaveMode.Overwrite)
      Some(s"its mode is ${command.mode}, not append or overwrite")
    else if (command.mode != SaveMode.Append && StreamBatch.of(command.options).isDefined) Some(s"its mode is ${command.mode}; batches are appended")
    else if (command.bucketSpec.isDefined) Some("its table has buckets")
    else if (command.staticPartitions.nonEmpty) Some("it names the values of partitions; select them as columns")
    else if (strange.nonEmpty) Some(s"it has the options ${strange.mkString(", ")}; leave them out, the groups say how files are made")
    else if (hadoopConf.get(CryptoFactory) != null) Some(s"$CryptoFactory is set, and files of groups are not encrypted by Parquet")
    else None
  }

  private def problemOfColumns(names: Seq[String], types: Seq[DataType], partitions: Seq[String]): Option[String] =
    if (partitions.nonEmpty && partitions != fields.map(_.name)) {
      Some(
        s"it is partitioned by ${partitions.mkString(", ")}; partition it by ${fields.map(_.name).mkString(", ")}, or by nothing")
    } else {
      val taken = schema.map(c => c.name -> SparkTypes.of(c.`type`)) ++
        fields.filter(f => !isColumn(f.name) && partitions.nonEmpty).map(f => f.name -> SparkTypes.of(f.`type`))
      names.find(name => names.count(_ == name) > 1).map(name => s"it has the column '$name' twice")
        .orElse(names.find(name => !taken.exists(_._1 == name)).map(other(_, taken.map(_._1))))
        .orElse(taken.collectFirst { case (name, _) if !names.contains(name) && !mayLack(name) => s"it lacks the column '$name'" })
        .orElse(taken.collectFirst {
          case (name, wanted) if names.contains(name) && !SparkTypes.isSame(types(names.indexOf(name)), wanted) =>
            s"its column '$name' is of type ${types(names.indexOf(name)).catalogString}, and that of the dataset of type ${wanted.catalogString}"
        })
        .orElse(problemOfFields(partitions))
    }

  private def other(name: String, taken: Seq[String]): String =
    taken.find(_.equalsIgnoreCase(name)) match {
      case Some(alike) => s"it has the column '$name', and the dataset has '$alike'"
      case None if fields.exists(_.name == name) =>
        s"it has the column '$name', which is a directory of the dataset; partition it by ${fields.map(_.name).mkString(", ")}, or leave it out"
      case None => s"it has the column '$name', and the dataset has no such column"
    }

  private def problemOfFields(partitions: Seq[String]): Option[String] =
    if (partitions.isEmpty) None
    else
      fields.zip(group.predicates.asScala).collectFirst {
        case (field, predicate) if !isColumn(field.name) && !FieldCheck.canBeOf(predicate.source(dataset.schema).`type`) =>
          s"what its column '${field.name}' tells cannot be compared with '${ColumnPath.shown(predicate.column)}'; leave the column out"
      }

  /** The column is null in records that lack it, as in files of ordinary writers: one that was added or dropped. */
  private def mayLack(name: String): Boolean = schema.exists(column => column.name == name && column.nullable)

  private def isColumn(name: String): Boolean = schema.exists(_.name == name)
}

private object WriteFit {
  private val CryptoFactory = "parquet.crypto.factory.class"

  /** Options that do not change what is written. */
  private val Harmless = Set(
    "path",
    "serialization.format",
    "__partition_columns",
    "partitionoverwritemode",
    "mergeschema",
    ConfKeys.GroupOption,
    ConfKeys.ColumnsOption,
    ConfKeys.StreamOption,
    ConfKeys.BatchOption)
}
