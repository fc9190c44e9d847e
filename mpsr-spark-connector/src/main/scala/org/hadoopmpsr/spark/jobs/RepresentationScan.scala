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
package org.hadoopmpsr.spark.jobs

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.hash.{ContentHash, RecordHasher}
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.core.schema.{ColumnType, Schema}
import org.hadoopmpsr.spark.source.SparkTypes

/** The content of a representation, as read from its files. */
private[jobs] final case class RepresentationContent(group: String, content: ContentHash, files: Long, bytes: Long)

/** Reads the representations of a dataset. Planning by MPSR must be off in the session. */
private[jobs] final class RepresentationScan(session: SparkSession, schema: Schema, groups: ReplicaGroups) {

  /** @param root the qualified directory of the group's files */
  def read(group: String, root: Path): RepresentationContent = {
    val lengths = fileLengths(root)
    val content = if (lengths.isEmpty) ContentHash.EMPTY else contentHash(group, root)
    RepresentationContent(group, content, lengths.size, lengths.sum)
  }

  private def fileLengths(root: Path): Seq[Long] = {
    val fs = root.getFileSystem(session.sparkContext.hadoopConfiguration)
    val lengths = Seq.newBuilder[Long]
    if (fs.exists(root)) {
      val files = fs.listFiles(root, true)
      while (files.hasNext) {
        val file = files.next()
        if (!hidden(root, file.getPath)) {
          lengths += file.getLen
        }
      }
    }
    lengths.result()
  }

  /** Whether Spark's listing leaves the file out, because a name below the root is hidden. */
  private def hidden(root: Path, file: Path): Boolean = {
    val relative = root.toUri.getPath.stripSuffix("/").length
    file.toUri.getPath.substring(relative).split('/').exists(PathNames.isHidden)
  }

  private def contentHash(group: String, root: Path): ContentHash = {
    val columns = groups.logicalColumns(schema).asScala.toSeq
    val reader = session.read.schema(SparkTypes.structType(columns))
    // the files of other groups have the columns of their directories too
    val hiveStyle = group == groups.defaultName
    val files = (if (hiveStyle) reader else reader.option("recursiveFileLookup", "true")).parquet(root.toString)
    val records = files.selectExpr(schema.columns.asScala.map(c => s"`${c.name}`").toSeq: _*)
    val types = schema.columns.asScala.map(_.`type`).toArray
    records
      .asInstanceOf[classic.DataFrame]
      .queryExecution
      .toRdd
      .mapPartitions { rows =>
        val hash = RepresentationScan.hash(rows, types)
        Iterator((hash.count, hash.high, hash.low)) // a ContentHash is not serializable
      }
      .collect()
      .map { case (count, high, low) => new ContentHash(count, high, low) }
      .foldLeft(ContentHash.EMPTY)(_.plus(_))
  }
}

private[jobs] object RepresentationScan {
  /** The content hash of rows that hold the schema's columns in order. */
  def hash(rows: Iterator[InternalRow], types: Array[ColumnType]): ContentHash = {
    val hasher = new RecordHasher
    rows.foreach { row =>
      var position = 0
      while (position < types.length) {
        if (!row.isNullAt(position)) {
          put(hasher, row, position, types(position))
        }
        position += 1
      }
      hasher.endRecord()
    }
    hasher.take()
  }

  private def put(hasher: RecordHasher, row: InternalRow, position: Int, columnType: ColumnType): Unit =
    columnType match {
      case ColumnType.STRING =>
        val utf8 = row.getUTF8String(position).getBytes
        hasher.putString(position, utf8, 0, utf8.length)
      case ColumnType.INT | ColumnType.DATE => hasher.putLong(position, row.getInt(position))
      case ColumnType.LONG | ColumnType.TIMESTAMP | ColumnType.TIMESTAMP_NS =>
        hasher.putLong(position, row.getLong(position))
      case ColumnType.FLOAT => hasher.putDouble(position, row.getFloat(position))
      case ColumnType.DOUBLE => hasher.putDouble(position, row.getDouble(position))
      case ColumnType.BOOLEAN => hasher.putBoolean(position, row.getBoolean(position))
    }
}
