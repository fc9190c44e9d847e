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
package org.hadoopmpsr.spark.jobs.delete

import java.time.Instant

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode
import org.hadoopmpsr.core.hash.ContentHashes

/**
 * What one segment has lost, in every group the same.
 *
 * @param kept the id of the segment with the records that stay; None if none do
 */
private[jobs] final case class CertifiedSegment(
    id: String,
    kept: Option[String],
    before: ContentHashes,
    deleted: ContentHashes,
    after: ContentHashes) {

  def lines: Seq[String] = {
    val now = kept.fold("")(segment => s", now $segment")
    val contents = Seq("before" -> before, "deleted" -> deleted, "after" -> after).map { case (what, content) =>
      f"    $what%-8s ${content.count}%,d records, content hash ${content.hex}"
    }
    Seq(s"  segment $id$now") ++ contents
  }
}

/**
 * Certifies a delete that is published: the NameNode has checked these numbers in every replica group before it.
 *
 * @param sequence the number of the change; None if no segment tells it
 * @param timeMs when it was published, in milliseconds since the epoch, about
 */
private[jobs] final case class Certificate(
    dataset: String,
    change: String,
    sequence: Option[Long],
    user: String,
    timeMs: Long,
    condition: String,
    segments: Seq[CertifiedSegment]) {
  private def sum(of: CertifiedSegment => ContentHashes): ContentHashes =
    segments.map(of).foldLeft(ContentHashes.EMPTY)(_.plus(_))

  def deleted: ContentHashes = sum(_.deleted)

  def lines: Seq[String] = {
    val number = sequence.fold("")(n => s", number $n")
    val head = Seq(
      s"$dataset: ${deleted.count} records are deleted from ${segments.size} segment(s) in every replica group",
      s"  change $change$number, at ${Instant.ofEpochMilli(timeMs)}, by $user",
      s"  where $condition")
    val total = CertifiedSegment("all", None, sum(_.before), deleted, sum(_.after))
    head ++ (segments :+ total).flatMap(_.lines)
  }

  def json(mapper: ObjectMapper): ObjectNode = {
    val node = mapper.createObjectNode()
    node.put("dataset", dataset).put("change", change)
    sequence.foreach(node.put("sequence", _))
    node.put("user", user).put("time", Instant.ofEpochMilli(timeMs).toString).put("where", condition)
    def content(into: ObjectNode, name: String, content: ContentHashes): Unit =
      into.putObject(name).put("records", content.count).put("contentHash", content.hex)
    content(node, "before", sum(_.before))
    content(node, "deleted", deleted)
    content(node, "after", sum(_.after))
    val all = node.putArray("segments")
    segments.foreach { segment =>
      val one = all.addObject().put("id", segment.id)
      one.put("kept", segment.kept.orNull)
      content(one, "before", segment.before)
      content(one, "deleted", segment.deleted)
      content(one, "after", segment.after)
    }
    node
  }
}
