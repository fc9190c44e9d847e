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
package org.hadoopmpsr.spark.jobs.advise

import java.io.IOException
import java.util.{ArrayList, Collections, HashMap => JHashMap, List => JList, Locale, Map => JMap}
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.advise.AdviseOptions
import org.hadoopmpsr.columnar.survey.{SchemaBytes, SchemaSurvey}
import org.hadoopmpsr.core.advise.{DirectoryFiles, DirectoryLayout}
import org.hadoopmpsr.core.advise.DirectoryFiles.ReadFooter
import org.hadoopmpsr.core.advise.FileSampler.FileFacts
import org.hadoopmpsr.core.group.{Codec, Codecs, ReplicaGroup, SortKey}
import org.hadoopmpsr.core.schema.{Column, ColumnName, Schema, Values}
import org.hadoopmpsr.core.stats.ColumnStatistics
import org.hadoopmpsr.core.workload.QueryClass
import org.hadoopmpsr.spark.jobs.run.SparkTasks
import org.hadoopmpsr.spark.jobs.survey.FoundFile
import org.hadoopmpsr.spark.versions.OptionConverters._
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What is known of a directory.
 *
 * @param found its files with records, in the order of their paths
 * @param places of the files whose ends were read, among these
 * @param failed of how many the ends could not be read
 * @param sort what the records of each file are sorted by, as far as the ends tell
 * @param codec that of most bytes
 */
private[jobs] final case class DirectoryFacts(
    layout: DirectoryLayout,
    files: DirectoryFiles,
    found: Seq[FoundFile],
    places: Seq[Int],
    failed: Int,
    bytesRead: Long,
    sort: Seq[SortKey],
    codec: Codecs) {

  /** Of one copy of the files. */
  def bytes: Long = found.map(_.length).sum
}

/**
 * Lists a directory, and reads the ends of some of its files.
 *
 * @param root with the scheme
 * @param progress is told how far it is
 */
