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
package org.hadoopmpsr.spark.stream

import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.connector.read.streaming.{Offset => ReadOffset, ReadLimit, SupportsTriggerAvailableNow}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, InMemoryFileIndex}
import org.apache.spark.sql.execution.streaming.{Offset, Source}
import org.apache.spark.sql.execution.streaming.runtime.{FileStreamOptions, FileStreamSource, FileStreamSourceLog, FileStreamSourceOffset}
import org.apache.spark.sql.execution.streaming.runtime.FileStreamSource.FileEntry
import org.apache.spark.sql.mpsr.Frames
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.spark.relation.{DecisionMetrics, FileRelation}
import org.hadoopmpsr.spark.versions.StreamLimits

/** What Spark's file stream is made from. */
private[stream] final case class StreamedFiles(
    session: classic.SparkSession,
    path: String,
    format: String,
    schema: StructType,
    partitionColumns: Seq[String],
    metadataPath: String,
    options: Map[String, String])

/**
 * Spark's file stream of a dataset, with its options, its offsets and its checkpoint. It reads each record once: where a rewrite
 * has replaced files, it reads either these or the new ones.
 */
private[stream] final class DatasetStream(files: StreamedFiles, rewrites: Rewrites) extends Source
    with SupportsTriggerAvailableNow {
  private val decisions = new Decisions(files.session, s"${files.metadataPath}/rewrites")
  private var availableNow = false
  private var stream = open()

  private def open(): DatasetStream.Files = {
    val options = new FileStreamOptions(files.options)
    val maxAgeMs =
      if (options.latestFirst && StreamLimits.isLimited(options)) Long.MaxValue
      else options.maxFileAgeMs
    val isLimited = StreamLimits.isLimited(options)
    val seen = new SeenFiles(rewrites, decisions, maxAgeMs, options.fileNameOnly, () => read, isLimited)
    new DatasetStream.Files(seen, files)
  }

  /** The files that the stream has read, as its checkpoint tells. */
  private def read: Seq[String] =
    log.allFiles().toSeq.map(entry => SparkPath.fromUrlString(entry.path).toPath.toUri.getPath)

  private def log = new FileStreamSourceLog(FileStreamSourceLog.VERSION, files.session, files.metadataPath)

  override def schema: StructType = stream.schema

  override def getDefaultReadLimit: ReadLimit = stream.getDefaultReadLimit

  override def prepareForTriggerAvailableNow(): Unit = synchronized {
    availableNow = true
    stream.seenFiles.nextListing()
    stream.prepareForTriggerAvailableNow()
  }

  override def latestOffset(start: ReadOffset, limit: ReadLimit): ReadOffset = synchronized {
    val offset = if (stream.seenFiles.rest.nonEmpty) readRest() else listed(start, limit)
    decisions.save()
    offset
  }

  private def listed(start: ReadOffset, limit: ReadLimit): ReadOffset = {
    val before = stream.currentLogOffset
    stream.seenFiles.nextListing()
    val offset = stream.latestOffset(start, limit)
    if (stream.currentLogOffset == before && stream.seenFiles.rest.nonEmpty) readRest() else offset
  }

  /** Has the replaced files read, which listings no longer show. */
  private def readRest(): ReadOffset = {
    val id = stream.currentLogOffset + 1
    val rest = stream.seenFiles.rest
    if (!log.add(id, rest.map { case (path, time) => FileEntry(path.urlEncoded, time, id) }.toArray)) {
      throw new IllegalStateException(s"Another run of the stream writes to its checkpoint: ${files.metadataPath}/$id exists. Stop one of them")
    }
    DecisionMetrics.countStreamed("rest")
    stream.stop()
    stream = open()
    if (availableNow) {
      prepareForTriggerAvailableNow()
    }
    FileStreamSourceOffset(id)
  }

  override def getOffset: Option[Offset] = throw new UnsupportedOperationException("latestOffset(Offset, ReadLimit) tells the offset")

  /** The batch fails when it runs if files of it are gone. Spark asks for a batch that has run, too, and does not run it. */
  override def getBatch(start: Option[Offset], end: Offset): DataFrame = {
    val batch = stream.getBatch(start, end)
    val plan = batch.queryExecution.analyzed.transform {
      case read @ FileRelation(files @ HadoopFsRelation(listed: InMemoryFileIndex, _, _, _, _, _)) =>
        MissingFiles.of(listed).map(gone => read.copy(relation = files.copy(location = gone)(files.sparkSession))).getOrElse(read)
    }
    if (plan.eq(batch.queryExecution.analyzed)) batch else Frames.of(files.session, plan)
  }

  override def commit(end: Offset): Unit = stream.commit(end)

  override def stop(): Unit = stream.stop()

  override def toString: String = stream.toString
}

private object DatasetStream {
  private final class Files(override val seenFiles: SeenFiles, files: StreamedFiles) extends FileStreamSource(
        files.session,
        files.path,
        files.format,
        files.schema,
        files.partitionColumns,
        files.metadataPath,
        files.options)
}
