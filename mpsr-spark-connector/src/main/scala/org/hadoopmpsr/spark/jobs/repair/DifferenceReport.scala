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
package org.hadoopmpsr.spark.jobs.repair

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode

import org.hadoopmpsr.spark.versions.Scala213._

/** What differs in a dataset, as text and as JSON. */
private[jobs] final case class DifferenceReport(dataset: String, differences: Seq[Difference]) {

  /** Whether nobody has changed anything by hand. */
  def isEmpty: Boolean = differences.isEmpty

  def lines: Seq[String] =
    if (isEmpty) Seq(s"$dataset: nobody has changed, deleted or put anything by hand")
    else s"$dataset: ${differences.size} segment(s) of groups were changed by hand" +: differences.flatMap(lines)

  private def lines(difference: Difference): Seq[String] = {
    val damage = difference.damage
    val changed = difference.byHand
    val foreign = changed.count(_.foreign)
    val deeds = Seq(
      Option.when(changed.size > foreign)(s"${changed.size - foreign} file(s) changed"),
      Option.when(foreign > 0)(s"$foreign file(s) put there"),
      Option.when(damage.deleted)("files deleted"),
      Option.when(difference.lost > 0)(s"${difference.lost} file(s) without a replica")).flatten
    val against = difference.source match {
      case Some(source) =>
        val found = difference.found.getOrElse(PartDifference(0, 0, 0, 0, Nil))
        s"against group $source it lacks ${found.lacks} records and has ${found.extra} others" +
          (if (found.misplaced == 0) "" else s"; ${found.misplaced} lie in the directory of another partition")
      case None => "no group holds all of the segment, so that nothing is compared"
    }
    s"segment ${damage.segment}, group ${damage.group}: ${deeds.mkString(", ")}; $against" +:
      (changed.map(file => s"  ${if (file.foreign) "put there" else "changed"}: ${file.file.path}") ++
        difference.unreadable.map(file => s"  holds no records of the dataset: ${file.path}: ${file.reason}") ++
        difference.examples.map(example => s"  ${if (example.hash.wanted) "lacks" else "has"} ${example.text}"))
  }

  def addTo(json: ObjectNode): Unit = {
    json.put("path", dataset)
    val all = json.putArray("differences")
    differences.foreach { difference =>
      val damage = difference.damage
      val one = all.addObject()
      one
        .put("segment", damage.segment)
        .put("group", damage.group)
        .put("filesDeleted", damage.deleted)
        .put("filesLost", difference.lost)
        .put("source", difference.source.orNull)
        .put("recordsLacking", difference.found.fold(0L)(_.lacks))
        .put("recordsExtra", difference.found.fold(0L)(_.extra))
        .put("recordsMisplaced", difference.found.fold(0L)(_.misplaced))
      val files = one.putArray("files")
      difference.byHand.foreach(file => files.addObject().put("path", file.file.path).put("foreign", file.foreign))
      val unreadable = one.putArray("unreadable")
      difference.unreadable.foreach(file => unreadable.addObject().put("path", file.path).put("reason", file.reason))
      val examples = one.putArray("examples")
      difference.examples.foreach { example =>
        val record = DifferenceReport.mapper.readTree(example.text)
        examples.addObject().put("lacking", example.hash.wanted).set[ObjectNode]("record", record)
      }
    }
  }
}

private[jobs] object DifferenceReport {
  private val mapper = new ObjectMapper

  def json(reports: Seq[DifferenceReport]): String = {
    val json = mapper.createObjectNode()
    val datasets = json.putArray("datasets")
    reports.foreach(_.addTo(datasets.addObject()))
    mapper.writeValueAsString(json)
  }
}
