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

/** Groups are partitioned and sorted by values within structs, some of whose names are not plain. */
object TestPlaces extends TestTable {
  override val name = "places"
  override val schema: Schema = Schema.parse(
    "id bigint not null, region string, amount double, kind int, " +
      "pos struct<x:double,y:int,name:string,`in it`:struct<at:timestamp,day:date,n:bigint,ok:boolean,price:decimal(9,2)>>, " +
      "also struct<y:int,parts:array<int>>")
  override val groups: ReplicaGroups = groupsOf(
    ("place", Seq("pos.name"), "pos.x, id"),
    ("level", Seq("truncate(4, pos.y)"), "pos.y, pos.name, id"),
    ("time", Seq("day(pos.`in it`.at)", "pos.`in it`.ok"), "pos.`in it`.price, also.y"),
    ("number", Seq("bucket(3, pos.`in it`.n)"), ""))
  override val key = "id"

  private val names = Seq("a", "ab", "Ä b", "x/y=1%", "zz", null)

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 47 + commit)
    def some(value: => Any): Any = sometimesNull(random, value)
    def inner = Row(
      some(Instant.ofEpochSecond(1398902400L + random.nextInt(9) * 14400 - 3600, if (random.nextBoolean()) 0 else 999999000)),
      some(LocalDate.parse("2014-04-28").plusDays(random.nextInt(70))),
      some(random.nextInt(30) - 15L),
      some(random.nextBoolean()),
      some(new JBigDecimal(BigInteger.valueOf(random.nextInt(400) - 200L), 2)))
    Seq.tabulate(count) { i =>
      Row(
        commit * 1000000L + i,
        Seq("eu", "us", null)(random.nextInt(3)),
        TestRecords.doubles(random),
        random.nextInt(3),
        some(Row(TestRecords.doubles(random), some(random.nextInt(20) - 8), names(random.nextInt(names.size)), some(inner))),
        some(Row(some(random.nextInt(5)), some(Seq.fill(random.nextInt(3))(random.nextInt(9))))))
    }
  }
}
