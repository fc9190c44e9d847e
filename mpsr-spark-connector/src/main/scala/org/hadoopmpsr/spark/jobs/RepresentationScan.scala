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
import org.hadoopmpsr.core.hash.{ContentHash, ContentHashes, HashKind}
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.core.schema.{Column, ColumnType, Schema}
import org.hadoopmpsr.spark.source.SparkTypes

/**
 * The content of a representation, as read from its files.
 *
 * @param content the hash of all records, each hashed in the current way
 * @param stated the hash of all records, each hashed in the way that the NameNode states for its file
 * @param records the records of each file that can be read, by its path without scheme
 * @param unreadable why files cannot be read
 */
private[jobs] final case class RepresentationContent(
    group: String,
    content: ContentHash,
    stated: ContentHashes,
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

  /**
   * @param root the qualified directory of the group's files
   * @param kinds the kind of the content hash that the NameNode states for a file, by its path without scheme; the current
   *   one where it states none
   */
  def read(group: String, root: Path, kinds: Map[String, HashKind]): RepresentationContent = {
    val lengths = fileLengths(root)
    val footers = Footers.of(session, lengths.keys.toSeq)
    val broken = footers.collect { case (file, Left(reason)) => FalseFile(group, file.toUri.getPath, s"cannot be read: $reason") }
    val whole = footers.collect { case (file, Right(_)) => file }.toSeq
    val records =
      if (whole.isEmpty) Map.empty[String, FileRecords]
      else readRecords(group, root, if (broken.isEmpty) Seq(root) else whole, kinds)
    val short = footers.collect {
      case (file, Right(stated)) if records.get(file.toUri.getPath).fold(0L)(_.count) != stated =>
        FalseFile(group, file.toUri.getPath, s"has another number of records than the $stated that its footer states")
    }
    val content = records.values.map(_.content(HashKind.CURRENT)).foldLeft(ContentHash.EMPTY)(_.plus(_))
    val stated = ContentHashes.of(records.map { case (file, found) =>
      found.content(kinds.getOrElse(file, HashKind.CURRENT))
    }.toSeq.asJava)
    RepresentationContent(group, content, stated, lengths.size, lengths.values.sum, records, (broken ++ short).toSeq)
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

  private def readRecords(
      group: String,
      root: Path,
      places: Seq[Path],
      kinds: Map[String, HashKind]): Map[String, FileRecords] = {
    val reader = session.read.schema(SparkTypes.structType(columns.toSeq))
    // the files of other groups have the columns of their directories too
    val hiveStyle = group == groups.defaultName
    val files = (if (hiveStyle) reader.option("basePath", root.toString) else reader.option("recursiveFileLookup", "true"))
      .parquet(places.map(_.toString): _*)
    val records = files.selectExpr(columns.map(c => s"`${c.name}`").toSeq :+ FilePath : _*)
    // what is sent to the executors must be serializable
    val (read, hashed, buckets) = (columns.map(c => (c.name, c.`type`)), schema.columns.size, bucketsOf(group))
    val others = session.sparkContext.broadcast(kinds.filter(_._2 != HashKind.CURRENT))
    records
      .asInstanceOf[classic.DataFrame]
      .queryExecution
      .toRdd
      .mapPartitions(rows => RepresentationScan.byFile(rows, read, hashed, buckets, others.value))
      .collect()
      .groupMapReduce(_._1)(_._2)(_.plus(_))
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

  /** Collects rows by the path of their file, whose URI is behind the columns. */
  private def byFile(
      rows: Iterator[InternalRow],
      columns: Array[(String, ColumnType)],
      hashed: Int,
      buckets: Seq[FileRecords.BucketOf],
      others: Map[String, HashKind]): Iterator[(String, FileRecords)] = {
    val byPath = mutable.LinkedHashMap.empty[String, FileRecords.Collector]
    var path: UTF8String = null
    var file: FileRecords.Collector = null
    rows.foreach { row =>
      val next = row.getUTF8String(columns.length)
      if (path == null || !path.equals(next)) {
        path = next.copy()
        val name = new Path(new URI(path.toString)).toUri.getPath
        val kinds = Set(HashKind.CURRENT) ++ others.get(name)
        file = byPath.getOrElseUpdate(name, new FileRecords.Collector(columns, hashed, buckets, kinds))
      }
      file.add(row)
    }
    byPath.iterator.map { case (name, collector) => (name, collector.result) }
  }
}
