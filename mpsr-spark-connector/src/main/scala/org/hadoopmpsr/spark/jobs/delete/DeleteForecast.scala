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

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode

/**
 * What a delete would do in a dataset.
 *
 * @param changes the number of changes that it takes
 */
private[jobs] final case class DeleteForecast(dataset: String, condition: String, plan: DeletePlan, changes: Int) {

  def lines: Seq[String] = {
    val dropped = plan.dropped.size
    val parts = if (changes > 1) s", in $changes changes, which needs --in-parts" else ""
    val head = Seq(
      f"$dataset: ${plan.records}%,d records of ${plan.segments.size} segment(s) would be deleted$parts",
      s"  where $condition",
      s"  $dropped segment(s) go as a whole; ${plan.rewritten.size} files (${plan.bytes} bytes) of the others are written anew" +
        s" in all groups; ${plan.others} segment(s) stay as they are")
    val segments = plan.segments.map { segment =>
      f"  segment ${segment.info.id}: ${segment.records}%,d of ${segment.info.content.count}%,d records"
    }
    val untracked = plan.untracked.toSeq.sorted.map { case (file, records) =>
      f"  untracked file $file has $records%,d such records: the delete is refused until it has none"
    }
    head ++ segments ++ untracked
  }

  def json(mapper: ObjectMapper): ObjectNode = {
    val node = mapper.createObjectNode()
    node
      .put("dataset", dataset)
      .put("where", condition)
      .put("records", plan.records)
      .put("changes", changes)
      .put("droppedSegments", plan.dropped.size)
      .put("otherSegments", plan.others)
      .put("filesWritten", plan.rewritten.size)
      .put("bytesRead", plan.bytes)
    val all = node.putArray("segments")
    plan.segments.foreach { segment =>
      all
        .addObject()
        .put("id", segment.info.id)
        .put("records", segment.info.content.count)
        .put("deleted", segment.records)
    }
    val untracked = node.putArray("untracked")
    plan.untracked.toSeq.sorted.foreach { case (file, records) =>
      untracked.addObject().put("file", file).put("records", records)
    }
    node
  }
}
