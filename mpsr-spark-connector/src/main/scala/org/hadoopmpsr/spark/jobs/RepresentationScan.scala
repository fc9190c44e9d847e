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

import java.net.URI

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.core.group.{PartitionTransform, ReplicaGroups}
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.core.schema.{Column, ColumnType, Schema}
import org.hadoopmpsr.spark.source.SparkTypes

/**
 * The content of a representation, as read from its files.
 *
 * @param records the records of each file that can be read, by its path without scheme
 * @param unreadable why files cannot be read
 */
private[jobs] final case class RepresentationContent(
    group: String,
    content: ContentHash,
    files: Long,
    bytes: Long,
    records: Map[String, FileRecords],
    unreadable: Seq[FalseFile])

/** Reads the representations of a dataset. Planning by MPSR must be off in the session. */
private[jobs] final class RepresentationScan(session: SparkSession, schema: Schema, groups: ReplicaGroups) {
  import RepresentationScan.FilePath

  /** The columns of the schema, which the content hash is of, then the default group's partition fields. */
  private val columns: Array[Column] = {
    val own = schema.columns.asScala.toSeq
    (own ++ groups.logicalColumns(schema).asScala.filterNot(c => own.exists(_.name.equalsIgnoreCase(c.name)))).toArray
  }

  /** @param root the qualified directory of the group's files */
  def read(group: String, root: Path): RepresentationContent = {
    val lengths = fileLengths(root)
    val footers = Footers.of(session, lengths.keys.toSeq)
    val broken = footers.collect { case (file, Left(reason)) => FalseFile(group, file.toUri.getPath, s"cannot be read: $reason") }
    val whole = footers.collect { case (file, Right(_)) => file }.toSeq
    val records =
      if (whole.isEmpty) Map.empty[String, FileRecords]
      else readRecords(group, root, if (broken.isEmpty) Seq(root) else whole)
    val short = footers.collect {
      case (file, Right(stated)) if records.get(file.toUri.getPath).fold(0L)(_.count) != stated =>
        FalseFile(group, file.toUri.getPath, s"has another number of records than the $stated that its footer states")
    }
    val content = records.values.map(_.content).foldLeft(ContentHash.EMPTY)(_.plus(_))
    RepresentationContent(group, content, lengths.size, lengths.values.sum, records, (broken ++ short).toSeq)
  }

  private def fileLengths(root: Path): Map[Path, Long] = {
    val fs = root.getFileSystem(session.sparkContext.hadoopConfiguration)
    val lengths = Map.newBuilder[Path, Long]
    if (fs.exists(root)) {
      val files = fs.listFiles(root, true)
      while (files.hasNext) {
        val file = files.next()
        if (!hidden(root, file.getPath)) {
          lengths += file.getPath -> file.getLen
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

  private def readRecords(group: String, root: Path, places: Seq[Path]): Map[String, FileRecords] = {
    val reader = session.read.schema(SparkTypes.structType(columns.toSeq))
    // the files of other groups have the columns of their directories too
    val hiveStyle = group == groups.defaultName
    val files = (if (hiveStyle) reader.option("basePath", root.toString) else reader.option("recursiveFileLookup", "true"))
      .parquet(places.map(_.toString): _*)
    val records = files.selectExpr(columns.map(c => s"`${c.name}`").toSeq :+ FilePath : _*)
    // what is sent to the executors must be serializable
    val (read, hashed, buckets) = (columns.map(c => (c.name, c.`type`)), schema.columns.size, bucketsOf(group))
    records
      .asInstanceOf[classic.DataFrame]
      .queryExecution
      .toRdd
      .mapPartitions(rows => RepresentationScan.byFile(rows, read, hashed, buckets))
      .collect()
      .groupMapReduce { case (file, _) => new Path(new URI(file)).toUri.getPath }(_._2)(_.plus(_))
  }

  private def bucketsOf(group: String): Seq[FileRecords.BucketOf] =
    groups.find(group).get.predicates.asScala.toSeq.zipWithIndex.collect {
      case (predicate, place) if predicate.transform.isInstanceOf[PartitionTransform.Bucket] =>
        val source = predicate.source(schema)
        FileRecords.BucketOf(
          place,
          predicate.transform.asInstanceOf[PartitionTransform.Bucket].count,
          columns.indexWhere(_.name.equalsIgnoreCase(source.name)),
          source.`type`)
    }
}

private[jobs] object RepresentationScan {
  /** The path of the file of a row, as a URI. */
  private val FilePath = "_metadata.file_path"

  /** Collects rows by their file, whose path is behind the columns. */
  private def byFile(
      rows: Iterator[InternalRow],
      columns: Array[(String, ColumnType)],
      hashed: Int,
      buckets: Seq[FileRecords.BucketOf]): Iterator[(String, FileRecords)] = {
    val byPath = mutable.LinkedHashMap.empty[String, FileRecords.Collector]
    var path: UTF8String = null
    var file: FileRecords.Collector = null
    rows.foreach { row =>
      val next = row.getUTF8String(columns.length)
      if (path == null || !path.equals(next)) {
        path = next.copy()
        file = byPath.getOrElseUpdate(path.toString, new FileRecords.Collector(columns, hashed, buckets))
      }
      file.add(row)
    }
    byPath.iterator.map { case (name, collector) => (name, collector.result) }
  }
}
