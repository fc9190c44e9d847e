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
package org.hadoopmpsr.spark.jobs.sampling

import scala.jdk.CollectionConverters._

import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.metadata.{BlockMetaData, ColumnChunkMetaData, ParquetMetadata}
import org.apache.parquet.schema.MessageType

/**
 * How a Parquet file is made.
 *
 * @param rowGroupBytes of its row groups
 * @param codecs those of its columns
 * @param withoutBounds whether a column that is not nested has no minimum and maximum in some row group with values
 * @param withoutIndex whether it has no page index
 * @param sorted a column whose values do not fall from one row group to the next, and rise at least once
 * @param columns names and types, which tell files of one table from others
 */
private[jobs] final case class ParquetForm(
    records: Long,
    rowGroupBytes: Seq[Long],
    codecs: Set[String],
    withoutBounds: Boolean,
    withoutIndex: Boolean,
    sorted: Option[String],
    columns: Int)

private[sampling] object ParquetForm {
  def of(footer: ParquetMetadata): ParquetForm = {
    val schema = footer.getFileMetaData.getSchema
    val blocks = footer.getBlocks.asScala.toSeq
    val chunks = blocks.flatMap(_.getColumns.asScala)
    ParquetForm(
      blocks.map(_.getRowCount).sum,
      blocks.map(_.getCompressedSize),
      chunks.map(_.getCodec.name).toSet,
      chunks.exists(lacksBounds(schema, _)),
      chunks.exists(_.getColumnIndexReference == null),
      sorted(blocks),
      schema.getPaths.size)
  }

  private def lacksBounds(schema: MessageType, chunk: ColumnChunkMetaData): Boolean = {
    val statistics: Statistics[_] = chunk.getStatistics
    schema.getMaxRepetitionLevel(chunk.getPath.toArray: _*) == 0 &&
    (statistics == null || statistics.isEmpty || !statistics.hasNonNullValue && statistics.getNumNulls < chunk.getValueCount)
  }

  private def bounded(chunk: ColumnChunkMetaData): Boolean = {
    val statistics: Statistics[_] = chunk.getStatistics
    statistics != null && statistics.hasNonNullValue
  }

  /** The first column whose row groups follow each other in order. */
  private def sorted(blocks: Seq[BlockMetaData]): Option[String] =
    if (blocks.size < 2) None
    else {
      val paths = blocks.head.getColumns.asScala.map(_.getPath)
      paths.find { path =>
        val chunks = blocks.map(_.getColumns.asScala.find(_.getPath == path))
        chunks.forall(_.exists(bounded)) && {
          val order = chunks.head.get.getPrimitiveType.comparator[Any]
          val bounds = chunks.map(_.get.getStatistics).map(s => (s.genericGetMin: Any, s.genericGetMax: Any))
          bounds.zip(bounds.tail).forall { case ((_, max), (min, _)) => order.compare(max, min) <= 0 } &&
          order.compare(bounds.head._1, bounds.last._2) < 0
        }
      }.map(_.toDotString)
    }
}
