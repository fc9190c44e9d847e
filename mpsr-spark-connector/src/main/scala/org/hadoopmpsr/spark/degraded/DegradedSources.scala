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
package org.hadoopmpsr.spark.degraded

import java.io.{Closeable, IOException}
import java.net.URI

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.parquet.io.InputFile
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.hadoopmpsr.columnar.degraded.DegradedRead
import org.hadoopmpsr.core.degraded.{NoSubstituteException, RowRange, SourceGroup, Substitutes}
import org.hadoopmpsr.core.degraded.Substitutes.Planned
import org.hadoopmpsr.core.schema.Column
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.client.Dataset

/**
 * The records of parts of planned files, from other groups.
 *
 * @param dataset the dataset directory, with its file system
 * @param group the group whose files are planned
 */
private[degraded] final class DegradedSources(dataset: URI, group: String, form: ReadForm) {

  /**
   * The records of a part of a file, from the first group that can give them.
   *
   * @param careful to read all of a source once before its records are given
   * @throws java.io.IOException that says why, if no group can give them; nothing was given then
   */
  def open(part: PartitionedFile, careful: Boolean): GivenRows = {
    val conf = PlannedFileSystem.configuration(dataset.getAuthority).getOrElse(
      throw new NoSubstituteException("no file of the cluster was opened by this process"))
    val planned = new Planned(part.toPath.toUri.getPath, part.fileSize, part.modificationTime)
    val (known, substitutes) = SegmentLookup.find(dataset, group, planned, conf)
    val columns = form.columns(known.schema, known.groups)
    val rows = substitutes.lost.rows(part.start, part.length)
    val opening = new Opening(known, substitutes, columns, rows, part, conf, careful)
    first(substitutes.sources.asScala.toList, opening, Nil, Nil)
  }

  /** @param silent the groups before these that have files on DataNodes that did not answer lately */
  @tailrec
  private def first(
      sources: List[SourceGroup],
      opening: Opening,
      failures: List[Exception],
      silent: List[SourceGroup]): GivenRows = sources match {
    case source :: others =>
      val opened =
        try Right(opening.of(source))
        catch { case e: Exception if NonFatal(e) && !ReadFailures.isInterrupted(e) => Left(e) }
      opened match {
        case Right(rows) => rows
        case Left(_) if opening.foundSilence => first(others, opening, failures, silent :+ source)
        case Left(e) => first(others, opening, failures :+ e, silent)
      }
    case Nil if silent.nonEmpty =>
      // nobody else has the records
      opening.asksSilent = true
      first(silent, opening, failures, Nil)
    case Nil =>
      val all = new IOException(failures.map(e => ReadFailures.line(e)).mkString("no other group gives the records: ", "; ", ""))
      failures.foreach(all.addSuppressed)
      throw all
  }

  private final class Opening(
      known: Dataset,
      substitutes: Substitutes,
      columns: Seq[Column],
      rows: RowRange,
      part: PartitionedFile,
      conf: Configuration,
      careful: Boolean) {

    /** Whether DataNodes are asked that did not answer lately. */
    var asksSilent = false

    /** Whether the group that was opened last has files on such DataNodes, and they were not asked. */
    var foundSilence = false

    /** The file that was opened last. */
    private var last: Option[Path] = None

    def of(source: SourceGroup): GivenRows = {
      foundSilence = false
      if (careful) {
        val once = records(source)
        try once.foreach(_ => ())
        finally once.close()
      }
      val opened = records(source)
      try {
        opened.hasNext // a source that cannot be read fails here
        GivenRows(source.group.name, opened)
      } catch {
        case e: Throwable =>
          opened.close()
          throw e
      }
    }

    private def records(source: SourceGroup): Iterator[AnyRef] with Closeable = {
      val read =
        new DegradedRead(known.groups, known.schema, substitutes.lost, source, input(_), form.names.asJava, rows)
      new Noting(new DegradedRows(read, form, columns, part.partitionValues))
    }

    private def input(file: DataFile): InputFile = {
      val path = PlannedFileSystem.path(new Path(dataset.getScheme, dataset.getAuthority, file.path))
      if (!asksSilent && SilentNodes.has(PlannedFileSystem.nodes(path, 0, file.length))) {
        foundSilence = true
        throw new IOException(s"${file.path} lies on DataNodes that did not answer lately")
      }
      last = Some(path)
      val status = path.getFileSystem(conf).getFileStatus(path)
      if (status.getLen != file.length || status.getModificationTime != file.modificationTime) {
        throw new IOException(s"${file.path} was changed after it was published")
      }
      HadoopInputFile.fromStatus(status, conf)
    }

    /** The same rows. Where they end with a failure, it is noted which DataNodes did not answer. */
    private final class Noting(rows: DegradedRows) extends Iterator[AnyRef] with Closeable {
      override def hasNext: Boolean = noting(rows.hasNext)

      override def next(): AnyRef = noting(rows.next())

      private def noting[T](step: => T): T = {
        val began = System.nanoTime()
        try step
        catch {
          case e: Exception =>
            last.foreach { path =>
              SilentNodes.note(PlannedFileSystem.nodes(path, 0, Long.MaxValue), began, PlannedFileSystem.timeoutMs(conf))
            }
            throw e
        }
      }

      override def close(): Unit = rows.close()
    }
  }
}

/** The records of a part of a file, from another group, as rows or batches. */
private[degraded] final case class GivenRows(group: String, rows: Iterator[AnyRef] with Closeable)
