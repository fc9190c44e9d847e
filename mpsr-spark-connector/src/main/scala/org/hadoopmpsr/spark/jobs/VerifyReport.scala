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
package org.hadoopmpsr.spark.jobs

import com.fasterxml.jackson.core.JsonFactoryBuilder
import com.fasterxml.jackson.core.json.JsonWriteFeature
import com.fasterxml.jackson.databind.{ObjectMapper, SerializationFeature}

/**
 * The contents of the representations of a dataset, and the files whose statistics are false.
 *
 * @param unknown why the statistics of a group's files were not compared, by the group
 */
private[jobs] final case class VerifyReport(
    dataset: String,
    contents: Seq[RepresentationContent],
    falseFiles: Seq[FalseFile] = Nil,
    unknown: Map[String, String] = Map.empty) {

  /** Whether there are representations and all hold the same records. */
  def equal: Boolean = contents.nonEmpty && contents.forall(_.content == contents.head.content)

  /** Whether all representations hold the same records, and no statistics of a file are known to be false. */
  def sound: Boolean = equal && falseFiles.isEmpty

  def json: String = {
    val mapper = new ObjectMapper(new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build())
    val report = mapper.createObjectNode()
    report.put("dataset", dataset)
    val groups = report.putObject("groups")
    contents.foreach { c =>
      val group = groups
        .putObject(c.group)
        .put("records", c.content.count)
        .put("contentHash", c.stated.hex)
        .put("bytes", c.bytes)
        .put("files", c.files)
      unknown.get(c.group).foreach(group.put("statisticsNotCompared", _))
    }
    report.put("equal", equal)
    val files = report.putArray("falseFiles")
    falseFiles.foreach(f => files.addObject().put("group", f.group).put("file", f.path).put("problem", f.problem))
    report.put("sound", sound)
    mapper.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report)
  }
}
