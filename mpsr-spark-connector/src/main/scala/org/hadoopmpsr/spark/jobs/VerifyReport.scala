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

/** The contents of the representations of a dataset. */
private[jobs] final case class VerifyReport(dataset: String, contents: Seq[RepresentationContent]) {

  /** Whether there are representations and all hold the same records. */
  def equal: Boolean = contents.nonEmpty && contents.forall(_.content == contents.head.content)

  def json: String = {
    val mapper = new ObjectMapper(new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build())
    val report = mapper.createObjectNode()
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
    mapper.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report)
  }
}
