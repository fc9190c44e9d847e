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

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.{Codec, ColumnTransforms, Predicate, ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.schema.Schema

/** What a dataset of tests holds, and in which groups. */
trait TestTable {
  def name: String
  def schema: Schema

  /** The first group is the default group. */
  def groups: ReplicaGroups

  /** A column that has another value in each record, also of other commits. */
  def key: String

  def rows(seed: Long, commit: Int, count: Int): Seq[Row]

  protected def groups(definitions: (String, Seq[String])*): ReplicaGroups =
    groupsOf(definitions.map { case (name, predicates) => (name, predicates, "") }: _*)

  /** @param definitions with what files are sorted by */
  protected def groupsOf(definitions: (String, Seq[String], String)*): ReplicaGroups = {
    val groups = definitions.map { case (name, predicates, sort) =>
      new ReplicaGroup(name, predicates.map(Predicate.parse).asJava, SortKey.parseList(sort), 1, Codec.parse("zstd:3"))
    }
    new ReplicaGroups(groups.asJava, definitions.head._1)
  }

  /** The same groups, where one holds columns in transforms. */
  protected def held(groups: ReplicaGroups, name: String, transforms: String*): ReplicaGroups = new ReplicaGroups(
    groups.groups.asScala.map(g => if (g.name == name) g.`with`(ColumnTransforms.parse(transforms.asJava)) else g).asJava,
    groups.defaultName)

  protected def sometimesNull[T](random: Random, value: => T): Any = if (random.nextInt(8) == 0) null else value
}

/** Its default partitions are strings and numbers as they stand in the records, null among them. */
object TestEvents extends TestTable {
  override val name = "events"
  override val schema: Schema = Schema.parse(
    "id bigint not null, at timestamp, region string, kind int, name string, amount double, ok boolean, born date, n bigint")
  override val groups: ReplicaGroups = held(
    groups(
      "place" -> Seq("region", "kind"),
      "hour" -> Seq("hour(at)"),
      "name" -> Seq("truncate(2, name)", "bucket(3, id)"),
      "amount" -> Seq("range(n, -50, 0, 50)", "year(at)")),
    "name",
    "amount=planes:16,16,32;v=1")
  override val key = "id"

  private val regions = Seq("eu", "us", "Asien süd", "a/b=c%", "01", null)
  private val names = Seq("", "a", "ab", "abc", "abd", "Ab", "żó", "żółw", "🐘🐘🐘", "b%c", null)

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 31 + commit)
    Seq.tabulate(count) { i =>
      Row(
        commit * 1000000L + i,
        // around midnight in several time zones, and before 1970
        sometimesNull(random, Instant.ofEpochSecond(
          (if (random.nextInt(5) == 0) -86400L * 200 else 1398902400L) + random.nextInt(9) * 1800 - 3600,
          if (random.nextBoolean()) 0 else 999999000)),
        regions(random.nextInt(regions.size)),
        random.nextInt(2),
        names(random.nextInt(names.size)),
        TestRecords.doubles(random),
        sometimesNull(random, random.nextBoolean()),
        sometimesNull(random, LocalDate.parse("2014-04-28").plusDays(random.nextInt(70))),
        sometimesNull(random, random.nextInt(300) - 150L))
    }
  }
}

/** Its default partitions are days and derived hours. */
object TestShifts extends TestTable {
  override val name = "shifts"
  override val schema: Schema = Schema.parse(
    "id bigint not null, d date not null, at timestamp not null, worker string not null, present boolean, n int, x float")
  override val groups: ReplicaGroups = held(
    groups(
      "day" -> Seq("d", "hour(at)"),
      "worker" -> Seq("worker"),
      "present" -> Seq("present", "truncate(100, n)"),
      "month" -> Seq("month(d)", "bucket(3, id)")),
    "month",
    "x=planes:16,16;v=1")
  override val key = "id"

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 37 + commit)
    Seq.tabulate(count) { i =>
      val day = LocalDate.parse("2024-02-26").plusDays(random.nextInt(5))
      Row(
        commit * 1000000L + i,
        day,
        Instant.ofEpochSecond(day.toEpochDay * 86400L + random.nextInt(2) * 3600 - random.nextInt(2), 0),
        Seq("Ann", "ann", "Bo", "Žofie", "O'Neil", "x y")(random.nextInt(6)),
        sometimesNull(random, random.nextBoolean()),
        sometimesNull(random, random.nextInt(60) - 30),
        TestRecords.doubles(random) match { case d: Double => d.toFloat; case _ => null })
    }
  }
}
