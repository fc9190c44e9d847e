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

import java.math.{BigDecimal => JBigDecimal, BigInteger}
import java.nio.charset.StandardCharsets
import java.nio.file.Files
import java.time.{Instant, LocalDate, LocalDateTime, ZoneOffset}
import java.util.Locale

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.functions.{col, input_file_name}
import org.apache.spark.sql.types.{DateType, StringType}
import org.hadoopmpsr.columnar.survey.PageIndexes
import org.hadoopmpsr.core.group.ReplicaGroup
import org.hadoopmpsr.core.files.GroupFiles
import org.hadoopmpsr.core.hash.{ContentHash, HashKind, RecordHasher}
import org.hadoopmpsr.core.nested.NestedWriter
import org.hadoopmpsr.core.schema.{Column, ColumnName, ColumnPath, Values}
import org.hadoopmpsr.core.stats.{ColumnStatistics, DataFile, FileStatistics, ValueFilter}
import org.hadoopmpsr.core.text.Backticks
import org.hadoopmpsr.spark.jobs.run.Footers
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.spark.versions.Scala213._

/** A dataset in a local directory: Spark writes its representations and reads their statistics. */
final class TestDataset(session: SparkSession, dir: java.nio.file.Path, val table: TestTable = TestRecords)
    extends QueriedDataset {
  import TestDataset.core
  import table.{groups, schema}

  private var written = 0
  private var segments = 0

  override val root: Path = new Path(dir.resolve("cals/meas").toUri.toString.stripSuffix("/"))

  def rootOf(group: String): Path =
    if (group == groups.defaultName) root else new Path(dir.resolve(s"store/$group").toUri.toString.stripSuffix("/"))

  /** Adds the records to every representation, as a segment of their own. */
  def write(rows: Seq[Row]): Unit = {
    groups.groups.forEach(write(_, rows))
    segments += 1
  }

  /** The ids of all segments. */
  def segmentIds: Seq[String] = (0 until segments).map(i => s"s$i")

  private def write(group: ReplicaGroup, rows: Seq[Row]): Unit = {
    val fields = group.partitionFields(schema).asScala.toSeq
    val physical = groups.physicalColumns(group.name, schema).asScala.toSeq
    // columns that Spark makes directories of are not in the files; those of the other groups must be
    val directories = fields.map(f => s"dir_${f.name}")
    val data = rows.map { row =>
      val tuple = partition(group, name => core(value(row, name)))
      Row.fromSeq(physical.map(c => value(row, c.name)) ++ fields.zip(tuple).map { case (f, v) => text(f, v) })
    }
    val staging = dir.resolve(s"staging/${group.name}-$written")
    session
      .createDataFrame(
        data.asJava,
        directories.foldLeft(SparkTypes.structType(physical))((types, name) => types.add(name, StringType)))
      .coalesce(1)
      .sortWithinPartitions((directories ++ sorted(group, physical)).map(name => col(ColumnName.text(name))): _*)
      .write
      .partitionBy(directories: _*)
      .parquet(staging.toUri.toString)
    place(staging, java.nio.file.Path.of(rootOf(group.name).toUri))
    written += 1
  }

  /** The columns that the group's files are sorted by, as far as the files have them. */
  private def sorted(group: ReplicaGroup, physical: Seq[Column]): Seq[String] =
    group.sortColumns(schema).asScala.map(_.name).filter(name => physical.exists(_.name == ColumnPath.root(name))).toSeq

  private def place(staging: java.nio.file.Path, root: java.nio.file.Path): Unit =
    Using.resource(Files.walk(staging))(_.toArray.toSeq.map(_.asInstanceOf[java.nio.file.Path]))
      .filter(_.toString.endsWith(".parquet"))
      .foreach { file =>
        val directories = staging.relativize(file.getParent).toString.split("/").map(_.stripPrefix("dir_")).mkString("/")
        val target = root.resolve(directories).resolve(s"s$segments-${file.getFileName}")
        Files.createDirectories(target.getParent)
        Files.move(file, target)
      }

  /** What names the directory; of an empty text another than of null, which is what Spark makes of it. */
  private def text(field: Column, value: AnyRef): String = (SparkTypes.of(field.`type`), value) match {
    case (_, null) => null
    case (_, "") => "empty"
    case (DateType, v: java.lang.Long) => LocalDate.ofEpochDay(v).toString
    case (_, v) => v.toString
  }

  /** The representations with the statistics of their files. */
  def groupFiles(): java.util.List[GroupFiles] =
    groups.groups.asScala.map(g => GroupFiles.of(g, dataFiles(g).asJava, null)).asJava

  private def dataFiles(group: ReplicaGroup): Seq[DataFile] = {
    val place = rootOf(group.name)
    val reader = session.read.schema(SparkTypes.structType(logical))
    val frame =
      if (group.name == groups.defaultName) reader.parquet(place.toString)
      else reader.option("recursiveFileLookup", "true").parquet(place.toString)
    val byFile = frame.select(input_file_name() +: logical.map(c => col(Backticks.around(c.name))): _*).collect().groupBy(_.getString(0))
    val fs = place.getFileSystem(session.sparkContext.hadoopConfiguration)
    byFile.toSeq.sortBy(_._1).map { case (file, rows) =>
      dataFile(group, fs.getFileStatus(new Path(new java.net.URI(file))), rows.toSeq)
    }
  }

  private def dataFile(group: ReplicaGroup, status: FileStatus, rows: Seq[Row]): DataFile = {
    val values = logical.zipWithIndex.map { case (c, i) => c.name -> rows.map(r => core(r.get(i + 1))) }.toMap
    val paths = group.paths(schema).asScala.toSeq.map { path =>
      val place = 1 + logical.indexWhere(_.name == ColumnPath.root(path.name))
      path.name -> rows.map(r => core(within(r.get(place), path.name)))
    }.toMap
    val tuple = partition(group, name => (values ++ paths)(table.schema.find(name).get.name).head)
    val (bytes, pageShares) = TestDataset.columns(status.getPath, session.sparkContext.hadoopConfiguration)
    new DataFile(
      status.getPath.toUri.getPath,
      status.getPath.hashCode,
      status.getLen,
      status.getModificationTime,
      new FileStatistics(
        status.getPath.getName.takeWhile(_ != '-'),
        content(values, rows.size),
        tuple.asJava,
        (values ++ paths).map { case (n, v) =>
          n -> statistics(v).withBytes(bytes.getOrElse(n, 0L)).withPageShare(pageShares.getOrElse(n.toLowerCase(Locale.ROOT), -1.0))
        }.asJava))
  }

  private def content(values: Map[String, Seq[AnyRef]], count: Int): ContentHash = {
    val hasher = new RecordHasher(HashKind.CURRENT)
    val columns = schema.columns.asScala.map(c => values(c.name))
    (0 until count).foreach { i =>
      columns.zipWithIndex.foreach { case (column, position) => hasher.put(position, column(i)) }
      hasher.endRecord()
    }
    hasher.take()
  }

  private def statistics(values: Seq[AnyRef]): ColumnStatistics = {
    val present = values.filter(_ != null)
    val nulls = values.size - present.size
    val nan = present.exists { case d: java.lang.Double => d.isNaN; case _ => false }
    if (present.isEmpty || nan || present.head.isInstanceOf[NestedWriter]) new ColumnStatistics(null, null, nulls)
    else {
      val ordered = present.sortWith {
        // -0.0 is less than 0.0 here
        case (a: java.lang.Double, b: java.lang.Double) => a.compareTo(b) < 0
        case (a, b) => Values.compare(a, b) < 0
      }
      // bytes have no bounds, nor have digits of more than 64 bits
      def bound(value: AnyRef) = value match {
        case _: Array[Byte] | _: BigInteger => null
        case _ => value
      }
      val texts = present.collect { case s: String => s }.distinct.map(_.getBytes(StandardCharsets.UTF_8))
      ColumnStatistics.of(bound(ordered.head), bound(ordered.last), nulls).withDistinct(present.map { case b: Array[Byte] => b.toSeq; case v => v }.toSet.size)
        .withValues(ValueFilter.of(texts.asJava).orElse(null))
    }
  }
}

