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

import java.nio.charset.StandardCharsets.UTF_8
import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.{Random, Using}

import org.apache.commons.io.IOUtils
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.hdfs.{InProcessFileSystem, MiniDFSCluster}
import org.apache.spark.sql.{Row, SaveMode}
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.streaming.Trigger
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.{DeleteOptions, RemainingCopies}
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.core.group.{Codec, ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestDirectories, TestRecords}
import org.hadoopmpsr.spark.jobs.delete.Certificate
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{AfterAll, AfterEach, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Records are deleted from all groups, and every answer is stock's on what is left. */
@TestInstance(Lifecycle.PER_CLASS)
class DeleteRecordsTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  /** Bytes of values are found in files that are not compressed. */
  private val groups = new ReplicaGroups(
    TestRecords.groups.groups.asScala.map { g =>
      new ReplicaGroup(g.name, g.predicates, g.sort, g.replication, Codec.parse("none"))
    }.asJava,
    TestRecords.groups.defaultName)

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @AfterEach
  def reset(): Unit = session.conf.unset(ConfKeys.Enabled)

  private def fs = dfs.getFileSystem

  private def path(dataset: SinkDataset): String = dataset.root.toUri.getPath

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def committed(name: String, commits: Int): SinkDataset = {
    val dataset = new SinkDataset(dfs, s"/cals/$name", TestRecords)
    (0 until commits).foreach(i => dataset.commit(TestRecords.rows(seed, i, 60)))
    dataset
  }

  private def segments(dataset: SinkDataset): Seq[String] = client(_.segments(path(dataset)).segments).asScala.map(_.id).toSeq

  private def answer(dataset: SinkDataset, filter: String = "true"): Seq[String] =
    rows(session.read.parquet(dataset.root.toString).where(filter))

  private def options(where: String, execute: Boolean = true, inParts: Boolean = false): DeleteOptions =
    new DeleteOptions(execute, where, null, null, false, inParts, 0, 0, null)

  private def delete(dataset: SinkDataset, options: DeleteOptions): Seq[Certificate] = {
    var told = Seq.empty[Certificate]
    val run = DeleteRecords.delete(session, dataset.root.toString, options, certificate => told :+= certificate)
    assertThat(run.state).isEqualTo(State.DONE)
    told
  }

  /** The groups hold these records, and each reader gets them. */
  private def check(dataset: SinkDataset, wanted: Seq[String], what: String): Unit = {
    val representations = client(_.getDataset(path(dataset))).representations.asScala
    representations.foreach { r =>
      assertThat(r.unusable).as(s"seed $seed: $what").isNull()
      assertThat(r.content).as(s"seed $seed: $what").isEqualTo(representations.head.content)
      assertThat(r.content.count).as(s"seed $seed: $what").isEqualTo(wanted.size)
    }
    // Spark finds no schema where there is no file
    if (wanted.nonEmpty) {
      assertThat(stock(answer(dataset)).mkString("\n")).as(s"seed $seed: $what").isEqualTo(wanted.mkString("\n"))
      for (group <- groups.names.asScala) {
        val found = rows(session.read.parquet(dataset.root.toString).hint("mpsr", group))
        assertThat(found.mkString("\n")).as(s"seed $seed: $what in $group").isEqualTo(wanted.mkString("\n"))
      }
    }
  }

  /** A random condition, also on directories, nulls and NaN. */
  private def condition(random: Random): String = {
    def one(): String = random.nextInt(15) match {
      case 9 => s"total > ${random.nextInt(5) - 2} * 100000000000000000000"
      case 10 => s"price <= 0.0${random.nextInt(3)}"
      case 11 => s"local < TIMESTAMP_NTZ '2014-05-0${1 + random.nextInt(3)} 12:00:00' AND turn > 0"
      case 13 => s"pos.y > ${random.nextInt(20)} AND size(pos.parts) < 2"
      case 14 => s"size(samples) = ${random.nextInt(4)} OR tags['k0'] = 1"
      case 12 => "raw > X'00' OR grade = 2"
      case 0 => s"signal = 'SIG${random.nextInt(20)}'"
      case 1 => s"signal IN ('SIG${random.nextInt(20)}', 'SIG${random.nextInt(20)}')"
      case 2 => s"day = '2014-05-0${1 + random.nextInt(3)}'"
      case 3 => s"value > ${random.nextInt(8) - 4}"
      case 4 => s"device = 'VAC${1 + random.nextInt(2)}'"
      case 5 => "label LIKE 'a%'"
      case 6 => "NOT ok"
      case 7 => s"quality + 1 = ${random.nextInt(5)}"
      case _ => s"timestamp_ns < ${1398900000000000000L + random.nextInt(100) * 1000000000000L}"
    }
    random.nextInt(3) match {
      case 0 => one()
      case 1 => s"${one()} AND ${one()}"
      case _ => s"${one()} OR (${one()} AND NOT (${one()}))"
    }
  }

  @Test
  def whatSparkWouldDeleteIsGoneAndTheRestStays(): Unit = {
    val dataset = committed("model", 4)
    val random = new Random(seed)
    var next = 4
    for (step <- 0 until sys.props.get("mpsr.steps").map(_.toInt).getOrElse(3)) {
      val where = condition(random)
      val what = s"step $step, $where"
      val before = stock(answer(dataset))
      val wanted = stock(answer(dataset, s"NOT coalesce($where, false)"))
      val forecast = DeleteRecords.forecast(session, dataset.root.toString, options(where, execute = false))
      assertThat(forecast.plan.records).as(s"seed $seed: $what").isEqualTo(before.size - wanted.size)
      assertThat(stock(answer(dataset)).asJava).as(s"seed $seed: $what").isEqualTo(before.asJava)
      val certificates = delete(dataset, options(where))
      assertThat(certificates.map(_.deleted.count).sum).as(s"seed $seed: $what").isEqualTo(before.size - wanted.size)
      certificates.flatMap(_.segments).foreach { segment =>
        assertThat(segment.after.plus(segment.deleted)).isEqualTo(segment.before)
        assertThat(segment.kept.isEmpty).as(s"seed $seed: $what").isEqualTo(segment.after.count == 0)
      }
      check(dataset, wanted, what)
      if (random.nextInt(3) == 0) {
        val merged = CompactDataset.compact(
          session,
          dataset.root.toString,
          CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList))
        assertThat(merged.problem).isNull()
        check(dataset, wanted, s"merged after $what")
      }
      dataset.commit(TestRecords.rows(seed, next, 40))
      next += 1
    }
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
    assertThat(delete(dataset, options("true")).map(_.deleted.count).sum).isPositive
    check(dataset, Nil, "everything is deleted")
    assertThat(delete(dataset, options("true")).asJava).isEmpty()
    dataset.commit(TestRecords.rows(seed, next, 40))
    assertThat(answer(dataset).size).isEqualTo(40)
  }

  /** The paths of live files of all groups, with their bytes, in which a text is found. */
  private def holding(dataset: SinkDataset, text: String): Seq[String] =
    holdingBelow(client(_.getDataset(path(dataset))).representations.asScala.map(_.root).toSeq, text)

  private def holdingBelow(roots: Seq[String], text: String): Seq[String] = {
    val pastMpsr: FileSystem = InProcessFileSystem.of(dfs.getNameNode, dfs.getURI, dfs.getConfiguration(0))
    val wanted = text.getBytes(UTF_8)
    roots.flatMap { root =>
      val files = fs.listFiles(new Path(root), true)
      Iterator.continually(files).takeWhile(_.hasNext).map(_.next().getPath).toSeq.filter { file =>
        val bytes = Using.resource(fs.open(file))(in => IOUtils.toByteArray(in))
        val attributes = pastMpsr.getXAttrs(new Path(file.toUri.getPath)).values.asScala
        (attributes.toSeq :+ bytes).exists(_.indexOfSlice(wanted) >= 0)
      }
    }.map(_.toString)
  }

  @Test
  def noByteOfAnErasedSignalIsLeft(): Unit = {
    val dataset = committed("erased", 2)
    val secret = "SECRET-7f3a91c2"
    val own = TestRecords.rows(seed, 2, 60).zipWithIndex.map { case (row, i) =>
      if (i % 7 == 0) Row.fromSeq(secret +: row.toSeq.tail) else row
    }
    dataset.commit(own)
    val erasedFiles = holding(dataset, secret)
    assertThat(groups.names.size).isLessThanOrEqualTo(erasedFiles.size)
    val wanted = stock(answer(dataset, s"signal != '$secret'"))
    val certificates = delete(dataset, options(s"signal = '$secret'"))
    assertThat(certificates.map(_.deleted.count).sum).isEqualTo(9)
    assertThat(certificates.head.segments.size).isEqualTo(1)
    assertThat(holding(dataset, secret).asJava).isEmpty()
    check(dataset, wanted, "erased")

    val left = client(c => RemainingCopies.of(fs, dfs.getConfiguration(0), c.getDataset(path(dataset))))
    assertThat(left.files).isPositive
    val all = Seq(path(dataset), left.directory.stripSuffix("/replaced"))
    assertThat(holdingBelow(all, secret).asJava).as("replaced files are searched").isNotEmpty
    assertThat(left.lines.get(0)).contains("replaced files").contains("'hdfs mpsr dataset purge' deletes them at once")
    val purged = client(_.purgeReplaced(path(dataset), null))
    assertThat(purged.files).isEqualTo(left.files)
    assertThat(purged.staged).isZero
    assertThat(client(_.getDataset(path(dataset))).changes.replacedFiles).isZero
    check(dataset, wanted, "purged")
    assertThat(holdingBelow(all, secret).asJava).isEmpty()
  }

  @Test
  @Tag("long")
  def snapshotsThatKeepFilesAreNamed(): Unit = {
    val dataset = committed("kept", 1)
    val root = new Path(path(dataset))
    fs.allowSnapshot(root)
    fs.createSnapshot(root, "before")
    delete(dataset, options("signal = 'SIG1' OR device = 'VAC1'"))
    val left = client(c => RemainingCopies.of(fs, dfs.getConfiguration(0), c.getDataset(path(dataset))))
    assertThat(left.snapshots).containsExactly(s"$root/.snapshot/before")
    assertThat(client(_.purgeReplaced(path(dataset), null)).files).isPositive
    assertThat(left.lines.asScala.mkString).contains(s"snapshot $root/.snapshot/before keeps the dataset's files")
    fs.deleteSnapshot(root, "before")
    fs.disallowSnapshot(root)
  }

  private def expire(dataset: SinkDataset, beforeMs: Long, column: String): Seq[Certificate] =
    delete(dataset, new DeleteOptions(true, null, beforeMs, column, false, true, 0, 0, null))

  @Test
  @Tag("long")
  def oldSegmentsExpireWithoutBeingRead(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/expired", TestRecords)
    val all = TestRecords.rows(seed, 0, 200).sortBy(_.getLong(3))
    all.grouped(50).foreach(dataset.commit(_))
    val ids = segments(dataset)
    // two segments are older, and of the third one a few records
    val limitMs = all(110).getLong(3) / 1000000
    val wanted = stock(answer(dataset, s"timestamp_ns >= ${limitMs * 1000000}"))
    val forecast = DeleteRecords.forecast(
      session,
      dataset.root.toString,
      new DeleteOptions(false, null, limitMs, "timestamp_ns", false, true, 0, 0, null))
    assertThat(forecast.plan.dropped.size).isEqualTo(2)
    assertThat(forecast.plan.segments.size).isEqualTo(3)
    assertThat(forecast.plan.others).isEqualTo(1)
    val certificates = expire(dataset, limitMs, "timestamp_ns")
    assertThat(certificates.map(_.deleted.count).sum).isEqualTo(200 - wanted.size)
    check(dataset, wanted, "expired")
    assertThat(ids.intersect(segments(dataset)).size).isEqualTo(1)
    assertThat(certificates.head.lines.mkString("\n")).contains("records are deleted from 3 segment(s) in every replica group")
    assertThat(expire(dataset, limitMs, "timestamp_ns").asJava).isEmpty()
    assertThatThrownBy(() => expire(dataset, limitMs, null))
      .hasMessageContaining("it is not known which column has the time of a record: the columns with times are timestamp_ns, seen,")
    assertThatThrownBy(() => expire(dataset, limitMs, "signal")).hasMessageContaining("column 'signal' has no times")
  }

  @Test
  @Tag("long")
  def aStreamReadsWhatStaysAndNothingTwice(): Unit = {
    val dataset = committed("streamed", 2)
    val out = TestDirectories.create("mpsr-deletes").resolve("out").toUri.toString
    def read(): Unit = session.readStream
      .schema(stock(session.read.parquet(dataset.root.toString)).schema)
      .parquet(dataset.root.toString)
      .writeStream
      .option("checkpointLocation", s"$out-checkpoint")
      .trigger(Trigger.AvailableNow())
      .start(out)
      .awaitTermination()
    def streamed: Seq[String] = {
      val columns = stock(session.read.parquet(dataset.root.toString)).columns
      rows(session.read.parquet(out).select(columns.map(col).toIndexedSeq: _*))
    }
    read()
    val seen = answer(dataset)
    assertThat(streamed.asJava).isEqualTo(seen.asJava)
    assertThat(delete(dataset, options("device = 'VAC1'")).size).isEqualTo(1)
    read()
    assertThat(streamed.asJava).as(s"seed $seed: deleted after it was read").isEqualTo(seen.asJava)
    // the stream has not read this commit
    dataset.commit(TestRecords.rows(seed, 2, 40).map(row => Row.fromSeq("LATE" +: row.toSeq.tail)))
    assertThat(delete(dataset, options("signal = 'LATE' AND quality > 0")).size).isEqualTo(1)
    read()
    read()
    val late = answer(dataset, "signal = 'LATE'")
    assertThat(late.size).isLessThan(40)
    assertThat(streamed.asJava).as(s"seed $seed: deleted before it was read").isEqualTo((seen ++ late).sorted.asJava)
  }

  /** Whichever of a merge and a delete comes second is planned anew, and commits go on. */
  @Test
  @Tag("long")
  def mergesAndCommitsRunBesideIt(): Unit = {
    val dataset = committed("beside", 6)
    val compaction = new Thread(() => {
      val options = CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList)
      try CompactDataset.compact(session, dataset.root.toString, options)
      catch { case e: java.io.IOException => println(s"the merge ended: ${e.getMessage}") }
    })
    val wanted = stock(answer(dataset, "NOT coalesce(device = 'CRYO1', false)"))
    val more = TestRecords.rows(seed, 6, 40).map(row => Row.fromSeq("LATE" +: row.toSeq.tail))
    compaction.start()
    val certificates = delete(dataset, options("device = 'CRYO1' AND signal != 'LATE'"))
    dataset.commit(more)
    compaction.join()
    assertThat(certificates.map(_.deleted.count).sum).as(s"seed $seed").isEqualTo(360 - wanted.size)
    check(dataset, (wanted ++ stock(answer(dataset, "signal = 'LATE'"))).sorted, "merged and committed beside")
    assertThat(stock(answer(dataset, "signal = 'LATE'")).size).isEqualTo(40)
  }

  @Test
  @Tag("long")
  def whatIsLostIsRebuiltFirst(): Unit = {
    val dataset = committed("lost", 2)
    val segment = segments(dataset).head
    val wanted = stock(answer(dataset, "NOT coalesce(device = 'VAC2', false)"))
    val file = client(_.segmentFiles(path(dataset), "signal", java.util.List.of(segment))).asScala.head.path
    LostFiles.lose(dfs, file)
    await().atMost(Duration.ofSeconds(60)).until(() => client(_.damage(path(dataset), 1000)).damages.size == 1)
    assertThatThrownBy(() => delete(dataset, options("device = 'VAC2'")))
      .hasMessageContaining(s"segment $segment, which may have records that go, is damaged in group signal")
    assertThat(RebuildDataset.rebuild(session, dataset.root.toString, RebuildOptions.DEFAULT).problem).isNull()
    assertThat(delete(dataset, options("device = 'VAC2'")).size).isEqualTo(1)
    check(dataset, wanted, "deleted after a rebuild")
  }

  /** What somebody has deleted from the default group by hand is still in the other groups. */
  @Test
  @Tag("long")
  def whatIsDeletedByHandIsRepairedFirst(): Unit = {
    val dataset = committed("unlinked", 2)
    val signal = "VAC1"
    val default = client(_.segmentFiles(path(dataset), groups.defaultName, segments(dataset).asJava)).asScala.toSeq
    val (files, segment) = default.groupBy(_.statistics.commitId).map(_.swap).head
    files.foreach(file => fs.delete(new Path(file.path), false))
    val left = holding(dataset, signal)
    assertThatThrownBy(() => delete(dataset, options(s"device = '$signal'")))
      .hasMessageContaining(s"segment $segment, which may have records that go, is damaged in group ${groups.defaultName}")
    assertThat(holding(dataset, signal).asJava).isEqualTo(left.asJava)
  }

  /** Only the default group has them, and no change can take records away from them. */
  @Test
  def untrackedFilesWithSuchRecordsAreNotPassedOver(): Unit = {
    val dataset = committed("besides", 2)
    val more = session.read.parquet(dataset.root.toString).where("device = 'VAC1'").withColumn("signal", lit("STRAY"))
    stock(more.coalesce(1).write.mode(SaveMode.Append).partitionBy("day").parquet(dataset.root.toString))
    val strays = answer(dataset, "signal = 'STRAY'").size
    val before = answer(dataset)
    val forecast = DeleteRecords.forecast(session, dataset.root.toString, options("device = 'VAC1'", execute = false))
    assertThat(forecast.plan.untracked.values.sum).isEqualTo(strays)
    assertThat(forecast.lines.last).contains("untracked file", "the delete is refused until it has none")
    assertThatThrownBy(() => delete(dataset, options("device = 'VAC1'")))
      .hasMessageContaining(s"have $strays records that go, and only files of commits can be written anew in all groups")
    assertThat(answer(dataset).asJava).isEqualTo(before.asJava)
    val wanted = answer(dataset, "NOT coalesce(device = 'VAC2', false)")
    assertThat(delete(dataset, options("device = 'VAC2'")).size).isEqualTo(1)
    assertThat(answer(dataset).asJava).isEqualTo(wanted.asJava)
    forecast.plan.untracked.keys.foreach(file => fs.delete(new Path(file), false))
    assertThat(delete(dataset, options("device = 'VAC1'")).size).isEqualTo(1)
    check(dataset, answer(dataset, "device NOT IN ('VAC1', 'VAC2')"), "deleted beside untracked files")
    Using.resource(fs.create(new Path(dataset.root, "day=2014-05-01/part-1.parquet")))(_.writeBytes("no parquet"))
    assertThatThrownBy(() => delete(dataset, options("device = 'CRYO1'")))
      .hasMessageContaining("1 untracked files, such as").hasMessageContaining("cannot be read to look for records that go")
  }

  @Test
  def conditionsThatCannotBeUsedAreExplained(): Unit = {
    val dataset = committed("refused", 1)
    def refused(where: String, reason: String): Unit =
      assertThatThrownBy(() => delete(dataset, options(where))).as(where).hasMessageContaining(reason)
    refused("nothing = 1", "; the columns are signal, device, system, timestamp_ns")
    refused("rand() < 0.5", "it may have another outcome each time")
    refused("signal IN (SELECT s FROM VALUES ('SIG1') AS t(s))", "it has a subquery")
    refused("signal = ", "write it as after WHERE in Spark's SQL")
    refused("quality", "cannot be used")
    assertThat(answer(dataset).size).isEqualTo(60)
    assertThat(delete(dataset, options("quality = NULL")).asJava).isEmpty()
    assertThat(delete(dataset, options("signal = 'nobody'")).asJava).isEmpty()
  }

  @Test
  def onlyTheOwnerAndSuperusersDelete(): Unit = {
    val dataset = committed("owned", 1)
    val other = org.apache.hadoop.security.UserGroupInformation.createUserForTesting("other", Array("others"))
    fs.setPermission(new Path(path(dataset)), new FsPermission("777"))
    assertThatThrownBy { () =>
      other.doAs(new java.security.PrivilegedExceptionAction[Unit] {
        override def run(): Unit = client(_.purgeReplaced(path(dataset), null))
      })
    }.hasMessageContaining("user other may not delete the replaced files of")
  }
}
