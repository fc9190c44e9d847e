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

import java.time.{Instant, LocalDate}

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema

/** A partition for each kind of values whose least and greatest are hard to tell from statistics. */
object TestExtremes extends TestTable {
  override val name = "extremes"
  override val schema: Schema = Schema.parse(
    "id bigint not null, k string not null, x double, y float, n int, s string, ok boolean, d date, t timestamp, u bigint")
  override val groups: ReplicaGroups = groups("kind" -> Seq("k"), "number" -> Seq("bucket(2, id)"))
  override val key = "id"

  private val long = "long" * 20

  /** x, y, n and s of a partition's records. */
  private val kinds: Map[String, Seq[Row]] = Map(
    "plain" -> Seq(Row(1.5, -2.25f, 7, "b"), Row(-3.0, 4f, -9, "ä"), Row(2.0, 1f, 0, "\uFFFD"), Row(2.5, 3f, 3, "🐘")),
    "infinite" -> Seq(Row(Double.NegativeInfinity, Float.PositiveInfinity, Int.MaxValue, ""), Row(1.0, 1f, Int.MinValue, "a")),
    "nan" -> Seq(Row(Double.NaN, 1f, 1, "a"), Row(1.0, Float.NaN, 2, "b")),
    "nulls" -> Seq(Row(null, null, null, null), Row(null, null, null, null)),
    "some" -> Seq(Row(null, 1f, 5, null), Row(1.0, null, null, "x")),
    "zeros" -> Seq(Row(-0.0, 0f, 1, "a"), Row(0.0, -0f, 2, "a"), Row(-1.0, -1f, 2, "a")),
    "zero" -> Seq(Row(0.0, -0f, 1, "a"), Row(1.0, -1f, 2, "a")),
    "texts" -> Seq(Row(1.0, 1f, 1, long + "1"), Row(1.0, 1f, 2, long + "2"), Row(1.0, 1f, 2, "zz")),
    "tall" -> Seq(Row(1.0, 1f, 1, "z" * 100), Row(1.0, 1f, 2, "a")))

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] =
    kinds.toSeq.flatMap { case (kind, values) => values.map(kind -> _) }.zipWithIndex.map { case ((kind, v), i) =>
      val valued = kind != "nulls"
      Row(
        commit * 1000L + i,
        kind,
        v(0),
        v(1),
        v(2),
        v(3),
        if (valued) i % 2 == 0 else null,
        if (valued) LocalDate.ofEpochDay(i - 5L) else null,
        // around midnight, before and after 1970
        if (valued) Instant.ofEpochSecond((i - 8) * 86400L * 365 - i, 999999000) else null,
        if (valued) Long.MinValue + i + commit else null)
    }
}
