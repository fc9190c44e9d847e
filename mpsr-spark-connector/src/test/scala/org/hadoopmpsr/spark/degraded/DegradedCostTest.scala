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
package org.hadoopmpsr.spark.degraded

import org.apache.hadoop.hdfs.MiniDFSCluster
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle
import org.junit.jupiter.api.condition.EnabledIfSystemProperty

/**
 * What queries that find all files cost with `spark.mpsr.degraded` and without it, in pairs. With `-Dmpsr.degraded.pairs=N`, and
 * only on a machine that does nothing else.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "mpsr.degraded.pairs", matches = "\\d+")
class DegradedCostTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = dfs = TestClusters.of(TestRecords.groups)

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def milliseconds(query: String): (Double, Seq[String]) = {
    val began = System.nanoTime()
    val answer = rows(session.sql(query))
    ((System.nanoTime() - began) / 1e6, answer)
  }

  private def measure(name: String, commits: Int, records: Int): Unit = {
    val pairs = sys.props("mpsr.degraded.pairs").toInt
    val dataset = new SinkDataset(dfs, s"/cals/$name", TestRecords)
    (0 until commits).foreach(i => dataset.commit(TestRecords.rows(seed, i, records)))
    session.read.parquet(dataset.root.toString).createOrReplaceTempView(name)
    for (vectorized <- Seq("true", "false")) withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized) {
      val query = s"SELECT /*+ MPSR(signal) */ label, count(value), sum(quality), max(installed), min(seen) FROM $name GROUP BY label"
      def run(degraded: Boolean) = withConf(ConfKeys.Degraded -> degraded.toString)(milliseconds(query))
      (0 until 10).foreach(_ => assertThat(run(degraded = true)._2).isEqualTo(run(degraded = false)._2))
      val times = (0 until pairs).map { i =>
        val first = run(i % 2 == 0)._1
        val second = run(i % 2 != 0)._1
        if (i % 2 == 0) (first, second) else (second, first)
      }
      def median(values: Seq[Double]) = values.sorted.apply(values.size / 2)
      println(f"$name, vectorized $vectorized: ${median(times.map(_._1))}%.1f ms with degraded reads, ${median(times.map(_._2))}%.1f without; " +
        f"median ratio ${median(times.map { case (on, off) => on / off })}%.4f of $pairs pairs")
    }
  }

  @Test
  def largeFiles(): Unit = measure("large", 3, 100000)

  @Test
  def smallFiles(): Unit = measure("small", 40, 200)
}