object TestDataset {

  /** The content hash of records. */
  def hash(rows: Seq[Row], kind: HashKind): ContentHash = {
    val hasher = new RecordHasher(kind)
    rows.foreach { row =>
      row.toSeq.zipWithIndex.foreach { case (value, position) => hasher.put(position, core(value)) }
      hasher.endRecord()
    }
    hasher.take()
  }

  /** How many bytes of a file each column takes, and which share of its pages may hold a value. */
  private def columns(file: Path, conf: Configuration): (Map[String, Long], Map[String, Double]) =
    Using.resource(Footers.open(HadoopInputFile.fromPath(file, conf))) { parquet =>
      val chunks = parquet.getFooter.getBlocks.asScala.flatMap(_.getColumns.asScala)
      val pageShares = PageIndexes.shares(parquet).asScala.map { case (name, share) => name -> share.doubleValue }.toMap
      (chunks.groupMapReduce(_.getPath.toArray.head)(_.getTotalSize)(_ + _), pageShares)
    }

  /** A value of a row as [[org.hadoopmpsr.core.schema.ColumnType]] has it. */
  def core(value: Any): AnyRef = value match {
    case v: Int => Long.box(v.toLong)
    case v: Float => Double.box(v.toDouble)
    case v: Byte => Long.box(v.toLong)
    case v: Short => Long.box(v.toLong)
    case v: JBigDecimal => if (v.unscaledValue.bitLength < 64) Long.box(v.unscaledValue.longValue) else v.unscaledValue
    case v: LocalDateTime => Long.box(v.toEpochSecond(ZoneOffset.UTC) * 1000000L + v.getNano / 1000)
    case v: LocalDate => Long.box(v.toEpochDay)
    case _: Row | _: collection.Seq[_] | _: collection.Map[_, _] => NestedForms.of(value)
    case v: Instant => Long.box(v.getEpochSecond * 1000000L + v.getNano / 1000)
    case v => v.asInstanceOf[AnyRef]
  }
}
