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

import java.net.URI
import java.util.Locale

import scala.jdk.CollectionConverters._
import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.parquet.column.ColumnDescriptor
import org.apache.parquet.column.Dictionary
import org.apache.parquet.column.page.DictionaryPageReadStore
import org.apache.parquet.column.statistics.Statistics
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.metadata.{BlockMetaData, ColumnChunkMetaData}
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.parquet.io.api.Binary
import org.apache.parquet.schema.{LogicalTypeAnnotation, PrimitiveType}
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName
import org.apache.spark.{SparkContext, TaskContext, TaskKilledException}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.columnar.survey.{PageIndexes, SchemaBytes}
import org.hadoopmpsr.spark.jobs.run.{BudgetedFile, Footers, ReadBudget, SparkTasks, TaskFiles}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What the end of a file tells of a column in a row group.
 *
 * @param min as `ColumnType` has it; null if it is unknown, as is `max`
 * @param nulls -1 if it is unknown
 * @param distinct -1 if it is unknown
 * @param values all different values, if they are few and known; some, if they are many; else empty
 */
private[jobs] final case class ChunkFacts(
    name: String,
    min: AnyRef,
    max: AnyRef,
    nulls: Long,
    distinct: Long,
    bytes: Long,
    values: Seq[AnyRef])

/** A row group. */
private[jobs] final case class PartFacts(rows: Long, bytes: Long, chunks: Seq[ChunkFacts])

/**
 * What the end of a file tells.
 *
 * @param schema as `SchemaBytes` has it
 * @param codec that of most bytes
 * @param sorted for columns of which it is known whether the records are sorted by them, whether they are
 * @param bytesRead how many bytes were read
 */
private[jobs] final case class EndFacts(
    schema: Seq[Byte],
    codec: String,
    parts: Seq[PartFacts],
    footerBytes: Long,
    sorted: Map[String, Boolean],
    bytesRead: Long)

/** A file by its place among all files, and what its end tells, or why that cannot be read. */
private[jobs] final case class LookedAt(place: Int, end: Either[String, EndFacts])

/**
 * Reads the ends of files in tasks: footers, and of some columns page indexes and dictionaries.
 *
 * @param asked the columns of which dictionaries are read, in lower case
 */
private[jobs] final class EndReader(
    context: SparkContext,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    tasks: SparkTasks,
    asked: Set[String]) {

  /**
   * In any order.
   *
   * @param files places and paths
   * @param done is told each file that was looked at, on any thread
   */
  def read(files: Seq[(Int, String)], done: LookedAt => Unit): Seq[LookedAt] = {
    val parts = SparkTasks.divided(files, tasks.count)(_ => 0L, _ => 1)
    val work = new EndReader.Work(fs, conf, asked)
    tasks.run[Seq[(Int, String)], LookedAt](
      "files could not be read",
      context.parallelize(parts, math.max(1, parts.size)),
      some => work.read(some.flatten),
      done,
      () => ())
  }
}

