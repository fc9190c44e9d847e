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
package org.hadoopmpsr.spark.write

import java.util.Collections.singletonList

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.hadoop.security.UserGroupInformation
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.TaskContext
import org.apache.spark.sql.{classic, DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical.CommandResult
import org.apache.spark.sql.functions.{col, expr, lit, udf}
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.util.SerializableConfiguration
import org.assertj.core.api.Assertions.{assertThat, assertThatList, assertThatThrownBy}
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.columnar.flush.FlushCodecs
import org.hadoopmpsr.core.codec.CodecProfile
import org.hadoopmpsr.core.group.{Codec, Codecs, Predicate, ReplicaGroup, ReplicaGroups, WantedGroup}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestEvents, TestRecords, TestTable}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, DatasetText}
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.junit.jupiter.api.{Tag, Test}

/** What Spark appends to a dataset is in every group at once, and what cannot be is read as on stock. */
class WriteToGroupsTest extends WrittenDataset {
  import SparkFixture._

  /** What Spark shows of a statement that writes. */
  private def metrics(inserted: DataFrame): Map[String, Long] =
    inserted.asInstanceOf[classic.DataFrame].queryExecution.commandExecuted
      .collectFirst { case result: CommandResult => result.commandPhysicalPlan.metrics.map { case (name, m) => name -> m.value } }
      .get

  @Test
  def anAppendIsInAllGroupsInOneCommit(): Unit = {
    inOneCommit(120)(append(frame(more(1))))
    inOneCommit(120)(withDay(frame(more(2))).write.mode("append").partitionBy("day").parquet(path))
    val shown = frame(more(3)).select(TestRecords.schema.columns.asScala.toSeq.reverse.map(c => col(c.name)): _*)
    inOneCommit(120)(append(shown)) // columns are found by their names
    checkAll((0 to 3).flatMap(i => if (i == 0) TestRecords.rows(seed, 0, 100) else more(i)))
    append(frame(Nil))
    assertNothingStaged()
    assertThat(segments.size).as("an append without records is no commit").isEqualTo(4)
  }

  /** As a sink does: the standard codec first, and then what profiles and the times of files tell. */
  @Tag("long")
  @Test
  def aCodecIsChosen(): Unit = {
    val cluster = TestClusters.of(TestChosenCodecs.groups, "dfs.mpsr.replica.group.signal.codec" -> "auto")
    try {
      val chosen = new SinkDataset(cluster, "/cals/chosen", TestChosenCodecs)
      def append(commit: Int): Unit =
        withDay(frame(TestChosenCodecs, TestChosenCodecs.rows(seed, commit, 3000))).coalesce(1).write.mode("append").partitionBy("day").parquet(
          chosen.root.toString)
      append(1)
      val first = codecsOf(cluster, "signal", Set.empty)
      assertThatList(first.values.flatten.toSeq.distinct.asJava).containsExactly("ZSTD")
      chosen.table.schema.columns.forEach(column =>
        FlushCodecs.OF_PROCESS.codecs.profiles.measured(
          s"/cals/chosen:signal.${column.name}",
          java.util.List.of(new CodecProfile(Codec.parse("lz4_raw"), 1, 0.7, 1), new CodecProfile(Codec.STANDARD, 1e9, 0.7, 1))))
      append(2)
      val second = codecsOf(cluster, "signal", first.keySet)
      assertThat(second.values.flatten.toSet.contains("LZ4_RAW")).as(second.toString).isTrue()
      assertThatList(codecsOf(cluster, "device", Set.empty).values.flatten.toSeq.distinct.asJava).as("not auto").containsExactly("ZSTD")
      checkAll((1 to 2).flatMap(TestChosenCodecs.rows(seed, _, 3000)), chosen)
    } finally cluster.shutdown(true)
  }

  /** The codecs of a group's files, but of those that are known. */
  private def codecsOf(cluster: MiniDFSCluster, group: String, known: collection.Set[String]): Map[String, Set[String]] = {
    val files = cluster.getFileSystem.listFiles(new Path("/.mpsr/datasets"), true)
    Iterator.continually(()).takeWhile(_ => files.hasNext).map(_ => files.next().getPath)
      .filter(file => file.toUri.getPath.contains(s"/$group/") && !known.contains(file.getName)).map { file =>
        val footer = ParquetFileReader.open(HadoopInputFile.fromPath(file, cluster.getConfiguration(0)))
        try file.getName -> footer.getRowGroups.asScala.flatMap(_.getColumns.asScala).map(_.getCodec.name).toSet
        finally footer.close()
      }.toMap
  }

