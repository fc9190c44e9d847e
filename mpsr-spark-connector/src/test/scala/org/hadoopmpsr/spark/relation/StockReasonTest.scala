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
package org.hadoopmpsr.spark.relation

import java.nio.file.{Files, Path}

import scala.util.matching.Regex

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** What users are told of reads that are as without MPSR. */
class StockReasonTest {

  @Test
  def detailsStandInTheirPlaces(): Unit = {
    assertThat(StockCause.Bucketed().text).isEqualTo("the table is bucketed")
    assertThat(StockCause.PartitionElsewhere("day=1", "/elsewhere").text)
      .isEqualTo("the table's partition day=1 lies in /elsewhere")
    assertThat(StockCause.OtherColumn("Value DOUBLE", " value double").text)
      .isEqualTo("column Value DOUBLE is not the dataset's value double")
    assertThat(StockCause.OtherColumn("other DOUBLE", "").text).isEqualTo("column other DOUBLE is not the dataset's")
    assertThat(StockCause.Planning("the NameNode's words").text).isEqualTo("the NameNode's words")
  }

  /** Written anew with `-Dmpsr.write=true`. */
  @Test
  def theDocsListEveryCause(): Unit = {
    val file = Path.of("..", "docs", "queries.md")
    val rows = StockCause.all.map(c => s"| ${c.when} | `${c.words}` | `stock.${c.counter}` |\n").mkString
    val table = "(?s)(?<=\\| EXPLAIN says \\| counter \\|\n\\|---\\|---\\|---\\|\n).*(?=\\| parts of the dataset )".r
    val before = Files.readString(file)
    assertThat(table.findFirstIn(before).isDefined).isTrue
    val current = table.replaceFirstIn(before, Regex.quoteReplacement(rows))
    if (java.lang.Boolean.getBoolean("mpsr.write")) {
      Files.writeString(file, current)
    }
    assertThat(file).hasContent(current)
  }
}
