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

import java.nio.charset.StandardCharsets
import java.util.{List => JList, Locale}

import scala.jdk.CollectionConverters._

import org.apache.parquet.hadoop.metadata.ParquetMetadata
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.ReplicaGroup
import org.hadoopmpsr.core.schema.{Column, ColumnType, Schema}
import org.hadoopmpsr.core.stats.{ColumnStatistics, FileStatistics, ValueFilter}
import org.hadoopmpsr.spark.jobs.rebuild.PartitionCount
import org.hadoopmpsr.spark.jobs.verify.ColumnValues
import org.hadoopmpsr.spark.versions.OptionConverters._
import org.hadoopmpsr.spark.versions.Scala213._

/** The statistics of a file of the default group that MPSR has not written, as a writer of MPSR would state them. */
private[adopt] object FoundStatistics {

  /** What a text has in place of bytes that are no text. */
  private val NoText = '\uFFFD'

  /**
   * Reads all records of a file.
   *
   * @param reader of the file, at its beginning
   * @param partition the tuple that the file's directories say
   * @param pageShares by lower-case names of columns, as far as they are known
   * @param counts get the records, too
   * @return what is wrong with the records, or the statistics of a file without a segment
   */
  def of(
      reader: RecordReader,
      schema: Schema,
      group: ReplicaGroup,
      partition: JList[AnyRef],
      footer: ParquetMetadata,
      pageShares: Map[String, Double],
      counts: Seq[PartitionCount]): Either[String, FileStatistics] = {
    val columns = schema.columns.asScala.toSeq ++ group.paths(schema).asScala
    val collectors = columns.map(c => new ColumnValues.Collector(c.`type`))
    while (reader.next()) {
      collectors.zip(columns).foreach { case (collector, column) => collector.add(reader.fields.source(column.name), reader.rows) }
      if (reader.fields.tuples(group, new Array[Int](reader.rows)).asScala.exists(_ != partition)) {
        return Left("it has records of other partitions than that of its directory; write each record to its own directory")
      }
      counts.foreach(_.add(reader))
    }
    val found = columns.zip(collectors.map(_.result))
    val calendar = new FileCalendar(footer)
    if (reader.content.count == 0) Left("it has no records; delete it")
    else found.flatMap { case (column, values) => calendar.problem(column, values) }.headOption.toLeft {
      val bytes = bytesOf(footer)
      val own = found.map { case (column, values) =>
        val share = pageShares.getOrElse(column.name.toLowerCase(Locale.ROOT), -1.0)
        column.name -> statistics(column, values, bytes.getOrElse(column.name, 0L)).withPageShare(share)
      }
      val fields = group.partitionFields(schema).asScala.map(_.name).zip(partition.asScala).map { case (name, value) =>
        name -> ColumnStatistics.of(value, value, if (value == null) reader.content.count else 0).withBytes(0)
      }
      new FileStatistics("", reader.content, partition, (own ++ fields).toMap.asJava)
    }
  }

  private def bytesOf(footer: ParquetMetadata): Map[String, Long] =
    footer.getBlocks.asScala.toSeq.flatMap(_.getColumns.asScala).groupMapReduce(_.getPath.toArray.head)(_.getTotalSize)(_ + _)

  private def statistics(column: Column, values: ColumnValues, bytes: Long): ColumnStatistics = {
    val isKnown = values.nans == 0 && !isUnbounded(column) && !hasNoText(values.min) && !hasNoText(values.max)
    val bounds =
      if (isKnown && isBound(column, values.min) && isBound(column, values.max)) ColumnStatistics.of(values.min, values.max, values.nulls)
      else ColumnStatistics.of(null, null, values.nulls)
    bounds.withBytes(bytes).withValues(filter(column, values).orNull)
  }

  private def isUnbounded(column: Column): Boolean = column.`type` == ColumnType.BINARY || column.`type`.isWideDecimal

  private def isBound(column: Column, value: AnyRef): Boolean = value == null || column.`type`.holds(value)

  private def hasNoText(value: AnyRef): Boolean = value match {
    case text: String => text.indexOf(NoText) >= 0
    case _ => false
  }

  /** Only where all texts are known, and are texts. */
  private def filter(column: Column, values: ColumnValues): Option[ValueFilter] =
    if (column.`type` != ColumnType.STRING || values.texts.size >= ColumnValues.Texts || values.texts.exists(hasNoText)) None
    else ValueFilter.of(values.texts.map(_.getBytes(StandardCharsets.UTF_8)).asJava).toScala
}