  /** Default partitions that are columns, among them strings and nulls; and a commit that would have too many files. */
  @Tag("long")
  @Test
  def partitionsMayBeColumns(): Unit = {
    val cluster = TestClusters.of(TestEvents.groups, "dfs.mpsr.commit.max.files" -> "120")
    try {
      val events = new SinkDataset(cluster, "/cals/events", TestEvents)
      val some = TestEvents.rows(seed, 1, 40)
      def write(rows: Seq[Row], tasks: Int): Unit =
        frame(TestEvents, rows).repartition(tasks).write.mode("append").partitionBy("region", "kind").parquet(events.root.toString)
      write(some, 1)
      assertThat(client(cluster)(_.untracked("/cals/events")).size).isZero()
      checkAll(some, events)
      write(TestEvents.rows(seed, 2, 400), 4)
      assertThat(client(cluster)(_.segments("/cals/events")).segments.size).isEqualTo(1)
      assertThat(session.read.parquet(events.root.toString).count()).isEqualTo(440)
      val counted = DecisionMetrics.sum("writes.ordinary")
      cluster.stopDataNode(nodeOf(cluster, "name"))
      write(TestEvents.rows(seed, 3, 5), 1)
      assertThat(DecisionMetrics.sum("writes.ordinary")).as("a group cannot be written").isEqualTo(counted + 1)
      assertThat(client(cluster)(_.segments("/cals/events")).segments.size).isEqualTo(1)
      assertThat(stock(session.read.parquet(events.root.toString).count())).isEqualTo(445)
    } finally cluster.shutdown(true)
  }

  /** A DataNode that has files of a group. */
  private def nodeOf(cluster: MiniDFSCluster, group: String): String = {
    val files = cluster.getFileSystem.listFiles(new Path("/.mpsr/datasets"), true)
    Iterator.continually(files.next()).find(_.getPath.toUri.getPath.contains(s"/$group/")).get.getBlockLocations.head.getNames.head
  }

  @Test
  def insertsGoToAllGroups(): Unit = {
    withDay(frame(more(2))).createOrReplaceTempView("more_by_day")
    session.sql(s"CREATE TABLE spark_written USING parquet LOCATION '$path'")
    try {
      session.sql("MSCK REPAIR TABLE spark_written")
      assertThat(session.sql("EXPLAIN INSERT INTO spark_written SELECT * FROM more_by_day").head().getString(0))
        .contains("Execute WriteToGroups").contains(s"$path, groups time, signal, device")
      inOneCommit(120)(withDay(frame(more(1))).write.insertInto("spark_written"))
      inOneCommit(120) {
        val shown = metrics(session.sql("INSERT INTO spark_written SELECT * FROM more_by_day"))
        assertThatList(Seq("numOutputRows", "numParts").map(shown).asJava).containsExactly(120L, 6L)
        assertThat(shown("numFiles")).isGreaterThan(6L)
        assertThat(shown("numOutputBytes")).isGreaterThan(1000L)
      }
      val next = withDay(frame(more(3)).withColumn("timestamp_ns", col("timestamp_ns") + lit(86400000000000L * 100)))
      inOneCommit(120)(next.write.mode("append").format("parquet").partitionBy("day").saveAsTable("spark_written"))
      assertThat(session.table("spark_written").count()).as("with the partitions that are new").isEqualTo(460)
      assertThat(stock(session.table("spark_written").count())).isEqualTo(460)
    } finally session.sql("DROP TABLE spark_written")
  }

  @Test
  def aFailingTaskLeavesNothing(): Unit = {
    val before = segments.size
    val fails = udf((signal: String, value: Long) => if (value % 50 == 7 || value % 2 == 0) signal else throw new IllegalStateException("planned"))
    assertThatThrownBy(() => append(frame(more(1)).withColumn("signal", fails(col("signal"), col("timestamp_ns")))))
      .hasStackTraceContaining("planned")
    assertThat(segments.size).isEqualTo(before)
    assertThat(untracked).isZero()
    assertNothingStaged()
    assertThat(read.count()).isEqualTo(100)
  }

