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
import org.hadoopmpsr.core.schema.{Column, ColumnType}
import org.hadoopmpsr.spark.jobs.verify.ColumnValues
import org.hadoopmpsr.spark.versions.Scala213._

/** Whether readers of Spark take the dates and times of a file as they are there, or may count them by the Julian calendar. */
private[adopt] final class FileCalendar(footer: ParquetMetadata) {
  import FileCalendar._

  private val metadata = footer.getFileMetaData.getKeyValueMetaData

  /** The first two numbers of the version of Spark that wrote the file; none for other writers. */
  private val version: Option[(Int, Int)] = Option(metadata.get("org.apache.spark.version")).map(_.split('.')).collect {
    case Array(major, minor, _*) if (major ++ minor).forall(_.isDigit) => (major.toInt, minor.toInt)
  }

  /**
   * What is wrong with a column whose values may be others for a reader: those before 1900 in an unknown calendar. Of values within
   * arrays, structs and maps nobody knows whether they are before 1900.
   */
  def problem(column: Column, values: ColumnValues): Option[String] =
    if (isKnown(column)) None
    else if (isOld(column, values)) {
      Some(s"it has values of '${column.name}' before 1900, and does not say in which calendar; write it with Spark 3.1 or later")
    } else Option.when(NestedForm.holdsTimes(column.`type`))(
      s"it has dates or times within '${column.name}', and does not say in which calendar; write it with Spark 3.1 or later")

  private def isKnown(column: Column): Boolean =
    if (column.`type` == ColumnType.TIMESTAMP && isInt96(column.name)) {
      version.exists(Ordering[(Int, Int)].gteq(_, (3, 1))) && !metadata.containsKey("org.apache.spark.legacyINT96")
    } else version.exists(_._1 >= 3) && !metadata.containsKey("org.apache.spark.legacyDateTime")

  private def isInt96(name: String): Boolean =
    footer.getFileMetaData.getSchema.getFields.asScala.exists(field => field.getName == name && FileForm.isInt96(field))
}

private object FileCalendar {

  /** Since this day and this instant, all calendars that readers know are equal. */
  private val FirstDay = -25567L
  private val FirstMicros = FirstDay * 86400L * 1000000L

  private def isOld(column: Column, values: ColumnValues): Boolean = values.min match {
    case least: java.lang.Long if column.`type` == ColumnType.DATE => least < FirstDay
    case least: java.lang.Long if column.`type` == ColumnType.TIMESTAMP => least < FirstMicros
    case _ => false
  }
}
