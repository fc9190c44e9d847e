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
package org.hadoopmpsr.spark

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.mpsr.EventLogs
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.workload.{ImportedWorkload, SparkLogImport}
import org.junit.jupiter.api.Test

/** Event logs that this Spark writes are understood: what queries without MPSR ask is counted by the classes of the NameNode. */
class EventLogImportTest {
  import SparkFixture._

  @Test
  def scansWithoutMpsrAreCounted(): Unit = {
    val root = TestDirectories.create("mpsr-event-log-data")
    val path = root.resolve("meas").toString
    val logs = TestDirectories.create("mpsr-event-logs")
    stock {
      session
        .range(0, 1000)
        .selectExpr("concat('S', id % 10) signal", "id time", "cast(id as double) value", "id % 4 day")
        .repartition(1)
        .write
        .partitionBy("day")
        .parquet(path)
      EventLogs.of(session.sparkContext, logs.toUri) {
        def ask(condition: String, columns: String*): Unit = session.read.parquet(path).where(condition).selectExpr(columns: _*).collect()
        ask("signal = 'S1'", "value")
        ask("signal = 'S2'", "value")
        ask("signal in ('S2', 'S3') and day = 2", "value")
        ask("time >= 0 and time < 1000", "value", "time")
        ask("time >= 100 and time < 105", "value", "time")
        ask("day in (1, 3)", "sum(value)")
        ask("signal = 'S1' or time = 7", "value")
      }
    }
    val workload = new ImportedWorkload(root.toString)
    SparkLogImport.read(Seq(logs.toString).asJava, workload)

    val datasets = workload.report.datasets.asScala
    assertThat(datasets.map(_.path).asJava).containsExactly(path)
    val classes = datasets.head.classes.asScala
    assertThat(classes.map(one => s"${one.tally.queries}: ${one.shape.conditions}").asJava)
      .containsExactlyInAnyOrder(
        "2: signal = 1 value",
        "1: day = 1 value and signal in up to 10 values",
        "1: time in over 1/10 of its range",
        "1: time in up to 1/100 of its range",
        "1: day in up to 10 values",
        "1: another condition on signal, time")
    val bySignal = classes.find(_.tally.queries == 2).get
    assertThat(bySignal.shape.columns).containsExactly("signal", "value")
    assertThat(bySignal.tally.planned.files).isEqualTo(8)
    assertThat(bySignal.tally.planned.bytes).isPositive
    assertThat(bySignal.tally.reports).isEqualTo(2)
    val byDay = classes.find(_.shape.conditions == "day in up to 10 values").get
    assertThat(byDay.tally.planned.files).isEqualTo(2)
  }
}
