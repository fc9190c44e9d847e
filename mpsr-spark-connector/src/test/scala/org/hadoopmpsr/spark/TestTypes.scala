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
import java.time.{LocalDate, LocalDateTime}

import scala.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema

/**
 * Small numbers, decimals, bytes and times without a zone, with the ends of their ranges, in columns whose names are not plain; groups
 * are partitioned by them.
 */
object TestTypes extends TestTable {
  override val name = "types"
  override val schema: Schema = Schema.parse(
    "`Id, no.` bigint not null, `time stamp` timestamp_ntz, `1st` tinyint, `small=no/yes` smallint, `roh.größe` binary, " +
      "`price(``$``)` decimal(9,2), `mass%20` decimal(18,6), `温度` decimal(38,10), `'exact'` decimal(19,0), `clock<ns>:` time_ns, " +
      "`\\label\"` string not null, n int")
  override val groups: ReplicaGroups = groups(
    "day" -> Seq("day(`time stamp`)"),
    "small" -> Seq("`small=no/yes`"),
    "price" -> Seq("bucket(5, `price(``$``)`)", "bucket(2, `roh.größe`)"),
    "total" -> Seq("bucket(3, `温度`)", "truncate(100, `1st`)"))
  override val key = "Id, no."

  /** Also hours that some zones do not have, or have twice, and the ends of the calendar that SQL writes. */
  private val times = Seq(
    LocalDateTime.parse("0001-01-01T00:00:00"),
    LocalDateTime.parse("1582-10-10T12:00:00"),
    LocalDateTime.parse("1969-12-31T23:59:59.999999"),
    LocalDateTime.parse("2024-03-10T02:30:00"),
    LocalDateTime.parse("2024-03-10T03:30:00"),
    LocalDateTime.parse("2024-04-07T02:30:00"),
    LocalDateTime.parse("2024-11-03T01:30:00"),
    LocalDateTime.parse("9999-12-31T23:59:59.999999"))

  private val bytes: Seq[Array[Byte]] =
    Seq("", "00", "0000", "7F", "80", "FF", "FFFF", "C3A4", "80" * 70).map(BigIntText.bytes)

  /** The first and the last number of so many digits, numbers around zero, and others. */
  private def decimal(random: Random, precision: Int, scale: Int): JBigDecimal = {
    val limit = BigInteger.TEN.pow(precision)
    val digits = random.nextInt(8) match {
      case 0 => limit.subtract(BigInteger.ONE)
      case 1 => BigInteger.ONE.subtract(limit)
      case 2 => BigInteger.ZERO
      case 3 => new BigInteger(127, random.self).mod(limit)
      case 4 => BigInteger.ONE.shiftLeft(63).mod(limit)
      case _ => BigInteger.valueOf(random.nextInt(9) - 4L).multiply(BigInteger.TEN.pow(scale)).divide(BigInteger.TWO).mod(limit)
    }
    new JBigDecimal(digits, scale)
  }

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 41 + commit)
    Seq.tabulate(count) { i =>
      val day = LocalDate.parse("2024-03-09").plusDays(random.nextInt(3))
      Row(
        commit * 1000000L + i,
        sometimesNull(random, if (random.nextInt(4) == 0) times(random.nextInt(times.size)) else day.atTime(random.nextInt(24), 30)),
        sometimesNull(random, random.nextInt(5) match {
          case 0 => Byte.MinValue
          case 1 => Byte.MaxValue
          case _ => (random.nextInt(7) - 3).toByte
        }),
        sometimesNull(random, random.nextInt(8) match {
          case 0 => Short.MinValue
          case 1 => Short.MaxValue
          case _ => random.nextInt(8).toShort
        }),
        sometimesNull(random, bytes(random.nextInt(bytes.size))),
        sometimesNull(random, decimal(random, 9, 2)),
        sometimesNull(random, decimal(random, 18, 6)),
        sometimesNull(random, decimal(random, 38, 10)),
        sometimesNull(random, decimal(random, 19, 0)),
        sometimesNull(random, pick(random, Seq(0L, 86399999999999L, 43200000000000L + random.nextInt(3)))),
        pick(random, Seq("", "1", "2014-05-01", "x")),
        sometimesNull(random, random.nextInt(10) - 5))
    }
  }

  private def pick[T](random: Random, choices: Seq[T]): T = choices(random.nextInt(choices.size))
}

private object BigIntText {
  def bytes(hex: String): Array[Byte] = hex.grouped(2).filter(_.nonEmpty).map(Integer.parseInt(_, 16).toByte).toArray
}
