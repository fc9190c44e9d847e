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

import java.io.{FileNotFoundException, IOException}

import org.apache.hadoop.security.AccessControlException
import org.apache.spark.TaskKilledException
import org.hadoopmpsr.core.sampling.FileFormat
import org.hadoopmpsr.spark.jobs.run.Footers
import org.hadoopmpsr.spark.versions.Scala213._

/** What a look at a file of the first sample found. The form is that of a Parquet file that can be read, or the problem. */
private[jobs] final case class FileLook(file: ListedFile, format: FileFormat, form: Option[Either[String, ParquetForm]])

/** What a look at a place of a file found: none where no codec is tried; else what they made of it, or why nothing could be tried. */
private[jobs] final case class PlaceLook(file: ListedFile, format: FileFormat, trial: Option[Either[String, Trial]])

/**
 * Looks at files, in one task. For one thread.
 *
 * @param tries whether codecs are tried
 */
private[sampling] final class FileLooks(files: BudgetedFiles, trials: PlaceTrials, tries: Boolean) {

  /** @throws java.io.IOException if it cannot be read at all */
  def file(file: ListedFile): FileLook = {
    val format = formatOf(file)
    FileLook(file, format, if (format == FileFormat.PARQUET) Some(orProblem(ParquetForm.of(Footers.read(files.parquet(file))))) else None)
  }

  /**
   * Looks at what lies at an offset.
   *
   * @param offset from 0 to the length
   * @throws java.io.IOException if it cannot be read at all
   */
  def place(file: ListedFile, offset: Long): PlaceLook = {
    val format = formatOf(file)
    PlaceLook(file, format, if (tries) Some(orProblem(trials.at(file, format, offset))) else None)
  }

  private def formatOf(file: ListedFile): FileFormat =
    FileFormat.of(files.bytes(file, 0, math.min(FileFormat.HEAD.toLong, file.length).toInt))

  /** A file whose begin can be read, and that is still there, is damaged if more of it cannot be read. */
  private def orProblem[T](work: => T): Either[String, T] =
    try Right(work)
    catch {
      case e @ (_: TaskKilledException | _: FileNotFoundException | _: AccessControlException) => throw e
      case e @ (_: IOException | _: RuntimeException) =>
        Left(Option(e.getMessage).getOrElse(e.toString).linesIterator.nextOption().getOrElse(e.toString))
    }
}
