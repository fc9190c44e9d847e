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
package org.hadoopmpsr.spark.recovery

import scala.jdk.CollectionConverters._
import scala.util.{Success, Try}

import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.hadoopmpsr.spark.SparkFixture
import org.hadoopmpsr.spark.jobs.VerifyDataset
import org.hadoopmpsr.spark.relation.ConfKeys

/** Compares what queries answer with the records that were committed. */
private[recovery] final class RecoveryCheck(recovery: Recovery) {
  import RecoveryCheck._
  import recovery._

  private def text(row: Row): String = Row.fromSeq(dataset.logical.map(column => dataset.value(row, column.name))).toString

  /**
   * Asks each group, and the cheapest one. The answer is that of the records that were committed. Two kinds of damage are
   * excepted: where records have no live copy, a query may fail; and after somebody has deleted files of the default group,
   * everything is read as stock reads it.
   */
  def queries(): Unit = {
    val now = damages
    val unreadable = now.exists(_.liveCopies == 0)
    val asStock = now.exists(damage => damage.isDefault && damage.deleted)
    for (group <- groups.map(Option(_)) :+ None) {
      val (filter, holds) = any(Filters)
      val committed = rows.filter(row => holds(name => dataset.value(row, name))).map(text).sorted.toSeq
      val stock = if (asStock) Try(SparkFixture.stock(answer(None, filter))) else Success(committed)
      val found = Try(answer(group, filter))
      if (stock.isSuccess && !unreadable || found.isSuccess) {
        assertThat(found.get.asJava).as(s"$filter in ${group.getOrElse("the cheapest group")}").isEqualTo(stock.getOrElse(committed).asJava)
      }
    }
  }

  private def answer(group: Option[String], filter: String): Seq[String] = SparkFixture.rows(asked(group).where(filter))

  private def asked(group: Option[String]) = {
    val all = SparkFixture.session.read.parquet(dataset.root.toString)
    group.fold(all)(all.hint("mpsr", _))
  }

  /** All records have a copy in each group, and HDFS misses no block of any. */
  def whole(): Unit = {
    assertThat(damages.asJava).isEmpty()
    val expected = rows.map(text).sorted.toSeq.asJava
    groups.foreach { group =>
      assertThat(SparkFixture.rows(asked(Some(group))).asJava).as(s"all records in $group").isEqualTo(expected)
    }
    try assertThat(VerifyDataset.verify(SparkFixture.session, dataset.root.toString).sound).isTrue
    finally SparkFixture.session.conf.unset(ConfKeys.Enabled)
    await().atMost(RecoveryCluster.Long).untilAsserted { () =>
      assertThat(lacking.asJava).as("records by live copies, where some lack copies").isEmpty()
    }
  }

  private def lacking: Map[Int, Long] = {
    val told = cluster.client(_.status()).getRedundancyList.asScala.filter(_.getPath == path)
    told.flatMap(_.getRedundancyList.asScala).map(r => r.getCopies -> r.getRecords).toMap
  }
}

private[recovery] object RecoveryCheck {
  private type Values = String => Any

  /** Each filter, and whether it holds for the values of a record. */
  private val Filters: Seq[(String, Values => Boolean)] = Seq(
    "true" -> (_ => true),
    "signal = 'SIG3'" -> (_("signal") == "SIG3"),
    "signal IN ('SIG4', 'SIG11') AND day > '2014-05-01'" ->
      (v => Set("SIG4", "SIG11")(v("signal").toString) && v("day").toString > "2014-05-01"),
    "device = 'VAC2' AND quality = 2" -> (v => v("device") == "VAC2" && v("quality") == 2),
    "system = 'CRYO' AND label IS NULL" -> (v => v("system") == "CRYO" && v("label") == null),
    "day = '2014-05-01'" -> (_("day").toString == "2014-05-01"),
    "timestamp_ns > 1398900000000000000" -> (_("timestamp_ns").asInstanceOf[Long] > 1398900000000000000L))
}
