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
package org.hadoopmpsr.spark.jobs.survey

import com.fasterxml.jackson.databind.ObjectMapper
import org.hadoopmpsr.core.adopt.AdoptionForecast
import org.hadoopmpsr.spark.versions.Scala213._

/** A file that cannot be adopted as it is. */
private[jobs] final case class UnfitFile(path: String, length: Long, reason: String)

/**
 * How much files are.
 *
 * @param bytes of one copy
 * @param stored bytes of all copies
 */
private[jobs] final case class FileSum(files: Long, records: Long, bytes: Long, stored: Long)

private[jobs] object FileSum {
  private[survey] def of(footers: Seq[Footer]): FileSum = FileSum(
    footers.size,
    footers.map(_.records).sum,
    footers.map(_.file.length).sum,
    footers.map(footer => footer.file.length * footer.file.copies).sum)
}

/**
 * What becomes of a directory with files.
 *
 * @param schema the columns of the dataset; none if there are none
 * @param problems why there can be no dataset; empty if there can be
 * @param kinds the schemas of the files, with the number of files
 * @param all the files that were found
 * @param fit those that can be adopted, by their places and ends
 * @param groups the other groups and their numbers of copies
 * @param copies the number of copies of the default group
 * @param forecast what a trial says of time and bytes; none if there was no trial
 */
private[jobs] final case class SurveyReport(
    path: String,
    schema: Option[String],
    problems: Seq[String],
    kinds: Seq[(String, Long)],
    all: FileSum,
    fit: FileSum,
    unfit: Seq[UnfitFile],
    groups: Seq[(String, Int)],
    copies: Int,
    forecast: Option[AdoptionForecast] = None) {
  import SurveyReport._

  /** Whether all files can be adopted. */
  def isWell: Boolean = problems.isEmpty && unfit.isEmpty && all.files > 0

  /** The bytes that are written for a group. Without a trial: those that are read. */
  def bytesWritten(group: String): Long = forecast.flatMap(found => Option(found.written.get(group))).fold(fit.bytes)(_.longValue)

  /** The bytes on all disks once all is adopted. */
  def storedAfter: Long =
    all.stored - fit.stored + fit.bytes * copies + groups.map { case (group, copies) => bytesWritten(group) * copies }.sum

  /** For people; of many files and schemas the first ones. */
  def lines: Seq[String] = {
    val found = s"$path: ${all.files} files with ${all.records} records (${all.bytes} bytes; with all copies ${all.stored} bytes)," +
      s" of ${kinds.size} schemas"
    val columns = schema.map(text => s"$path: columns: $text").toSeq
    val wrong = problems.map(problem => s"$path cannot become a dataset: $problem; --schema says other columns")
    val left = unfit.map(file => s"${file.path} stays as it is: ${file.reason}")
    val rest = (left.size - Shown).max(0)
    val verdict =
      if (problems.nonEmpty) Nil
      else Seq(
        s"$path: ${fit.files} files with ${fit.records} records can be adopted, ${unfit.size} stay as they are; ${fit.bytes} bytes" +
          s" are to be read, and about ${groups.map { case (group, _) => s"${bytesWritten(group)} written for $group" }.mkString(", ")};" +
          s" all copies then take about $storedAfter bytes${forecast.fold("")(found => s"; with this Spark it takes about ${duration(found.ms)}")}")
    found +: (columns ++ wrong ++ left.take(Shown) ++ Option.when(rest > 0)(s"$rest more files stay as they are") ++ verdict)
  }

  def json: String = {
    val report = mapper.createObjectNode()
    report.put("path", path)
    report.put("schema", schema.orNull)
    val wrong = report.putArray("problems")
    problems.foreach(wrong.add)
    val found = report.putArray("schemas")
    kinds.foreach { case (text, files) => found.addObject().put("schema", text).put("files", files) }
    Seq("found" -> all, "adoptable" -> fit).foreach { case (name, sum) =>
      report.putObject(name).put("files", sum.files).put("records", sum.records).put("bytes", sum.bytes).put("storedBytes", sum.stored)
    }
    val left = report.putArray("unfit")
    unfit.foreach(file => left.addObject().put("file", file.path).put("bytes", file.length).put("reason", file.reason))
    val written = report.putObject("bytesWritten")
    groups.foreach { case (name, _) => written.put(name, bytesWritten(name)) }
    report.put("storedBytesAfter", storedAfter)
    forecast.fold(report.putNull("ms"))(found => report.put("ms", found.ms))
    mapper.writeValueAsString(report)
  }
}

private object SurveyReport {
  private val Shown = 100
  private val mapper = new ObjectMapper

  /** For people. */
  private def duration(ms: Long): String = ms / 1000 match {
    case seconds if seconds < 120 => s"$seconds s"
    case seconds if seconds < 7200 => s"${seconds / 60} min"
    case seconds => s"${seconds / 3600} h ${seconds / 60 % 60} min"
  }
}
