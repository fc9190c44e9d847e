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
package org.hadoopmpsr.spark.jobs.verify

import scala.collection.mutable

import com.fasterxml.jackson.core.JsonFactoryBuilder
import com.fasterxml.jackson.core.json.JsonWriteFeature
import com.fasterxml.jackson.databind.{ObjectMapper, SerializationFeature}
import com.fasterxml.jackson.databind.node.ObjectNode
import org.hadoopmpsr.core.hash.ContentHashes
import org.hadoopmpsr.spark.versions.Scala213._

/** A file that is not as it was published, or was not published. */
private[jobs] final case class FalseFile(group: String, path: String, problem: String)

/** A segment of which a group does not hold the records. */
private[jobs] final case class FalseSegment(segment: String, group: String, problem: String)

/** What a group was found to hold. */
private[jobs] final case class GroupContent(group: String, content: ContentHashes, files: Long, bytes: Long)

/**
 * What the groups of a dataset were found to hold.
 *
 * @param equal whether all files could be read, and the groups hold the same records; false if there are no groups
 * @param unreadFiles the number of files that could not be read, or hold a column in a type that is not read
 */
private[jobs] final case class VerifyReport(
    dataset: String,
    contents: Seq[GroupContent],
    equal: Boolean,
    unreadFiles: Long,
    falseSegments: Seq[FalseSegment],
    falseFiles: Seq[FalseFile]) {

  /** Whether all groups hold the records that they should, and all files are as they were published. */
  def sound: Boolean = equal && falseSegments.isEmpty && falseFiles.isEmpty

  def json: String = VerifyReport.text(node)

  private[verify] def node: ObjectNode = {
    val report = VerifyReport.mapper.createObjectNode()
    report.put("dataset", dataset)
    val groups = report.putObject("groups")
    contents.foreach { c =>
      groups
        .putObject(c.group)
        .put("records", c.content.count)
        .put("contentHash", c.content.hex)
        .put("bytes", c.bytes)
        .put("files", c.files)
    }
    report.put("equal", equal)
    report.put("unreadFiles", unreadFiles)
    val segments = report.putArray("falseSegments")
    falseSegments.foreach { s =>
      segments.addObject().put("segment", s.segment).put("group", s.group).put("problem", s.problem)
    }
    val files = report.putArray("falseFiles")
    falseFiles.foreach(f => files.addObject().put("group", f.group).put("file", f.path).put("problem", f.problem))
    report.put("sound", sound)
  }

  /** For people; of many false files and segments the first ones. */
  def lines: Seq[String] = {
    val groups = contents.map { c =>
      s"$dataset: group ${c.group} holds ${c.content.count} records with hash ${c.content.hex} in ${c.files} files (${c.bytes} bytes)"
    }
    val segments = falseSegments.map(s => s"$dataset: segment ${s.segment}: group ${s.group} ${s.problem}")
    val files = falseFiles.map(f => s"${f.path} ${f.problem}")
    val rest = (segments ++ files).drop(VerifyReport.Shown).size
    val verdict =
      if (sound) s"$dataset: all groups hold the same records, and all files are as they were published"
      else if (equal) s"$dataset: the groups hold the same records, and ${falseFiles.size} files are not as they were published"
      else if (unreadFiles > 0) s"$dataset: $unreadFiles files were not read, so that not all records of the groups are compared"
      else s"$dataset: the groups hold different records"
    groups ++ (segments ++ files).take(VerifyReport.Shown) ++ Option.when(rest > 0)(s"$rest more are not shown") :+ verdict
  }
}

private[jobs] object VerifyReport {
  private val Shown = 100

  private val mapper = new ObjectMapper(new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build())

  private def text(node: ObjectNode): String = mapper.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(node)

  /** One report as it is, several in a list. */
  def json(reports: Seq[VerifyReport]): String = if (reports.size == 1) reports.head.json
  else {
    val all = mapper.createObjectNode()
    val list = all.putArray("datasets")
    reports.foreach(report => list.add(report.node))
    text(all)
  }

  /**
   * Adds findings up. For one thread.
   *
   * @param groups the names of the groups that are read
   */
  final class Sum(dataset: String, groups: Seq[String]) {
    private val contents = mutable.LinkedHashMap.from(groups.map(g => g -> GroupContent(g, ContentHashes.EMPTY, 0, 0)))
    private val segments = mutable.ArrayBuffer.empty[FalseSegment]
    private val files = mutable.ArrayBuffer.empty[FalseFile]
    private var different = false
    private var unread = 0L

    def add(finding: SegmentFinding): Unit = {
      finding.groups.foreach { case (group, found) =>
        val sum = contents(group)
        contents(group) =
          GroupContent(group, sum.content.plus(found.content), sum.files + found.files.size, sum.bytes + found.bytes)
        unread += found.wrong.values.count(!_.isFalse)
        files ++= found.wrong.map { case (file, problem) => FalseFile(group, file.path, problem.text) }
      }
      different ||= !finding.groups.values.forall(_.isWhole) || !finding.agree
      segments ++= finding.problems.toSeq.sorted.map { case (group, problem) => FalseSegment(finding.segment, group, problem) }
    }

    /** @param unpublished files of which the NameNode knows nothing */
    def report(unpublished: Seq[FalseFile]): VerifyReport = VerifyReport(
      dataset,
      contents.values.toSeq,
      contents.nonEmpty && !different,
      unread,
      segments.toSeq.sortBy(s => (s.segment, s.group)),
      (files ++ unpublished).toSeq.sortBy(f => (f.group, f.path)))
  }
}
