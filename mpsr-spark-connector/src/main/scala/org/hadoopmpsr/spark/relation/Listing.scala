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
package org.hadoopmpsr.spark.relation

import java.lang.ref.WeakReference

import scala.collection.mutable

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex
import org.hadoopmpsr.client.ReadPlan.PlannedFile
import org.hadoopmpsr.core.stats.FileTotals
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * All files of a directory, as Spark listed them. There may be very many: one pass over them serves all queries that read
 * this listing.
 */
private[spark] final class Listing(val index: InMemoryFileIndex) {
  import Listing._

  private val files: Files = LeafFiles.of(index)

  private lazy val summary = summaryOf(files)

  private def root = newest.map(_.getPath.toUri)

  def totals: FileTotals = summary.totals

  /** The totals without files of these paths. */
  def totalsWithout(paths: Iterable[String]): FileTotals =
    listedOf(paths).foldLeft(totals)((left, file) => left.minus(file.getPath.toUri.getPath, file.getLen))

  /** The listed files of these paths. */
  def listedOf(paths: Iterable[String]): Seq[FileStatus] =
    root.toSeq.flatMap(r => paths.flatMap(path => files.get(new Path(r.getScheme, r.getAuthority, path))))

  def newest: Option[FileStatus] = summary.newest

  /** The first file of the dataset, by path, that is not listed with the planned length. */
  def lacking(planned: Iterable[PlannedFile]): Option[String] = {
    def isListed(file: PlannedFile): Boolean =
      root.flatMap(r => files.get(new Path(r.getScheme, r.getAuthority, file.path))).exists(_.getLen == file.length)
    planned.iterator.filterNot(isListed).map(_.path).minOption
  }
}

private object Listing {
  private type Files = mutable.LinkedHashMap[Path, FileStatus]

  private val Kept = 64

  private final case class Summary(totals: FileTotals, newest: Option[FileStatus])

  /** The files of a listing never change: a refresh replaces the table of files. */
  private final class Entry(files: Files, val summary: Summary) {
    private val reference = new WeakReference(files)

    def isOf(other: Files): Boolean = reference.get eq other

    def isInUse: Boolean = reference.get != null
  }

  /** The latest first. */
  @volatile private var known: List[Entry] = Nil

  private def summaryOf(files: Files): Summary =
    known.find(_.isOf(files)).map(_.summary).getOrElse {
      val summary = summarize(files)
      synchronized { known = (new Entry(files, summary) :: known.filter(_.isInUse)).take(Kept) }
      summary
    }

  private def summarize(files: Files): Summary = {
    var totals = FileTotals.EMPTY
    var newest: FileStatus = null
    files.valuesIterator.foreach { f =>
      totals = totals.plus(f.getPath.toUri.getPath, f.getLen)
      if (newest == null || f.getModificationTime > newest.getModificationTime) newest = f
    }
    Summary(totals, Option(newest))
  }
}