private[jobs] object EndReader {

  /** Of more different values than this, their number is told, and so many of them. */
  private val MostValues = 2000

  /** A longer dictionary is not read. */
  private val MostDictionaryBytes = 1L << 20

  private final class Work(fs: URI, conf: Broadcast[SerializableConfiguration], asked: Set[String]) extends Serializable {
    def read(files: Iterator[(Int, String)]): Seq[LookedAt] = {
      val context = TaskContext.get()
      files.map { case (place, path) =>
        try LookedAt(place, Right(ends(path, context)))
        catch {
          case e: TaskKilledException => throw e
          case NonFatal(_) if context.isInterrupted() => throw new TaskKilledException("the task was ended")
          case NonFatal(e) => LookedAt(place, Left(Option(e.getMessage).getOrElse(e.toString).linesIterator.nextOption().getOrElse(e.toString)))
        }
      }.toVector
    }

    private def ends(path: String, context: TaskContext): EndFacts = {
      val system = TaskFiles.fileSystem(fs, conf.value.value)
      val status = system.getFileStatus(new Path(path))
      val budget = new CountedBudget(ReadBudget.ofTask(context, 0))
      Using.resource(Footers.open(new BudgetedFile(HadoopInputFile.fromStatus(status, system.getConf), budget))) { reader =>
        val footerBytes = budget.bytes
        val footer = reader.getFooter
        val blocks = footer.getBlocks.asScala.toSeq
        val chunks = blocks.flatMap(_.getColumns.asScala)
        val codec = chunks.groupMapReduce(_.getCodec.name)(_.getTotalSize)(_ + _).toSeq.sortBy { case (name, bytes) => (-bytes, name) }
        val flat = blocks.map(block => block -> block.getColumns.asScala.toSeq.filter(_.getPath.size == 1))
        val parts = flat.map { case (block, columns) =>
          PartFacts(block.getRowCount, block.getCompressedSize, columns.map(facts(reader, block, _)))
        }
        val sorted = for {
          name <- asked.toSeq
          is <- sortedBy(reader, flat.map(_._2.find(nameOf(_) == name)))
        } yield name -> is
        EndFacts(
          SchemaBytes.of(footer.getFileMetaData.getSchema).toIndexedSeq,
          codec.headOption.fold("")(_._1),
          parts,
          footerBytes,
          sorted.toMap,
          budget.bytes)
      }
    }

    private def nameOf(chunk: ColumnChunkMetaData): String = chunk.getPath.toArray.head.toLowerCase(Locale.ROOT)

    private def facts(reader: ParquetFileReader, block: BlockMetaData, chunk: ColumnChunkMetaData): ChunkFacts = {
      val primitive = chunk.getPrimitiveType
      val statistics: Statistics[_] = chunk.getStatistics
      val bounded = statistics != null && statistics.hasNonNullValue
      val bounds = if (bounded) (value(primitive, statistics.genericGetMin), value(primitive, statistics.genericGetMax)) else (None, None)
      val (min, max) = bounds match {
        case (Some(low), Some(high)) => (low, high)
        case _ => (null, null)
      }
      val nulls = if (statistics != null && statistics.isNumNullsSet) statistics.getNumNulls else -1L
      val all = if (asked(nameOf(chunk))) dictionary(reader, block, chunk) else None
      val some = all.fold(Seq.empty[AnyRef])(_.take(MostValues))
      ChunkFacts(nameOf(chunk), min, max, nulls, all.fold(-1L)(_.size.toLong), chunk.getTotalSize, some)
    }

    /** All different values, where all pages take theirs from a dictionary. */
    private def dictionary(reader: ParquetFileReader, block: BlockMetaData, chunk: ColumnChunkMetaData): Option[Seq[AnyRef]] = {
      val encodings = chunk.getEncodingStats
      val isWhole = encodings != null && encodings.hasDictionaryPages && !encodings.hasNonDictionaryEncodedPages
      val length = chunk.getFirstDataPageOffset - chunk.getDictionaryPageOffset
      if (!isWhole || !chunk.hasDictionaryPage || length > MostDictionaryBytes) None
      else {
        val column: ColumnDescriptor = reader.getFooter.getFileMetaData.getSchema.getColumnDescription(chunk.getPath.toArray)
        val store: DictionaryPageReadStore = reader.getDictionaryReader(block)
        Option(store.readDictionaryPage(column)).map { page =>
          val values = page.getEncoding.initDictionary(column, page)
          (0 to values.getMaxId).flatMap(id => value(chunk.getPrimitiveType, decoded(chunk.getPrimitiveType, values, id)))
        }.filter(_.nonEmpty)
      }
    }

    private def decoded(primitive: PrimitiveType, values: Dictionary, id: Int): Any = primitive.getPrimitiveTypeName match {
      case PrimitiveTypeName.INT32 => values.decodeToInt(id)
      case PrimitiveTypeName.INT64 => values.decodeToLong(id)
      case PrimitiveTypeName.FLOAT => values.decodeToFloat(id)
      case PrimitiveTypeName.DOUBLE => values.decodeToDouble(id)
      case _ => values.decodeToBinary(id)
    }

    /**
     * Whether the records are sorted by a column; none if the file does not tell, as one with a single page.
     *
     * @param chunks one for each row group
     */
    private def sortedBy(reader: ParquetFileReader, chunks: Seq[Option[ColumnChunkMetaData]]): Option[Boolean] =
      if (chunks.isEmpty || chunks.exists(_.isEmpty)) None
      else {
        val all = chunks.flatten
        val within = all.flatMap { chunk =>
          Option(chunk.getColumnIndexReference).map(_ => reader.readColumnIndex(chunk)).filter(index => index != null && index.getNullPages.size > 1)
            .map(PageIndexes.areSorted(chunk.getPrimitiveType, _))
        }
        val statistics: Seq[Statistics[_]] = all.map(_.getStatistics)
        val between =
          if (statistics.size < 2 || statistics.exists(s => s == null || !s.hasNonNullValue)) None
          else {
            val order = all.head.getPrimitiveType.comparator[Any]
            val bounds = statistics.map(s => (s.genericGetMin: Any, s.genericGetMax: Any))
            Some(bounds.zip(bounds.tail).forall { case ((_, max), (min, _)) => order.compare(max, min) <= 0 })
          }
        val known = within ++ between
        if (known.isEmpty) None else Some(known.forall(identity))
      }
  }

  /** A value as `ColumnType` has it; none of a type without bounds, and for NaN. */
  private def value(primitive: PrimitiveType, stored: Any): Option[AnyRef] = stored match {
    case number: java.lang.Integer => whole(primitive, number.longValue)
    case number: java.lang.Long => whole(primitive, number)
    case number: java.lang.Float => Some(number.doubleValue).filterNot(_.isNaN).map(Double.box)
    case number: java.lang.Double => Some(number.doubleValue).filterNot(_.isNaN).map(Double.box)
    case bytes: Binary if primitive.getLogicalTypeAnnotation == LogicalTypeAnnotation.stringType => Some(bytes.toStringUsingUTF8)
    case _ => None
  }

  private def whole(primitive: PrimitiveType, number: Long): Option[AnyRef] = primitive.getLogicalTypeAnnotation match {
    case _: LogicalTypeAnnotation.DecimalLogicalTypeAnnotation => None
    case time: LogicalTypeAnnotation.TimestampLogicalTypeAnnotation if time.getUnit == LogicalTypeAnnotation.TimeUnit.MILLIS =>
      Some(Long.box(number * 1000))
    case _ => Some(Long.box(number))
  }

  private final class CountedBudget(budget: ReadBudget) extends ReadBudget {
    var bytes = 0L

    override def read(count: Long): Unit = {
      bytes += count
      budget.read(count)
    }
  }
}
