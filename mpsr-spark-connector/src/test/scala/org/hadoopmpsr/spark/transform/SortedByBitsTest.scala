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
package org.hadoopmpsr.spark.transform

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{Row, SaveMode}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.scrub.ScrubOptions
import org.hadoopmpsr.core.group.LeadingBits
import org.hadoopmpsr.spark.SinkDataset
import org.hadoopmpsr.spark.jobs.{ScrubDataset, VerifyDataset}
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{Tag, Test}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}

/** Whatever changes a dataset, files of a group that is sorted by leading bits are sorted by them, and have the records. */
@Tag("long")
class SortedByBitsTest extends TransformedSuite(TestTransforms) {
  import org.hadoopmpsr.spark.SparkFixture._
  import TransformedSuite.Interpreted

  private val sixteen = new LeadingBits(16)
  private val Filters = Seq("true", "value > 6", "value < -4 OR small IS NULL", "value BETWEEN 0 AND 0.25", "isnan(value)", "level = 12.34D")

  private def check(dataset: SinkDataset): Unit = withConf(Interpreted: _*) {
    for (filter <- Filters) {
      val expected = stock(bits(read(dataset).where(filter)))
      for (group <- TestTransforms.groups.names.asScala) {
        assertEquals(expected, bits(read(dataset).hint("mpsr", group).where(filter)), s"seed $seed: $filter in $group")
      }
    }
    for (file <- files(dataset, "bits")) {
      // the rows of one file come in their order; null is first
      val found = stock(session.read.parquet(uri(file)).select("value").coalesce(1).collect().toSeq)
        .map(row => if (row.isNullAt(0)) Long.MinValue else sixteen.of(row.getDouble(0)))
      assertEquals(found.sorted, found, s"seed $seed: $file")
    }
    checkSound(dataset)
  }

  @Test
  def changes(): Unit = {
    val dataset = committed("/cals/bitschanged")
    val written = session.createDataFrame(
      TestTransforms.rows(seed, 3, 200).asJava,
      SparkTypes.structType(TestTransforms.schema.columns.asScala.toSeq))
    written.write.mode(SaveMode.Append).parquet(dataset.root.toString)
    check(dataset)
    writeAsStock(dataset, written.selectExpr("id + 5000000 AS id", "at", "signal", "value", "small", "level", "n", "CAST(at AS DATE) AS day"))
    adopt(dataset)
    check(dataset)
    assertThat(delete(dataset, "value > 3 OR signal = 'S2'").problem).isNull()
    check(dataset)
    compact(dataset)
    check(dataset)
  }

  @Test
  def losses(): Unit = {
    val dataset = committed("/cals/bitslost")
    for (group <- Seq("bits", "companion")) {
      LostFiles.lose(dfs, files(dataset, group).head)
      awaitDamage(dataset)
      rebuild(dataset)
      check(dataset)
    }
  }

  @Test
  def falseRecords(): Unit = {
    val dataset = committed("/cals/bitsscrubbed", 1)
    val some = TestTransforms.rows(seed, 1, 300)
    for ((group, value) <- Seq("bits" -> 123.456, "planes" -> 1e-7)) {
      dataset.commitFalsely(some, Map(group -> some.updated(7, Row.fromSeq(some(7).toSeq.updated(3, value)))))
    }
    assertTrue(!VerifyDataset.verify(session, dataset.root.toString).sound)
    val options = ScrubOptions.parse(java.util.List.of[String]("--all"), new java.util.ArrayList)
    val run = ScrubDataset.scrub(session, dataset.root.toString, options)
    assertThat(run.problem).isNull()
    assertThat(run.done.changes).isPositive
    check(dataset)
  }
}
