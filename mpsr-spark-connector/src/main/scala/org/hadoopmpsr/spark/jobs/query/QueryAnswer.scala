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
package org.hadoopmpsr.spark.jobs.query

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.hadoopmpsr.core.text.PrintableText

/**
 * The answer to a query.
 *
 * @param dataset its directory
 * @param query the name of the kind
 * @param reads what was read; none if the statistics of files have told the answer
 * @param rows numbers, texts and nulls
 */
private[jobs] final case class QueryAnswer(dataset: String, query: String, reads: Seq[ReadPart], columns: Seq[String], rows: Seq[Seq[Any]]) {

  /** One JSON object. What is no finite number is a text. */
  def json(ms: Long): String = {
    val mapper = new ObjectMapper
    val found = Map[String, Any](
      "reads" -> reads.map { part =>
        Map("group" -> part.group.orNull, "files" -> part.files, "bytes" -> part.bytes) ++ part.kept.map("filesOfCache" -> _)
      },
      "columns" -> columns,
      "rows" -> rows)
    val node = mapper.createObjectNode().put("dataset", dataset).put("query", query).put("ms", ms)
    Seq("reads", "columns", "rows").foreach(name => node.set[com.fasterxml.jackson.databind.JsonNode](name, mapper.valueToTree(java(found(name)))))
    mapper.writeValueAsString(node)
  }

  private def java(value: Any): Any = value match {
    case map: Map[_, _] => map.map { case (k, v) => k -> java(v) }.asJava
    case seq: Seq[_] => seq.map(java).asJava
    case number: Double if number.isNaN || number.isInfinite => number.toString
    case other => other
  }

  /** Lines with commas between fields (RFC 4180), the names of columns first. A null is an empty field. */
  def csv: Seq[String] = (columns +: rows).map(_.map {
    case null => ""
    case "" => "\"\""
    case value =>
      val text = QueryAnswer.text(value)
      if (text.exists(c => c == ',' || c == '"' || c == '\n' || c == '\r')) "\"" + text.replace("\"", "\"\"") + "\"" else text
  }.mkString(","))

  /** Lines for people: columns aligned with spaces, in printable form. */
  def table: Seq[String] = {
    val cells = (columns +: rows).map(_.map(value => if (value == null) "-" else PrintableText.of(QueryAnswer.text(value))))
    val widths = columns.indices.map(i => cells.map(_(i).length).max)
    cells.map(_.zip(widths).map { case (cell, width) => cell.padTo(width, ' ') }.mkString("  ").replaceAll(" +$", ""))
  }
}

private[jobs] object QueryAnswer {
  private def text(value: Any): String = value match {
    case values: Seq[_] => values.map(text).mkString(" ")
    case other => String.valueOf(other)
  }
}
