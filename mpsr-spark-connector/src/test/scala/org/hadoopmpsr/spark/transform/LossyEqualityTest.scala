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

import scala.util.Random

import org.apache.hadoop.hdfs.MiniDFSCluster
import org.hadoopmpsr.spark.{EqualitySuite, QueriedDataset, SinkDataset, SparkFixture, TestClusters}
import org.junit.jupiter.api.{Tag, Test}
import org.junit.jupiter.api.Assertions.assertTrue

/** Over datasets with groups that have rounded values: exact queries are equal to those of stock, and approximate ones are within their limits. */
@Tag("long")
class LossyEqualityTest extends EqualitySuite(queriesByDefault = 60, queriesForAllGroups = Int.MaxValue) {
  import SparkFixture._

  private val Queries = Integer.getInteger("mpsr.queries", 60).intValue
  private var cluster: Option[MiniDFSCluster] = None
  private var dataset: SinkDataset = _

  override protected def open(): Seq[QueriedDataset] = {
    val started = TestClusters.of(TestLossy.groups)
    cluster = Some(started)
    dataset = new SinkDataset(started, "/cals/lossyequality", TestLossy)
    dataset.commit(rows(TestLossy))
    dataset.commit(TestLossy.rows(seed, 1, 300))
    Seq(dataset)
  }

  override protected def close(): Unit = cluster.foreach(_.shutdown(true))

  /** What may be off is off by the limit at most, of the same records. */
  @Test
  def approximateQueriesAreWithinTheirLimits(): Unit = {
    val first = sys.props.get("mpsr.seed").map(_.toLong).getOrElse(1L)
    var approximate = 0
    for (querySeed <- first until first + Queries) {
      val random = new Random(querySeed)
      random.nextInt()
      val relative = random.nextBoolean()
      val limit = if (relative) Seq(0.5, 0.01, 0.002, 1e-4)(random.nextInt(4)) else Seq(5, 0.2, 0.01, 0.009)(random.nextInt(4))
      val column = if (relative) "small" else Seq("value", "level")(random.nextInt(2))
      val filter = Seq("true", s"signal = 'S${random.nextInt(6)}'", s"id % 3 = ${random.nextInt(3)}", "value > 0", "small IS NOT NULL")(random.nextInt(5))
      val group = Seq("", "rough", "packed")(random.nextInt(3))
      val read = session.read.parquet(dataset.root.toString)
      val asked = (if (group.isEmpty) read else read.hint("mpsr", group))
        .where(filter)
        .selectExpr("id", s"mpsr_approx($column, '${if (relative) "rel" else "abs"}=$limit')")
      val exact = stock(read.where(filter).select("id", column).collect().map(r => r.getLong(0) -> r.get(1)).toMap)
      val found = asked.collect().map(r => r.getLong(0) -> r.get(1)).toMap
      val text = s"-Dmpsr.seed=$querySeed -Dmpsr.queries=1: $column within $limit where $filter in '$group'\n${explain(asked)}"
      assertTrue(found.keySet == exact.keySet, text)
      exact.foreach { case (id, value) => assertTrue(isWithin(found(id), value, limit, relative), s"${found(id)} for $value of $id, $text") }
      if (explain(asked).contains("approximate, error ≤ ")) approximate += 1
    }
    println(s"$Queries approximate queries are within their limits, $approximate of rounded values")
    if (Queries >= 60) assertTrue(approximate > Queries / 5, s"$approximate")
  }

  private def isWithin(found: Any, exact: Any, limit: Double, relative: Boolean): Boolean = (found, exact) match {
    case (null, null) => true
    case (a: Number, b: Number) =>
      val (x, y) = (a.doubleValue, b.doubleValue)
      if (y.isNaN || y.isInfinite || y == 0) java.lang.Double.compare(x, y) == 0
      else math.abs(x - y) <= (if (relative) limit * math.abs(y) else limit)
    case _ => false
  }
}
