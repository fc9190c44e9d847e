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
package org.hadoopmpsr.spark.jobs

import java.time.Instant

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, input_file_name}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestDirectories, TestRecords}
import org.hadoopmpsr.spark.relation.{ConfKeys, PastReadException}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Reads of earlier states have the records that a stock read saw then, or fail. */
@TestInstance(Lifecycle.PER_CLASS)
class TimeTravelTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def committed(name: String): SinkDataset = {
    val dataset = new SinkDataset(dfs, s"/cals/$name", TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 60)))
    client(_.keepHistory(path(dataset), null, 3600))
    dataset
  }

  private def path(dataset: SinkDataset): String = dataset.root.toUri.getPath

  private def merge(dataset: SinkDataset): Unit =
    assertThat(
      CompactDataset
        .compact(session, dataset.root.toString, CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList))
        .problem).isNull()

  private def delete(dataset: SinkDataset, where: String): Unit =
    DeleteRecords.delete(
      session,
      dataset.root.toString,
      new DeleteOptions(true, where, null, null, false, false, 0, 0, null),
      _ => ())

  private def read(dataset: SinkDataset, state: String): DataFrame =
    session.read.option(ConfKeys.AsOfOption, state).parquet(dataset.root.toString)

  private def equal(found: Seq[String], seen: Seq[String], what: String): Unit =
    assertThat(found.mkString("\n")).as(s"seed $seed: $what").isEqualTo(seen.mkString("\n"))

  @Test
  def eachStateIsWhatAStockReadSaw(): Unit = {
    val dataset = committed("states")
    val root = dataset.root.toString
    val filter = "signal IN ('SIG3', 'SIG4', 'SIG5')"
    def seen(): (Seq[String], Seq[String], Seq[String]) = stock {
      val now = session.read.parquet(root)
      (rows(now), rows(now.where(filter)), rows(now.select(input_file_name(), col("signal"))))
    }
    val changes = Seq[() => Unit](
      () => dataset.commit(TestRecords.rows(seed, 2, 60)),
      () => merge(dataset),
      () => delete(dataset, "device = 'VAC1'"),
      () => dataset.commit(TestRecords.rows(seed, 3, 60)))
    val states = seen() +: changes.map { change =>
      change()
      seen()
    }
    states.zipWithIndex.foreach { case ((all, some, files), n) =>
      val state = n.toString
      equal(rows(read(dataset, state)), all, s"change $n")
      equal(rows(read(dataset, state).where(filter)), some, s"change $n, filtered")
      assertThat(explain(read(dataset, state).where(filter))).contains(s"as of change $n of 4")
      equal(rows(read(dataset, state).select(input_file_name(), col("signal"))), files, s"files of change $n")
      assertThat(read(dataset, state).count()).isEqualTo(all.size)
      assertThat(read(dataset, state).selectExpr("count(*)").head().getLong(0)).isEqualTo(all.size)
      val group = TestRecords.groups.names.get(n % TestRecords.groups.names.size)
      equal(rows(read(dataset, state).hint("mpsr", group)), all, s"change $n in $group")
      if (n % 2 == 0) withConf("spark.sql.sources.useV1SourceList" -> "")(equal(rows(read(dataset, state)), all, s"change $n, version 2"))
      else equal(rows(session.sql(s"SELECT * FROM parquet.`$root` WITH (`mpsr.as-of` = '$n')")), all, s"change $n in SQL")
    }
    equal(rows(session.read.parquet(root)), states.last._1, "the present state")
    assertThat(read(dataset, "2").union(read(dataset, "3")).count()).isEqualTo(states(2)._1.size + states(3)._1.size)
  }

  private def fails(message: String)(body: => Any): Unit =
    assertThatThrownBy(() => body).isInstanceOf(classOf[PastReadException]).hasMessageContaining(message)

  @Test
  def whatCannotBeReadFails(): Unit = {
    val dataset = committed("failing")
    val root = dataset.root.toString
    fails("there is no change 7 yet; the last one is 0")(read(dataset, "7").collect())
    fails("there is no tag 'nobody'")(read(dataset, "nobody").collect())
    fails("names no state of a dataset")(read(dataset, "1.5").collect())
    fails("has not come yet")(read(dataset, "2999-01-01").collect())
    fails("is not known any more")(read(dataset, "1999-01-01").collect())
    val frame = read(dataset, "0")
    withConf(ConfKeys.Enabled -> "false")(fails("MPSR is off")(frame.collect()))
    fails("it is not the whole directory of a dataset")(session.read.option(ConfKeys.AsOfOption, "0").text(root).collect())
    withConf("spark.sql.optimizer.metadataOnly" -> "true") {
      fails("set spark.sql.optimizer.metadataOnly=false")(read(dataset, "0").select("device").distinct().collect())
    }
    val plain = TestDirectories.create("mpsr-plain").resolve("out").toUri.toString
    stock(session.read.parquet(root).write.parquet(plain))
    fails("it is not the whole directory of a dataset")(session.read.option(ConfKeys.AsOfOption, "0").parquet(plain).collect())
    session.read.parquet(root).createOrReplaceTempView("present")
    fails("it is a view, for which Spark drops options")(session.sql("SELECT * FROM present WITH (`mpsr.as-of` = '0')").collect())
    fails("it is a view, for which Spark drops options")(session.read.option(ConfKeys.AsOfOption, "0").table("present").collect())
    fails("'' names no state of a dataset")(read(dataset, "").collect())
    val part = dfs.getFileSystem.listStatus(dataset.root).find(_.isDirectory).get.getPath.toString
    fails("it is not the whole directory of a dataset")(session.read.option(ConfKeys.AsOfOption, "0").parquet(part).collect())
    fails("a stream cannot be read as of 0") {
      session.readStream.schema(frame.schema).option(ConfKeys.AsOfOption, "0").parquet(root)
        .writeStream.format("noop").option("checkpointLocation", plain + "-checkpoint").start().awaitTermination()
    }

    client(_.tag(path(dataset), null, "before", null))
    val seen = rows(session.read.parquet(root))
    delete(dataset, "device = 'VAC1'")
    equal(rows(read(dataset, "before")), seen, "tagged")
    val history = client(_.history(path(dataset), 10))
    equal(
      rows(read(dataset, Instant.ofEpochMilli(history.changes.get(0).timeMs).toString)),
      rows(session.read.parquet(root)),
      "at a time")
    client(_.purgeReplaced(path(dataset), null))
    fails("the dataset has no tags")(read(dataset, "before").collect())
    fails("the history that is kept begins with change 1")(read(dataset, "0").collect())
    equal(rows(read(dataset, "1")), rows(session.read.parquet(root)), "after a purge")
  }
}
