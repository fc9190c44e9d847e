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

import java.math.{BigDecimal => JBigDecimal, BigInteger}
import java.time.{Instant, LocalDate}

import scala.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema

/** Records with every type of column, in three groups; what is hard for readers is frequent. */
object TestRecords extends TestTable {
  override val name = "records"
  override val schema: Schema = Schema.parse(
    "signal string not null, device string not null, system string not null, timestamp_ns timestamp_ns not null, " +
      "value double, quality int, reading float, label string, ok boolean, seen timestamp, installed date, " +
      "grade tinyint, turn smallint, local timestamp_ntz, raw binary, price decimal(9,2), total decimal(38,10), " +
      "pos struct<x:double,y:int,parts:array<struct<name:string,n:bigint>>>, samples array<float>, tags map<string,int>")
  override val groups: ReplicaGroups = groups(
    "time" -> Seq("day(timestamp_ns)"),
    "signal" -> Seq("bucket(4, signal)"),
    "device" -> Seq("system", "device"))
  override val key = "timestamp_ns"

  private val firstDay = LocalDate.parse("2014-04-29")
  private val labels = Seq("", "a", "A", "ä", "żółw", "水", "🐘", "\uFFFD", "a b", "%", "_", "'quoted'", "null", null)

  def signals(random: Random): String = s"SIG${random.nextInt(20)}"

  def devices: Seq[String] = Seq("CRYO1", "CRYO2", "VAC1", "VAC2", "POWER")

  def systemOf(device: String): String = device.takeWhile(_.isLetter)

  def doubles(random: Random): Any = random.nextInt(8) match {
    case 0 => null
    case 1 => Double.NaN
    case 2 => -0.0
    case 3 => 0.0
    case 4 => if (random.nextBoolean()) Double.PositiveInfinity else Double.NegativeInfinity
    case _ => (random.nextInt(40) - 20) / 4.0
  }

  private def position(random: Random): Row = Row(
    sometimesNull(random, random.nextInt(40) / 4.0 - 5),
    sometimesNull(random, random.nextInt(20)),
    sometimesNull(
      random,
      Seq.fill(random.nextInt(3)) {
        sometimesNull(random, Row(labels(random.nextInt(labels.size)), sometimesNull(random, random.nextLong())))
      }))

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed + commit)
    Seq.tabulate(count) { i =>
      val device = devices(random.nextInt(devices.size))
      // 6 days, and always a record in the last nanosecond of a day
      val day = firstDay.plusDays(random.nextInt(6))
      val nanosOfDay = if (random.nextInt(50) == 0) 86399999999999L else random.nextInt(86400) * 1000000000L
      val nanos = day.toEpochDay * 86400000000000L + nanosOfDay - (i * 2L + commit) * 7
      Row(
        signals(random),
        device,
        systemOf(device),
        nanos,
        doubles(random),
        if (random.nextInt(5) == 0) null else random.nextInt(10) - 5,
        doubles(random) match { case d: Double => d.toFloat; case _ => null },
        labels(random.nextInt(labels.size)),
        random.nextInt(3) match { case 0 => null; case b => b == 1 },
        if (random.nextInt(6) == 0) null else Instant.ofEpochSecond(random.nextInt(100000), 123456000),
        if (random.nextInt(6) == 0) null else LocalDate.ofEpochDay(random.nextInt(9) - 4),
        sometimesNull(random, (random.nextInt(9) - 4).toByte),
        sometimesNull(random, (random.nextInt(900) - 450).toShort),
        sometimesNull(random, day.atTime(random.nextInt(24), 30)),
        sometimesNull(random, Array.fill[Byte](random.nextInt(3))((random.nextInt(5) - 2).toByte)),
        sometimesNull(random, new JBigDecimal(BigInteger.valueOf(random.nextInt(9) - 4L), 2)),
        sometimesNull(random, new JBigDecimal(BigInteger.valueOf(random.nextInt(9) - 4L).multiply(BigInteger.TEN.pow(30)), 10)),
        sometimesNull(random, position(random)),
        sometimesNull(random, Seq.fill(random.nextInt(4))(sometimesNull(random, random.nextInt(9) / 4f))),
        sometimesNull(random, Seq.tabulate(random.nextInt(3))(i => s"k$i" -> sometimesNull(random, random.nextInt(5))).toMap))
    }
  }
}