private[jobs] final class DirectoryReader(
    session: SparkSession,
    fs: FileSystem,
    root: Path,
    options: AdviseOptions,
    progress: String => Unit) {
  import DirectoryReader._

  private val name = root.toUri.getPath
  private val wanted = Option(options.schema).fold(Seq.empty[Column])(Schema.parse(_).columns.asScala.toSeq)

  /**
   * Reads.
   *
   * @param classes whose columns are looked at more closely
   * @param groups those whose columns are looked at more closely, too
   * @param expected how the default group of a dataset would be
   * @throws java.io.IOException if no file can be read
   * @throws java.lang.IllegalArgumentException if the directory has no layout that a dataset can have
   */
  def read(classes: Seq[QueryClass], groups: Seq[ReplicaGroup], expected: Option[ReplicaGroup]): DirectoryFacts = {
    val files = FoundFile.below(fs, root).filter(_.length > 0).sortBy(_.path)
    if (files.isEmpty) throw new IOException(s"there is no file with records below $name; name a directory with Parquet files")
    val drawn = DirectoryFiles.draw(files.size, options.files, options.seed).asScala.map(_.intValue).toSeq
    progress(s"${files.size} files are listed; reading the ends of ${drawn.size}")
    val looks = look(drawn.map(place => place -> files(place).path), asked(classes) ++ named(groups))
    val ends = looks.collect { case LookedAt(place, Right(end)) => place -> end }.toMap
    val failed = looks.collect { case LookedAt(place, Left(problem)) => s"${files(place).path}: $problem" }
    if (ends.isEmpty) throw new IOException(s"none of ${drawn.size} files could be read as Parquet; the first problem: ${failed.head}")
    val stored = schema(ends.values.toSeq)
    val layout = DirectoryLayout.find(
      name,
      files.map(_.path).asJava,
      stored,
      ends.toSeq.map { case (place, end) => new DirectoryLayout.ReadFile(files(place).path, bounds(end)) }.asJava,
      wanted.asJava,
      expected.orNull)
    val footers = new JHashMap[Integer, ReadFooter]
    ends.foreach { case (place, end) => footers.put(place, footer(end)) }
    DirectoryFacts(
      layout,
      new DirectoryFiles(layout, files.map(file => new DirectoryFiles.FoundFile(file.path, file.length)).asJava, footers),
      files,
      ends.keys.toSeq.sorted,
      failed.size,
      ends.values.map(_.bytesRead).sum,
      sorted(ends.values.toSeq, stored),
      codec(ends.values.toSeq))
  }

  private def asked(classes: Seq[QueryClass]): Set[String] =
    classes.flatMap(_.shape.terms.asScala.toSeq).filter(_.columns.size == 1).map(_.column.toLowerCase(Locale.ROOT)).toSet

  private def named(groups: Seq[ReplicaGroup]): Set[String] =
    groups.flatMap(group => group.predicates.asScala.map(_.column) ++ group.sort.asScala.map(_.column)).map(_.toLowerCase(Locale.ROOT)).toSet

  private def look(files: Seq[(Int, String)], columns: Set[String]): Seq[LookedAt] = {
    val context = session.sparkContext
    val conf = context.broadcast(new SerializableConfiguration(context.hadoopConfiguration))
    val done = new AtomicInteger
    @volatile var told = System.nanoTime()
    new EndReader(context, fs.getUri, conf, new SparkTasks(context, 0, 0), columns).read(
      files,
      _ => {
        val count = done.incrementAndGet()
        if (System.nanoTime() - told > TellEveryNs) {
          told = System.nanoTime()
          progress(s"the ends of $count of ${files.size} files are read")
        }
      })
  }

  /** As an adoption proposes it, with the columns that the user wants otherwise. */
  private def schema(ends: Seq[EndFacts]): Schema = {
    val survey = new SchemaSurvey
    ends.groupMapReduce(_.schema)(_.parts.map(_.rows).sum)(_ + _).foreach { case (bytes, records) =>
      survey.add(SchemaBytes.parse(bytes.toArray), records)
    }
    val found = survey.propose(Collections.emptyList()).toScala.fold(Seq.empty[Column])(_.columns.asScala.toSeq)
    val columns = found.map(column => wanted.find(other => ColumnName.areTwins(other.name, column.name)).getOrElse(column))
    if (columns.isEmpty) throw new IOException("no file has a column of a type that datasets have")
    new Schema(columns.asJava)
  }

  /** The bounds of a whole file. */
  private def bounds(end: EndFacts): JMap[String, ColumnStatistics] =
    end.parts.flatMap(_.chunks).groupBy(_.name).map { case (column, chunks) =>
      val known = chunks.forall(_.min != null)
      column -> (if (known)
                   ColumnStatistics.of(
                     chunks.map(_.min).reduce((a, b) => if (ordered(a, b)) a else b),
                     chunks.map(_.max).reduce((a, b) => if (ordered(a, b)) b else a),
                     0)
                 else ColumnStatistics.UNKNOWN)
    }.asJava

  private def ordered(a: AnyRef, b: AnyRef): Boolean = Values.compare(a, b) <= 0

  private def footer(end: EndFacts): ReadFooter = {
    val parts = new ArrayList[FileFacts]
    end.parts.foreach { part =>
      val columns = new JHashMap[String, ColumnStatistics]
      val values = new JHashMap[String, JList[AnyRef]]
      part.chunks.foreach { chunk =>
        columns.put(chunk.name, ColumnStatistics.of(chunk.min, chunk.max, chunk.nulls).withDistinct(chunk.distinct).withBytes(chunk.bytes))
        if (chunk.values.nonEmpty) values.put(chunk.name, chunk.values.asJava)
      }
      parts.add(new FileFacts("", part.rows, part.bytes, columns, values))
    }
    new ReadFooter(parts, end.footerBytes)
  }

  /** The first column by which all files are sorted that tell. */
  private def sorted(ends: Seq[EndFacts], stored: Schema): Seq[SortKey] =
    stored.columns.asScala.toSeq.map(_.name).find { column =>
      val told = ends.flatMap(_.sorted.get(column.toLowerCase(Locale.ROOT)))
      told.nonEmpty && told.forall(identity)
    }.map(SortKey.of(_)).toSeq

  private def codec(ends: Seq[EndFacts]): Codecs = {
    val most = ends.groupMapReduce(_.codec)(_.parts.map(_.bytes).sum)(_ + _).toSeq.sortBy { case (text, bytes) => (-bytes, text) }.map(_._1)
    val known = most.headOption.map(text => if (text == "UNCOMPRESSED") "none" else text)
    Codecs.all(known.flatMap(text => Try(Codec.parse(text)).toOption).getOrElse(Codec.STANDARD))
  }
}

private object DirectoryReader {
  private val TellEveryNs = 10L * 1000 * 1000 * 1000
}
