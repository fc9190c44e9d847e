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

import java.time.Instant

import scala.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema

/** Columns, fields of structs and directories whose names are not plain; one column has the name of a path to a field of another one. */
object TestNames extends TestTable {
  override val name = "names"
  override val schema: Schema = Schema.parse(
    "`a.b` double, a struct<b:double,`c d`:string>, `signal name` string not null, `time stamp` timestamp not null, " +
      "`größe` int, `a=b/c` string, `1st` bigint not null, `温度, °C` float, `a``b` string, `s.t` struct<`x.y`:int,x:struct<y:int>>")
  override val groups: ReplicaGroups = groups(
    "time" -> Seq("day(`time stamp`)", "`a=b/c`"),
    "signal" -> Seq("bucket(3, `signal name`)"),
    "text" -> Seq("truncate(2, `a``b`)"))
  override val key = "1st"

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 43 + commit)
    def some(value: => Any): Any = sometimesNull(random, value)
    def pick(texts: String*): String = texts(random.nextInt(texts.size))
    Seq.tabulate(count) { i =>
      Row(
        some(random.nextInt(40) / 4.0 - 5),
        some(Row(some(random.nextInt(40) / 4.0 - 5), some(pick("x", "y", "")))),
        pick("S 1", "S 2", "S=3", "ß"),
        Instant.parse("2024-03-01T00:00:00Z").plusSeconds(random.nextInt(86400).toLong),
        some(random.nextInt(12) - 3),
        pick("e", "f/g=h", null),
        commit * 1000000L + i,
        some(random.nextInt(400) / 8.0f),
        pick("ab", "ac", "`"),
        some(Row(some(random.nextInt(5)), some(Row(some(random.nextInt(5)))))))
    }
  }
}
