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

import java.io.InputStream
import java.util.Collections

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.io.compress.CompressionCodecFactory
import org.apache.parquet.ParquetReadOptions
import org.apache.parquet.bytes.BytesInput
import org.apache.parquet.column.page.{DataPage, DataPageV1, DataPageV2}
import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.conf.PlainParquetConfiguration
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.metadata.{BlockMetaData, ColumnChunkMetaData, FileMetaData}
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.parquet.io.InputFile
import org.hadoopmpsr.core.sampling.FileFormat
import org.hadoopmpsr.spark.jobs.run.{BudgetedFile, ReadBudget}
import org.hadoopmpsr.spark.versions.Scala213._

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

/** What a look at a file of the first sample found. The form is that of a Parquet file that can be read, or the problem. */
private[jobs] final case class FileLook(file: ListedFile, format: FileFormat, form: Option[Either[String, ParquetForm]])

/** What a look at a place of a file found: none where no codec is tried; else what they made of it, or why nothing could be tried. */
private[jobs] final case class PlaceLook(file: ListedFile, format: FileFormat, trial: Option[Either[String, Trial]])

/**
 * Looks at files, in one task. For one thread.
 *
 * @param chunkBytes about how many bytes are tried at a place
 */
private[sampling] final class FileLooks(system: FileSystem, budget: ReadBudget, chunkBytes: Int) {
  import FileLooks._

  private lazy val codecs = new CompressionCodecFactory(system.getConf)

  /** @throws java.io.IOException if it cannot be read */
  def file(file: ListedFile): FileLook = {
    val format = FileFormat.of(head(file))
    FileLook(file, format, if (format == FileFormat.PARQUET) Some(problemOr(form(file))) else None)
  }

  /**
   * Looks at what lies at an offset.
   *
   * @param offset from 0 to the length
   * @throws java.io.IOException if it cannot be read
   */
  def place(file: ListedFile, offset: Long, tries: Boolean): PlaceLook = {
    val format = FileFormat.of(head(file))
    val trial =
      if (!tries) None
      else Some(problemOr(format match {
        case FileFormat.PARQUET => ofParquet(file, offset)
        case packed if packed.isCompressed => ofStream(file, packed)
        case _ => ofBytes(file, offset)
      }))
    PlaceLook(file, format, trial)
  }

  private def problemOr[T](work: => T): Either[String, T] =
    try Right(work)
    catch { case e: RuntimeException => Left(Option(e.getMessage).getOrElse(e.toString).linesIterator.nextOption().getOrElse(e.toString)) }

  private def head(file: ListedFile): Array[Byte] = bytes(file, 0, math.min(FileFormat.HEAD.toLong, file.length).toInt)

  private def bytes(file: ListedFile, offset: Long, length: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    if (length > 0) {
      Using.resource(system.open(new Path(file.path)))(_.readFully(offset, bytes))
      budget.read(length)
    }
    bytes
  }

  private def ofBytes(file: ListedFile, offset: Long): Trial = {
    val first = math.max(0, math.min(offset, file.length - chunkBytes))
    val chunk = bytes(file, first, math.min(chunkBytes.toLong, file.length - first).toInt)
    Trial.of(chunk.length, Seq(chunk))
  }

  /** The begin of a stream that is compressed as a whole, as there is no other place to begin at. */
  private def ofStream(file: ListedFile, format: FileFormat): Trial = {
    val codec = Extensions.get(format).flatMap(name => Option(codecs.getCodecByName(name)))
      .getOrElse(throw new UnsupportedOperationException(s"$format cannot be read here"))
    Using.resource(system.open(new Path(file.path))) { stored =>
      val counted = new Counted(stored, budget)
      val chunk = Using.resource(codec.createInputStream(counted))(_.readNBytes(chunkBytes))
      Trial.of(math.max(1, math.min(counted.count, file.length)), Seq(chunk))
    }
  }

  private def ofParquet(file: ListedFile, offset: Long): Trial =
    Using.resource(ParquetFileReader.open(opened(file), Options)) { reader =>
      val blocks = reader.getFooter.getBlocks.asScala.toSeq
      val found = for {
        (block, i) <- blocks.zipWithIndex
        chunk <- block.getColumns.asScala
        if offset >= chunk.getStartingPos && offset < chunk.getStartingPos + chunk.getTotalSize
      } yield (i, chunk)
      found.headOption match {
        // footers and indexes, which no codec changes
        case None => Trial(1, 1, TrialCodec.All.map(codec => CodecTrial(codec.name, 1, 0, 0)))
        case Some((_, chunk)) if chunk.getTotalSize > MostChunk => throw new UnsupportedOperationException("its column chunks are too large")
        case Some((block, chunk)) => ofChunk(reader, block, chunk)
      }
    }

  /** The first pages of a chunk of a column. */
  private def ofChunk(reader: ParquetFileReader, block: Int, chunk: ColumnChunkMetaData): Trial = {
    val column = reader.getFileMetaData.getSchema.getColumnDescription(chunk.getPath.toArray)
    reader.setRequestedSchema(Collections.singletonList(column))
    Using.resource(reader.readRowGroup(block)) { pages =>
      val source = pages.getPageReader(column)
      val dictionary = Option(source.readDictionaryPage())
      val pieces = Seq.newBuilder[Array[Byte]]
      var stored, raw = 0L
      dictionary.foreach { page =>
        pieces += array(page.getBytes)
        stored += page.getCompressedSize
        raw += page.getUncompressedSize
      }
      var page: DataPage = source.readPage()
      while (page != null && raw < chunkBytes) {
        pieces += data(page)
        stored += page.getCompressedSize
        raw += page.getUncompressedSize
        page = source.readPage()
      }
      val tried = pieces.result().filter(_.nonEmpty)
      if (tried.isEmpty) throw new UnsupportedOperationException("a column chunk has no pages")
      Trial.of(math.max(1, stored), tried)
    }
  }

  private def data(page: DataPage): Array[Byte] = page match {
    case v1: DataPageV1 => array(v1.getBytes)
    case v2: DataPageV2 => array(v2.getData)
  }

  private def array(bytes: BytesInput): Array[Byte] = bytes.toInputStream.readAllBytes()

  private def opened(file: ListedFile): InputFile =
    new BudgetedFile(HadoopInputFile.fromStatus(system.getFileStatus(new Path(file.path)), system.getConf), budget)

  private def form(file: ListedFile): ParquetForm =
    Using.resource(ParquetFileReader.open(opened(file), Options)) { reader =>
      val blocks = reader.getFooter.getBlocks.asScala.toSeq
      val meta = reader.getFileMetaData
      ParquetForm(
        blocks.map(_.getRowCount).sum,
        blocks.map(_.getCompressedSize),
        blocks.flatMap(_.getColumns.asScala.map(_.getCodec.name)).toSet,
        blocks.exists(_.getColumns.asScala.exists(lacksBounds(meta, _))),
        blocks.exists(_.getColumns.asScala.exists(chunk => chunk.getColumnIndexReference == null)),
        sorted(meta, blocks),
        meta.getSchema.getPaths.size)
    }

  private def lacksBounds(meta: FileMetaData, chunk: ColumnChunkMetaData): Boolean = {
    val statistics: Statistics[_] = chunk.getStatistics
    meta.getSchema.getMaxRepetitionLevel(chunk.getPath.toArray: _*) == 0 &&
    (statistics == null || statistics.isEmpty || !statistics.hasNonNullValue && statistics.getNumNulls < chunk.getValueCount)
  }

  private def bounded(chunk: ColumnChunkMetaData): Boolean = {
    val statistics: Statistics[_] = chunk.getStatistics
    statistics != null && statistics.hasNonNullValue
  }

  /** The first column whose row groups follow each other in order. */
  private def sorted(meta: FileMetaData, blocks: Seq[BlockMetaData]): Option[String] =
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

private object FileLooks {

  /** A longer chunk of a column is not read for a trial. */
  val MostChunk: Long = 256L << 20

  val Options: ParquetReadOptions = ParquetReadOptions.builder(new PlainParquetConfiguration).build()

  /** The names of Hadoop's codecs. */
  val Extensions: Map[FileFormat, String] =
    Map(FileFormat.GZIP -> "gzip", FileFormat.BZIP2 -> "bzip2", FileFormat.ZSTD -> "zstandard")

  /** Counts what is read. */
  final class Counted(stream: InputStream, budget: ReadBudget) extends InputStream {
    var count = 0L

    private def counted(bytes: Int): Unit = if (bytes > 0) {
      count += bytes
      budget.read(bytes)
    }

    override def read(): Int = {
      val next = stream.read()
      counted(if (next < 0) 0 else 1)
      next
    }

    override def read(bytes: Array[Byte], offset: Int, length: Int): Int = {
      val got = stream.read(bytes, offset, length)
      counted(got)
      got
    }

    override def close(): Unit = stream.close()
  }
}
