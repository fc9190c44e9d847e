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

import java.io.IOException
import java.util.concurrent.TimeUnit

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileUtil, Path}
import org.apache.spark.sql.{Row, SaveMode}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.client.rollback.RollbackOptions
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.core.group.{Predicate, RepresentationName, WantedGroup}
import org.hadoopmpsr.spark.SparkFixture
import org.hadoopmpsr.spark.jobs.{DeleteRecords, RollbackDataset}
import org.hadoopmpsr.spark.source.SparkTypes

/** Steps that change what a dataset holds, or how. Each runs alone, or while queries are planned and asked. */
private[recovery] final class LifeWork(recovery: Recovery, work: RecoveryWork, check: RecoveryCheck) {
  import LifeWork._
  import recovery._

  /** What the states hold that can be read. */
  private val states = mutable.LinkedHashMap.empty[String, Seq[Row]]
  private var tags = 0
  private var written = 0

  cluster.client(_.keepHistory(path, null, TimeUnit.HOURS.toSeconds(1)))

  def steps: Seq[RecoveryStep] = Seq(
    RecoveryStep("commit under queries", 2, () => underQueries(work.commit())),
    RecoveryStep("delete", 3, () => delete()),
    RecoveryStep("delete under queries", 2, () => underQueries(delete())),
    RecoveryStep("expire", 2, () => expire()),
    RecoveryStep("group set", 3, () => set()),
    RecoveryStep("group added", 3, () => add()),
    RecoveryStep("group dropped", 2, () => drop()),
    RecoveryStep("group dropped under queries", 2, () => underQueries(drop())),
    RecoveryStep("alteration cancelled", 1, () => cancel()),
    RecoveryStep("alteration completed under queries", 6, () => underQueries(complete())),
    RecoveryStep("tag", 3, () => tag()),
    RecoveryStep("earlier state", 4, () => past()),
    RecoveryStep("rollback", 2, () => rollBack()),
    RecoveryStep("rollback under queries", 2, () => underQueries(rollBack())),
    RecoveryStep("ordinary write", 3, () => write()),
    RecoveryStep("ordinary write under queries", 1, () => underQueries(write())),
    RecoveryStep("adoption", 2, () => work.adopt()),
    RecoveryStep("adoption under queries", 2, () => underQueries(work.adopt())))

  /** Nothing is missing but what incomplete groups lack. */
  private def isSound: Boolean = cluster.down.isEmpty && {
    val incomplete = cluster.client(_.getDataset(path)).alterations.asScala.map(_.group.name).toSet
    damages.forall(damage => incomplete(damage.group))
  }

  private def underQueries(happen: => Boolean): Boolean = isSound && {
    log += "queries run; meanwhile"
    var happened = false
    check.manyQueriesWhile { happened = happen }
    happened
  }

  private def delete(): Boolean = {
    val filter @ (condition, _) = any(RecoveryCheck.Filters.tail)
    remove(s"delete where $condition", filter, new DeleteOptions(true, condition, null, null, false, false, 0, 0, null))
  }

  private def expire(): Boolean = {
    val times = rows.map(time).sorted
    times.nonEmpty && {
      val beforeMs = times(times.size / 4) / NanosOfMilli
      val filter: RecoveryCheck.Filter = ("", value => value("timestamp_ns").asInstanceOf[Long] < beforeMs * NanosOfMilli)
      remove(s"expire before $beforeMs", filter, new DeleteOptions(true, null, beforeMs, "timestamp_ns", false, false, 0, 0, null))
    }
  }

  private def time(row: Row): Long = dataset.value(row, "timestamp_ns").asInstanceOf[Long]

  /** Records of untracked files are not deleted before they have become segments. */
  private def remove(what: String, filter: RecoveryCheck.Filter, options: DeleteOptions): Boolean = {
    val goes = (row: Row) => filter._2(name => dataset.value(row, name))
    val possible = isSound && hasRoom && !untracked.exists(goes)
    if (possible) {
      log += what
      val run = DeleteRecords.delete(SparkFixture.session, dataset.root.toString, options, _ => ())
      assertThat(run.problem).isNull()
      assertThat(run.state).isEqualTo(State.DONE)
      hold(rows.filterNot(goes).toList)
    }
    possible
  }

  private def wanted(group: String): WantedGroup =
    new WantedGroup(group, any(Layouts).map(Predicate.parse).asJava, java.util.List.of(), null)

  private def alterable: Seq[String] = {
    val now = cluster.client(_.getDataset(path))
    val altered = now.alterations.asScala.map(alteration => RepresentationName.group(alteration.group.name)).toSet
    groups.tail.filterNot(altered)
  }

  private def set(): Boolean = {
    val present = representations.map(RepresentationName.group)
    val possible = alterable.filter(present.contains)
    possible.nonEmpty && {
      val group = wanted(any(possible))
      altered(s"set-group $group")(cluster.client(_.alterations.set(path, null, group)))
    }
  }

  private def add(): Boolean = {
    val present = representations.map(RepresentationName.group)
    val possible = alterable.filterNot(present.contains)
    possible.nonEmpty && {
      val group = wanted(any(possible))
      altered(s"add-group $group")(cluster.client(_.alterations.add(path, null, group)))
    }
  }

  private def drop(): Boolean = {
    val possible = representations.tail
    isSound && possible.size > 1 && {
      val group = any(possible)
      altered(s"drop-group $group")(cluster.client(_.alterations.drop(path, null, group)))
    }
  }

  private def cancel(): Boolean = !cluster.client(_.getDataset(path)).alterations.isEmpty &&
    altered("alterations are cancelled")(cluster.client(_.alterations.cancel(path, null)))

  /** False if it makes no sense, which the message says. */
  private def altered(what: String)(change: => Any): Boolean =
    try {
      change
      log += what
      true
    } catch { case e: IOException if e.getMessage.contains("is like this already") => false }

  private def complete(): Boolean = !cluster.client(_.getDataset(path)).alterations.isEmpty && hasRoom && {
    work.checkRebuilt()
    work.awaitAltered()
    log += s"the groups are ${representations.mkString(", ")}"
    true
  }

  private def tag(): Boolean = {
    tags += 1
    log += s"tag state-$tags"
    cluster.client(_.tag(path, null, s"state-$tags", null))
    states(s"state-$tags") = rows.toList
    true
  }

  /** The records are these from now on, and this state can be read later. */
  private def hold(records: Seq[Row]): Unit = {
    rows.clear()
    rows ++= records
    states(cluster.client(_.getDataset(path)).changes.sequence.toString) = records
  }

  private def past(): Boolean = states.nonEmpty && isSound && {
    val (state, held) = any(states.toSeq)
    log += s"read as of $state"
    check.past(state, held)
    true
  }

  private def rollBack(): Boolean = states.nonEmpty && isSound && hasRoom && {
    val (state, held) = any(states.toSeq)
    try {
      log += s"rollback to $state"
      val (run, _) = RollbackDataset.rollback(SparkFixture.session, dataset.root.toString, new RollbackOptions(state, 0, 0, null))
      assertThat(run.problem).isNull()
      assertThat(run.state).isEqualTo(State.DONE)
      hold(held)
      true
    } catch {
      case e: IOException if e.getMessage.contains("was removed before it was written in group") =>
        log += "which is refused: a group never had it"
        false
    }
  }

  /** A file of one day, as somebody puts it there who knows nothing of MPSR. */
  private def write(): Boolean = hasRoom && {
    val records = work.more()
    val day = dataset.value(any(records), "day")
    val some = records.filter(dataset.value(_, "day") == day)
    written += 1
    log += s"${some.size} records of $day are written without a commit"
    val data = some.map(row => Row.fromSeq(dataset.logical.map(column => dataset.value(row, column.name))))
    val scratch = new Path(s"${dataset.root}-scratch")
    SparkFixture.session
      .createDataFrame(data.asJava, SparkTypes.structType(dataset.logical))
      .drop("day").coalesce(1).write.mode(SaveMode.Overwrite).parquet(scratch.toString)
    val fs = cluster.fs
    val file = fs.listStatus(scratch).map(_.getPath).find(_.getName.endsWith(".parquet")).get
    val unseen = new Path(dataset.root, s"day=$day/.ordinary-$written.parquet")
    assertThat(FileUtil.copy(fs, file, fs, unseen, true, cluster.conf)).isTrue
    assertThat(fs.rename(unseen, new Path(unseen.getParent, unseen.getName.drop(1)))).isTrue
    untracked ++= some
    true
  }
}

private[recovery] object LifeWork {
  private val NanosOfMilli = 1000000L

  private val Layouts = Seq(
    Seq("bucket(4, signal)"),
    Seq("bucket(3, device)"),
    Seq("system", "device"),
    Seq("signal"),
    Seq("bucket(2, signal)", "day(timestamp_ns)"),
    Seq("month(timestamp_ns)", "truncate(1, device)"))
}
