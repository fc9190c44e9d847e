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

import java.util.Locale

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.core.group.PartitionTransform
import org.hadoopmpsr.core.hash.{ContentHash, HashKind, RecordHasher}
import org.hadoopmpsr.core.schema.ColumnType

/**
 * The records of a file, or of a part of it, as read.
 *
 * @param sums the upper and the lower half of the sum of the records' hashes, by the kind of the hash
 * @param columns the values by the column's name in lower case
 * @param buckets for the place of each bucket predicate of the group its results
 */
private[jobs] final case class FileRecords(
    count: Long,
    sums: Map[HashKind, (Long, Long)],
    columns: Map[String, ColumnValues],
    buckets: Map[Int, Set[Long]]) {

  /** Their content hash, of a kind that was computed. */
  def content(kind: HashKind): ContentHash = new ContentHash(kind, count, sums(kind)._1, sums(kind)._2)

  def plus(other: FileRecords): FileRecords =
    FileRecords(
      count + other.count,
      sums.keys.map { kind =>
        val sum = content(kind).plus(other.content(kind))
        kind -> ((sum.high, sum.low))
      }.toMap,
      columns.map { case (name, values) => name -> values.plus(other.columns(name)) },
      buckets.map { case (place, results) => place -> (results ++ other.buckets(place)) })
}

private[jobs] object FileRecords {
  /** A bucket predicate at its place among the group's predicates, with the position of its column in rows. */
  final case class BucketOf(place: Int, count: Int, position: Int, columnType: ColumnType)

  /** So many different buckets are kept: a file has one. */
  private val Buckets = 2

  /**
   * Collects the records of one file.
   *
   * @param columns the names and types of the columns of the rows
   * @param hashed the number of columns, the first ones of the rows, that the content hash is of
   * @param kinds the kinds of content hashes to compute
   */
  final class Collector(
      columns: Array[(String, ColumnType)],
      hashed: Int,
      buckets: Seq[BucketOf],
      kinds: Set[HashKind]) {
    private val hashers = kinds.toArray.map(kind => kind -> new RecordHasher(kind))
    private val values = columns.zipWithIndex.map { case (c, i) => new ColumnValues.Collector(i, c._2) }
    private val results = buckets.map(_ => scala.collection.mutable.HashSet.empty[Long])
    private val lastTexts = Array.fill[UTF8String](buckets.size)(null)

    def add(row: InternalRow): Unit = {
      hashers.foreach { case (_, hasher) => hash(hasher, row) }
      values.foreach(_.add(row))
      buckets.indices.foreach(addBucket(row, _))
    }

    private def hash(hasher: RecordHasher, row: InternalRow): Unit = {
      var i = 0
      while (i < hashed) {
        if (!row.isNullAt(i)) put(hasher, row, i, columns(i)._2)
        i += 1
      }
      hasher.endRecord()
    }

    private def addBucket(row: InternalRow, index: Int): Unit = {
      val bucket = buckets(index)
      if (!row.isNullAt(bucket.position) && results(index).size < Buckets) bucket.columnType match {
        case ColumnType.STRING =>
          val text = row.getUTF8String(bucket.position)
          if (!text.equals(lastTexts(index))) {
            lastTexts(index) = text.copy()
            add(index, text.toString)
          }
        case ColumnType.INT | ColumnType.DATE => add(index, Long.box(row.getInt(bucket.position).toLong))
        case _ => add(index, Long.box(row.getLong(bucket.position)))
      }
    }

    private def add(index: Int, value: AnyRef): Unit = {
      val bucket = buckets(index)
      results(index) += new PartitionTransform.Bucket(bucket.count).bucket(bucket.columnType, value).toLong
    }

    def result: FileRecords = {
      val taken = hashers.map { case (kind, hasher) => kind -> hasher.take() }
      FileRecords(
        taken.head._2.count,
        taken.map { case (kind, sum) => kind -> ((sum.high, sum.low)) }.toMap,
        columns.zip(values).map { case ((name, _), v) => name.toLowerCase(Locale.ROOT) -> v.result }.toMap,
        buckets.zip(results).map { case (b, r) => b.place -> r.toSet }.toMap)
    }
  }

  /** Puts a value that is not null into a hash. */
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
