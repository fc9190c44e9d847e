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

import java.time.Instant
import java.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.{Codec, Predicate, ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.schema.Schema

/** A table whose groups hold numbers in planes, as decimals, with companions, and sorted by their leading bits. */
object TestTransforms extends TransformedTable {
  override val name = "transforms"
  override val schema: Schema =
    Schema.parse("id bigint not null, at timestamp not null, signal string not null, value double, small float, level double not null, n int")

  /** Its files are sorted by the leading bits of `value`. */
  private val bits = new ReplicaGroup(
    "bits",
    java.util.List.of[Predicate](Predicate.parse("bucket(2, signal)")),
    SortKey.parseList("bits(16, value), at"),
    1,
    Codec.parse("zstd:3"))

  override val groups: ReplicaGroups =
    new ReplicaGroups(
      java.util.List.of(
        group("time", "day(at)"),
        group("planes", "bucket(3, signal)", "value=planes:16,16,32", "small=planes:16,16", "level=decimal:2"),
        group("companion", "truncate(1, signal)", "value=approximate:abs=0.01", "level=approximate:abs=0.1"),
        bits),
      "time")
  override val key = "id"

  private val Odd = Seq(0L, Long.MinValue, 0x7ff0000000000000L, 0xfff0000000000000L, 0x7ff8000000000000L, 0x7ff80000deadbeefL,
    1L, 0x7fefffffffffffffL)

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 53 + commit)
    Seq.tabulate(count) { i =>
      Row(
        commit * 1000000L + i,
        Instant.ofEpochSecond(1398902400L + random.nextInt(3 * 86400)),
        s"S${random.nextInt(6)}",
        sometimesNull(random,
          if (random.nextInt(8) == 0) java.lang.Double.longBitsToDouble(Odd(random.nextInt(Odd.size))) else random.nextGaussian() * 4),
        sometimesNull(random, if (random.nextInt(8) == 0) -0.0f else random.nextGaussian().toFloat),
        if (random.nextInt(4) == 0) random.nextGaussian() else (random.nextInt(20000) - 10000) * 0.01,
        sometimesNull(random, random.nextInt(20) - 2))
    }
  }
}
