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

import java.time.LocalDate

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.{Codec, Predicate, ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.schema.Schema

/**
 * Measurements as machines make them: signals of very uneven rates, each of one device of one system, with columns that
 * change with time (fill) or come with the signal (unit).
 */
object TestMeasurements extends TestTable {
  private val Signals = 300
  private val Days = 5

  override val name = "measurements"
  override val schema: Schema = Schema.parse(
    "signal string not null, device string not null, system string not null, timestamp_ns timestamp_ns not null, " +
      "value double, fill int not null, mode string, unit string not null, seen timestamp not null")
  override val groups: ReplicaGroups = sorted(
    ("time", Seq("day(timestamp_ns)"), Seq("timestamp_ns")),
    ("signal", Seq("bucket(4, signal)"), Seq("signal", "timestamp_ns")),
    ("device", Seq("system"), Seq("device", "timestamp_ns")))
  override val key = "timestamp_ns"

  private val firstDay = LocalDate.parse("2014-04-29").toEpochDay * 86400000000000L
  private val modes = Seq("STABLE", "RAMP", "INJECT", "DUMP", null)

  private def sorted(definitions: (String, Seq[String], Seq[String])*): ReplicaGroups = {
    val groups = definitions.map { case (name, predicates, sort) =>
      new ReplicaGroup(name, predicates.map(Predicate.parse).asJava, SortKey.of(sort.asJava), 1, Codec.parse("zstd:3"))
    }
    new ReplicaGroups(groups.asJava, definitions.head._1)
  }

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 41 + commit)
    Seq.tabulate(count) { i =>
      // the rates of signals differ by a factor of hundreds
      val signal = (Signals * math.pow(random.nextDouble(), 3)).toInt
      val device = signal % 24
      val share = (i + random.nextDouble()) / count
      val nanos = firstDay + (share * Days * 86400e9).toLong / 1000 * 1000 - commit
      Row(
        f"PT-$signal%04d",
        f"DEV-$device%02d",
        Seq("CRYO", "VAC", "POWER", "BEAM")(device % 4),
        nanos,
        if (random.nextInt(20) == 0) null else signal + random.nextGaussian(),
        4000 + (share * 60).toInt,
        modes((share * 40).toInt % modes.size),
        Seq("K", "bar", "A", "V")(signal % 4),
        java.time.Instant.ofEpochSecond(nanos / 1000000000L))
    }
  }
}
