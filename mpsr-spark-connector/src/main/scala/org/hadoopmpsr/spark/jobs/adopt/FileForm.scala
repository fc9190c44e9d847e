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

import scala.jdk.CollectionConverters._

import org.apache.parquet.hadoop.metadata.ParquetMetadata
import org.apache.parquet.schema.{MessageType, Type}
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName
import org.hadoopmpsr.core.schema.Schema

/**
 * Which files hold nothing but what the dataset has columns for, so that no query can tell their records from those that other groups
 * have of them.
 *
 * @param fields the names of the default group's partition fields
 */
private[jobs] final class FileForm(schema: Schema, fields: Seq[String]) {
  private val names = schema.columns.asScala.map(_.name).toSet

  /** Why a file is none; types are compared when it is read. */
  def problem(footer: ParquetMetadata): Option[String] =
    problem(footer.getFileMetaData.getSchema, footer.getFileMetaData.getCreatedBy)

  /** @param writer the program that wrote the file; null if it does not say */
  def problem(ofFile: MessageType, writer: String): Option[String] = {
    val types = ofFile.getFields.asScala.toSeq
    val columns = types.map(_.getName)
    columns.collectFirst {
      case name if fields.exists(_.equalsIgnoreCase(name)) =>
        s"it has the column '$name', which is a directory of the dataset; write it without the column"
      case name if !names(name) =>
        val alike = names.find(_.equalsIgnoreCase(name)).fold("")(other => s", but '$other'")
        s"it has the column '$name', and the dataset has no such column$alike; write it without the column"
      case name if columns.count(_ == name) > 1 => s"it has the column '$name' twice; write it with one"
    }.orElse(shifted(ofFile, Option(writer).getOrElse("an unknown writer")))
      .orElse(types.flatMap(t => NestedForm.problem(schema.find(t.getName).get.`type`, t, t.getName)).headOption)
  }

  /** Readers of Spark may shift the oldest kind of timestamps, unless they are of parquet-mr (`spark.sql.parquet.int96TimestampConversion`). */
  private def shifted(schema: MessageType, writer: String): Option[String] =
    schema.getFields.asScala.collectFirst {
      case field if FileForm.isInt96(field) && !writer.startsWith("parquet-mr") =>
        s"it has '${field.getName}' as INT96 by $writer, which readers may take for local time; write it as TIMESTAMP_MICROS"
    }
}

private[jobs] object FileForm {

  /** Why a file cannot be adopted that has no copies. */
  val ErasureCoded = "it is erasure-coded, and files of datasets have copies; write it anew ('hdfs dfs -cp' does)"

  /** True for timestamps of twelve bytes. */
  private[adopt] def isInt96(field: Type): Boolean = field.isPrimitive && field.asPrimitiveType.getPrimitiveTypeName == PrimitiveTypeName.INT96
}
