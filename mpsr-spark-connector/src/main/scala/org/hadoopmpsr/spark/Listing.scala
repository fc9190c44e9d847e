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

import scala.collection.mutable

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex
import org.hadoopmpsr.client.ReadPlan.PlannedFile
import org.hadoopmpsr.core.stats.FileTotals

/** What Spark would read, as files. There may be very many: nothing is made for each of them. */
private[spark] final class Listing(val index: InMemoryFileIndex) {
  private lazy val files: Seq[FileStatus] = index.allFiles()

  lazy val totals: FileTotals = {
    var bytes = 0L
    files.foreach(f => bytes += f.getLen)
    new FileTotals(files.size, bytes)
  }

  def newest: Option[FileStatus] = files.reduceOption((a, b) => if (b.getModificationTime > a.getModificationTime) b else a)

  /** The first by path of the dataset's files that is not listed with its length. */
  def lacking(planned: Iterable[PlannedFile]): Option[String] =
    files.headOption.map(_.getPath.toUri) match {
      case Some(any) =>
        val missing = mutable.HashMap.from(planned.map(f => new Path(any.getScheme, any.getAuthority, f.path) -> f))
        files.foreach { f =>
          if (missing.get(f.getPath).exists(_.length == f.getLen)) missing.remove(f.getPath)
        }
        missing.valuesIterator.map(_.path).minOption
      case None => planned.map(_.path).minOption
    }
}
