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

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.fs.Path
import org.apache.hadoop.io.compress.CompressionCodecFactory
import org.apache.parquet.bytes.BytesInput
import org.apache.parquet.column.page.{DataPage, DataPageV1, DataPageV2}
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData
import org.apache.parquet.schema.{MessageType, Type}
import org.hadoopmpsr.core.sampling.FileFormat
import org.hadoopmpsr.spark.jobs.run.{Footers, ReadBudget}

/**
 * Tries codecs on what lies at places of files, in one task. For one thread.
 *
 * @param chunkBytes about how many bytes are tried at a place
 */
private[sampling] final class PlaceTrials(files: BudgetedFiles, chunkBytes: Int) {
  import PlaceTrials._

  private lazy val codecs = new CompressionCodecFactory(files.system.getConf)

  /**
   * What the codecs make of what lies at an offset.
   *
   * @param offset from 0 to the length
   * @throws UnsupportedOperationException if it cannot be read here
   */
  def at(file: ListedFile, format: FileFormat, offset: Long): Trial = format match {
    case FileFormat.PARQUET => ofParquet(file, offset)
    case packed if packed.isCompressed => ofStream(file, packed)
    case _ => ofBytes(file, offset)
  }

  private def ofBytes(file: ListedFile, offset: Long): Trial = {
    val first = math.max(0, math.min(offset, file.length - chunkBytes))
    val chunk = files.bytes(file, first, math.min(chunkBytes.toLong, file.length - first).toInt)
    Trial.of(chunk.length, Seq(chunk))
  }

  /** The begin of a stream that is compressed as a whole, as there is no other place to begin at. */
  private def ofStream(file: ListedFile, format: FileFormat): Trial = {
    val codec = Extensions.get(format).flatMap(name => Option(codecs.getCodecByName(name)))
      .getOrElse(throw new UnsupportedOperationException(s"$format cannot be read here"))
    Using.resource(files.system.open(new Path(file.path))) { stored =>
      val counted = new Counted(stored, files.budget)
      val chunk = Using.resource(codec.createInputStream(counted))(_.readNBytes(chunkBytes))
      Trial.of(math.max(1, math.min(counted.count, file.length)), Seq(chunk))
    }
  }

  private def ofParquet(file: ListedFile, offset: Long): Trial =
    Using.resource(Footers.open(files.parquet(file))) { reader =>
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
    val schema = reader.getFileMetaData.getSchema
    val path = chunk.getPath.toArray
    val column = schema.getColumnDescription(path)
    reader.setRequestedSchema(new MessageType(schema.getName, only(schema, path.toSeq).asGroupType.getFields))
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

  /** A field with the nested field at the path below it alone. */
  private def only(field: Type, path: Seq[String]): Type =
    if (path.isEmpty) field else field.asGroupType.withNewFields(only(field.asGroupType.getType(path.head), path.tail))

  private def data(page: DataPage): Array[Byte] = page match {
    case v1: DataPageV1 => array(v1.getBytes)
    case v2: DataPageV2 => array(v2.getData)
  }

  private def array(bytes: BytesInput): Array[Byte] = bytes.toInputStream.readAllBytes()

}

private object PlaceTrials {

  /** A longer chunk of a column is not read for a trial. */
  val MostChunk: Long = 256L << 20

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