  /** Each is read as on stock, and nothing of it is in a commit. */
  @Test
  def whatDoesNotFitGoesTheOrdinaryWay(): Unit = {
    val commits = segments.size
    val one = withDay(frame(more(1))).where("signal IN ('SIG3', 'SIG4')").limit(3).coalesce(1).localCheckpoint()
    def ordinary(what: String)(write: => Unit): Unit = {
      val counted = DecisionMetrics.sum("writes.ordinary")
      write
      assertThat(DecisionMetrics.sum("writes.ordinary")).as(what).isEqualTo(counted + 1)
      assertThat(segments.size).as(what).isEqualTo(commits)
    }
    def byDay(frame: DataFrame, options: (String, String)*): Unit =
      frame.write.mode("append").options(options.toMap).partitionBy("day").parquet(path)
    ordinary("compression")(byDay(one, "compression" -> "gzip"))
    ordinary("a column less")(byDay(one.drop("system")))
    ordinary("a column more")(byDay(one.withColumn("another", lit(1))))
    ordinary("another type")(byDay(one.withColumn("quality", col("quality").cast("bigint")).limit(0)))
    ordinary("a text for a day")(byDay(one.withColumn("day", col("day").cast("string"))))
    ordinary("a day of another record")(byDay(one.withColumn("day", lit("2031-01-01").cast("date"))))
    ordinary("a missing value")(byDay(one.withColumn("device", lit(null).cast("string"))))
    ordinary("another calendar")(withConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> "LEGACY")(byDay(one)))
    withConf("spark.sql.sources.partitionOverwriteMode" -> "dynamic") {
      ordinary("an overwrite of a part of a segment")(one.limit(1).write.mode("overwrite").partitionBy("day").parquet(path))
    }
    assertThat(untracked).isGreaterThan(0)
    assertNothingStaged()
    def found = rows(read.select("timestamp_ns", "device", "label", "day"))
    assertThatList(found.asJava).isEqualTo(stock(found).asJava)
  }

  /** `EXCEPTION`, the default before Spark 4, lets no day and no time pass whose calendar is in doubt. */
  @Test
  def whereOldTimesFailOnStockTheyFailAlike(): Unit =
    withConf(
      "spark.sql.parquet.datetimeRebaseModeInWrite" -> "EXCEPTION",
      "spark.sql.parquet.int96RebaseModeInWrite" -> "EXCEPTION") {
      inOneCommit(120)(append(frame(more(1))))
      val commits = segments.size
      Seq("installed" -> "DATE'1000-01-01'", "seen" -> "TIMESTAMP'1850-01-01 00:00:00'").foreach { case (name, old) =>
        val rows = frame(more(2)).withColumn(name, expr(old))
        def failure(): Option[String] =
          try { append(rows); None }
          catch { case e: Exception => condition(e) }
        assertThat(stock(failure()).getOrElse("written")).as(s"stock with $old").contains("WRITE_ANCIENT_DATETIME")
        assertThat(failure().getOrElse("written")).as(old).isEqualTo(stock(failure()).get)
      }
      assertThat(segments.size).isEqualTo(commits)
      assertThat(untracked).isZero()
      assertNothingStaged()
    }

  @Test
  def aSessionCanLeaveItToMaintenance(): Unit = {
    val commits = segments.size
    withConf(ConfKeys.Writes -> "false")(withDay(frame(more(1))).write.mode("append").partitionBy("day").parquet(path))
    stock(withDay(frame(more(2))).write.mode("append").partitionBy("day").parquet(path))
    assertThat(segments.size).isEqualTo(commits)
    assertThat(untracked).isGreaterThan(0)
    assertThat(read.count()).isEqualTo(340)
  }

  /** What the body does as a user who has a superuser's rights nowhere; the threads of Spark's tasks are this user too. */
  private def as[T](user: String)(body: => T): T = {
    val self = UserGroupInformation.getLoginUser
    UserGroupInformation.setLoginUser(UserGroupInformation.createUserForTesting(user, Array("others")))
    try body
    finally UserGroupInformation.setLoginUser(self)
  }

  @Test
  def whoMayWriteTheDirectoryMayWriteToAllGroups(): Unit = {
    val rows = frame(more(1)).localCheckpoint()
    as("reader")(assertThatThrownBy(() => append(rows)).hasStackTraceContaining("Permission denied: user=reader, access=WRITE"))
    assertThat(segments.size).isEqualTo(1)
    assertNothingStaged()
    val fs = dfs.getFileSystem
    fs.setPermission(dataset.root, new FsPermission("777"))
    inOneCommit(120)(as("writer")(append(rows)))
    val own = fs.listStatus(dataset.root).flatMap(day => fs.listStatus(day.getPath)).filter(_.getPath.getName.startsWith("spark-"))
    assertThat(own.map(_.getOwner).distinct).containsExactly("writer")
  }

  /** A task writes its rows in several parts, and the answer of the NameNode is lost. */
  @Test
  @Tag("long")
  def manyRowsAreWrittenInParts(): Unit = {
    val many = TestRecords.rows(seed, 1, 2100)
    val shown = frame(many).coalesce(1).asInstanceOf[classic.DataFrame]
    val found = client()(_.getDataset(dataset.root.toUri.getPath))
    val form = WriteForm(TestRecords.schema.columns.asScala.toSeq.map(c => shown.columns.indexOf(c.name)), Nil)
    inOneCommit(2100) {
      val write = new GroupsWrite(shown.sparkSession, WriteTarget(dataset.root, found, form, None, None), Some(1))
      write.run(shown.queryExecution.executedPlan) match {
        case WriteOutcome.Written(stats, _) =>
          assertThat(stats.rows).isEqualTo(2100)
          assertThat(stats.partitions.size).isEqualTo(6)
          assertThat(stats.files).as("three parts of 6 days, 4 buckets and 5 devices").isBetween(31, 45)
        case other => assertThat(other.toString).isEmpty()
      }
    }
    checkAll(TestRecords.rows(seed, 0, 100) ++ many)
  }

  /** The same commit again is known as published. */
  @Test
  def aCommitIsNeverPublishedTwice(): Unit = client() { c =>
    val found = c.getDataset(dataset.root.toUri.getPath)
    def begun() = {
      val commit = new WriteCommit(c, dfs.getFileSystem, WriteTarget(dataset.root, found, WriteForm(Nil, Nil), None, None))
      (commit, commit.begin().fold(reason => throw new AssertionError(reason), identity))
    }
    val stats = WrittenStats(Set.empty, files = 1, bytes = 1, rows = 120)
    val (commit, staging) = begun()
    val files = staged(staging, more(1))
    assertThat(commit.publish(staging, files, stats)).isEqualTo(WriteCommit.Published)
    assertThat(commit.publish(staging, files, stats)).isEqualTo(WriteCommit.Published)
    assertThat(segments.size).isEqualTo(2)
    val (gone, directory) = begun()
    val lost = staged(directory, more(2))
    gone.discard()
    assertThat(gone.publish(directory, lost, stats)).isInstanceOf(classOf[WriteCommit.Refused])
    val (refused, third) = begun()
    assertThat(refused.publish(third, staged(third, more(3)).tail, stats)).isInstanceOf(classOf[WriteCommit.Refused])
    assertNothingStaged()
    assertThat(segments.size).isEqualTo(2)
  }

  private def staged(begun: BegunChange, records: Seq[Row]): Seq[StagedFile] = {
    val shown = frame(records).coalesce(1).asInstanceOf[classic.DataFrame]
    val conf = session.sparkContext.broadcast(new SerializableConfiguration(dfs.getConfiguration(0)))
    val text = DatasetText.written(client()(_.getDataset(dataset.root.toUri.getPath)))
    val task = new GroupsTask(text, dataset.root.toUri.getPath, dfs.getURI, conf, begun, WriteForm(shown.columns.indices, Nil), None)
    shown.queryExecution.toRdd.mapPartitions(rows => task.write(TaskContext.get(), rows).files.iterator).collect().map(StagedFile.of).toSeq
  }

  /** Nobody reads a group that is not complete, and it lacks only what was there before. */
  @Test
  def anIncompleteGroupIsWrittenToo(): Unit = {
    val wanted = new WantedGroup("device", singletonList(Predicate.parse("bucket(3, device)")), java.util.List.of(), null)
    val altered = client()(_.alterations.set(dataset.root.toUri.getPath, null, wanted))
    inOneCommit(120)(append(frame(more(1))))
    val added = altered.alterations.get(0).group.name
    val inAdded = segments.filter(_.id.startsWith("spark-")).map(_.groups.get(added).content.count)
    assertThatList(inAdded.asJava).containsExactly(120L)
    assertThat(read.count()).isEqualTo(220)
  }

  /** The NameNode lets one of several begin where the other one ended. */
  @Test
  def appendsAtTheSameTimeAreAllThere(): Unit = {
    val frames = (1 to 3).map(i => frame(TestRecords.rows(seed, i, 30)).coalesce(1))
    frames.map(f => Future(append(f))(ExecutionContext.global)).foreach(Await.result(_, 3.minutes))
    assertThatList(segments.map(_.content.count).asJava).containsExactlyInAnyOrder(100L, 30L, 30L, 30L)
    assertThat(untracked).isZero()
  }

  /** The stream ends between the commit of a batch and its own record of it. */
  @Test
  def aStreamThatIsStartedAgainWritesItsBatchOnce(): Unit = {
    val (in, checkpoint) = (s"${dfs.getURI}/in${System.nanoTime()}", s"${dfs.getURI}/checkpoint${System.nanoTime()}")
    frame(more(1)).coalesce(1).write.parquet(in)
    def run(): Unit = session.readStream.schema(frame(Nil).schema).parquet(in).writeStream
      .option("checkpointLocation", checkpoint)
      .trigger(Trigger.AvailableNow())
      .foreachBatch { (batch: DataFrame, id: Long) =>
        append(batch, ConfKeys.StreamOption -> "in", ConfKeys.BatchOption -> id.toString)
      }
      .start()
      .awaitTermination()
    inOneCommit(120)(run())
    assertThat(dfs.getFileSystem.delete(new Path(checkpoint, "commits/0"), false)).isTrue
    val repeated = DecisionMetrics.sum("writes.repeated")
    run()
    assertThat(DecisionMetrics.sum("writes.repeated")).isEqualTo(repeated + 1)
    assertThat(segments.size).isEqualTo(2)
  }

  @Test
  def aBatchOfAStreamIsWrittenOnce(): Unit = {
    def batch(number: Long, rows: Seq[Row], stream: String = "meas"): Unit =
      append(frame(rows), ConfKeys.StreamOption -> stream, ConfKeys.BatchOption -> number.toString)
    inOneCommit(120)(batch(0, more(1)))
    val (commits, repeated) = (segments.size, DecisionMetrics.sum("writes.repeated"))
    batch(0, more(2))
    assertThat(segments.size).isEqualTo(commits)
    assertThat(DecisionMetrics.sum("writes.repeated")).isEqualTo(repeated + 1)
    inOneCommit(120)(batch(5, more(3)))
    batch(4, more(4))
    inOneCommit(120)(batch(0, more(5), "other"))
    assertThat(read.count()).isEqualTo(460)
    assertThatThrownBy(() => append(frame(more(6)).drop("system"), ConfKeys.StreamOption -> "meas", ConfKeys.BatchOption -> "6"))
      .isInstanceOf(classOf[ExactlyOnceException])
      .hasMessageContaining("exactly once: it lacks the column 'system'")
    assertThatThrownBy(() => append(frame(more(6)), ConfKeys.BatchOption -> "6")).hasMessageContaining(s"lacks ${ConfKeys.StreamOption}")
    stock(assertThatThrownBy(() => batch(6, more(6))).isInstanceOf(classOf[ExactlyOnceException]))
    assertThat(untracked).isZero()
  }
}

/** The records of others, in a group whose codec is chosen. */
private object TestChosenCodecs extends TestTable {
  override val name = "chosen"
  override val schema: Schema = TestRecords.schema
  override val groups: ReplicaGroups = new ReplicaGroups(
    TestRecords.groups.groups.asScala.map { g =>
      if (g.name == "signal") new ReplicaGroup(g.name, g.predicates, g.sort, g.replication, Codecs.parse("auto")) else g
    }.asJava,
    TestRecords.groups.defaultName)
  override val key: String = TestRecords.key

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = TestRecords.rows(seed, commit, count)
}
