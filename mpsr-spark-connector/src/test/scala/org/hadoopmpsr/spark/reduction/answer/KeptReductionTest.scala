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
package org.hadoopmpsr.spark.reduction.answer

import java.util.concurrent.CountDownLatch

import scala.collection.mutable
import scala.util.{Random, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.{col, expr}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.core.answer.AnswersFormat
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.jobs.{CompactDataset, DeleteRecords}
import org.hadoopmpsr.spark.reduction.Reductions
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.junit.jupiter.api.{AfterAll, BeforeAll, BeforeEach, Tag, Test, TestInstance}
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Reductions from kept answers equal those that read all files, whatever happens to the dataset in between. */
@TestInstance(Lifecycle.PER_CLASS)
class KeptReductionTest {
  import KeptReductionTest._
  import SparkFixture._

  /** Compiling takes longer than these queries. */
  private val interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")
  private val inMemory = interpreted :+ (ConfKeys.AnswersBytes -> "10000000")

  private var dfs: MiniDFSCluster = _
  private val told = mutable.ArrayBuffer.empty[KeptRead]
  private val reductions = new Reductions(told += _)

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @BeforeEach
  def forget(): Unit = {
    AnswerStore.forget()
    told.clear()
  }

  private def committed(name: String, commits: Int): SinkDataset = {
    val dataset = new SinkDataset(dfs, s"/cals/$name", TestRecords)
    (0 until commits).foreach(i => dataset.commit(TestRecords.rows(seed, i, 60)))
    dataset
  }

  private def inDirectory(directory: String) = interpreted :+ (ConfKeys.AnswersDirectory -> directory)

  private def read(dataset: SinkDataset): DataFrame = session.read.parquet(dataset.root.toString)

  /** The rows by the values that name them. */
  private def rows(ask: Ask, frame: DataFrame): Map[String, Row] = {
    val found = ask.of(reductions, frame).collect()
    val byKey = found.map(row => text(Row.fromSeq(row.toSeq.take(ask.keys))) -> row).toMap
    assertThat(byKey.size).isEqualTo(found.length)
    byKey
  }

  private def assertEqual(found: Map[String, Row], wanted: Map[String, Row], what: String): Unit = {
    assertThat(found.keySet).as(what).isEqualTo(wanted.keySet)
    found.foreach { case (key, row) =>
      row.toSeq.zip(wanted(key).toSeq).foreach {
        // rounding differs with the order in which moments are merged
        case (a: Double, b: Double) if !a.isNaN && !a.isInfinite => assertEquals(b, a, 1e-9 * (1 + Math.abs(b)), what)
        case (a, b) => assertEquals(text(b), text(a), what)
      }
    }
  }

  /** The answer with kept answers, which is the one without. */
  private def check(dataset: SinkDataset, ask: Ask, kept: Seq[(String, String)], what: String): Option[KeptRead] = {
    val before = told.size
    val wanted = withConf(interpreted: _*)(rows(ask, ask.records(read(dataset))))
    assertThat(told.size).isEqualTo(before)
    assertEqual(withConf(kept: _*)(rows(ask, ask.records(read(dataset)))), wanted, s"$what: $ask")
    told.drop(before).lastOption
  }

  private def merge(dataset: SinkDataset): Unit = assertThat(
    CompactDataset
      .compact(session, dataset.root.toString, CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList))
      .problem).isNull()

  private def delete(dataset: SinkDataset, where: String): Unit = {
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(_.keepHistory(dataset.root.toUri.getPath, null, 3600))
    DeleteRecords.delete(session, dataset.root.toString, new DeleteOptions(true, where, null, null, false, false, 0, 0, null), _ => ())
  }

  @Test
  def randomReductionsOfADatasetThatChanges(): Unit = randomReductions("random", 3)

  @Test
  @Tag("long")
  def manyRandomReductionsOfADatasetThatChanges(): Unit = randomReductions("many", Runs)

  private def randomReductions(name: String, runs: Int): Unit = {
    val dataset = committed(name, 2)
    val directory = s"${dfs.getURI}/user/answers-$name"
    val asks = (0 until runs).map(run => Ask(new Random(seed + 31L * run)))
    def round(what: String, ofMemory: Boolean): Seq[Option[KeptRead]] = asks.zipWithIndex.map { case (ask, run) =>
      if (!ofMemory) AnswerStore.forget()
      check(dataset, ask, if (run % 2 == 0) inMemory else inDirectory(directory), s"$what, request $run of seed $seed")
    }
    val first = round("first", ofMemory = true)
    assertThat(first.flatten.map(_.of).sum).isGreaterThan(runs)
    // those of which statistics leave no file are answered at once
    assertThat(first.count(_.isEmpty)).as(s"requests without answers of seed $seed").isLessThanOrEqualTo(1 + runs / 10)
    val again = round("again", ofMemory = true)
    assertThat(again.flatten.map(_.files).sum).as("files that are read again").isZero
    assertThat(again.count(_.isDefined)).isEqualTo(first.count(_.isDefined))
    val changes = Seq[(String, () => Unit)](
      "append" -> (() => dataset.commit(TestRecords.rows(seed, 2, 40))),
      "delete" -> (() => delete(dataset, "device = 'VAC1'")),
      "merge" -> (() => merge(dataset)),
      "append to merged" -> (() => dataset.commit(TestRecords.rows(seed, 3, 20))))
    changes.foreach { case (what, change) =>
      change()
      val found = round(what, ofMemory = true)
      if (what.startsWith("append")) assertThat(found.flatten.map(_.kept).sum).as(what).isPositive
      else if (what == "merge") assertThat(found.flatten.map(_.kept).sum).as(what).isZero
    }
    // another process has the directory alone
    val elsewhere = round("another process", ofMemory = false)
    elsewhere.zipWithIndex.foreach { case (read, run) => if (run % 2 == 1) assertThat(read.map(_.files).sum).as(s"request $run").isZero }
  }

  @Test
  def requestsThatDifferHaveAnswersOfTheirOwn(): Unit = {
    val dataset = committed("differ", 1)
    val all = read(dataset)
    val frames = Seq(
      all,
      all.where("value > 1"),
      all.where("value > 1.0000001"),
      all.where("value >= 1"),
      all.where("quality > 1"),
      all.where("label = 'a'"),
      all.where("label = 'A'"),
      all.where("label IN ('a', 'A')"),
      all.where("label IN ('a', 'A', 'a, A')"),
      all.withColumn("value", col("value") * 2),
      all.withColumn("value", col("reading").cast("double")))
    withConf(inMemory: _*) {
      frames.foreach(reductions.statistics(_, "value", Nil, Nil).collect())
      assertThat(told.map(_.kept).sum).isZero
      // what is computed of equal columns
      reductions.statistics(all, "value", Nil, Seq(0.5)).collect()
      reductions.statistics(all, "quality", Nil, Nil).collect()
      reductions.statistics(all, "value", Seq("device"), Nil).collect()
      reductions.chart(all, "timestamp_ns", "value", 0, Long.MaxValue, 10, Nil).collect()
      reductions.chart(all, "timestamp_ns", "value", 0, Long.MaxValue, 11, Nil).collect()
      reductions.chart(all, "timestamp_ns", "value", 1, Long.MaxValue, 10, Nil).collect()
      assertThat(told.map(_.kept).sum).isZero
      val asked = told.size
      withConf("spark.sql.session.timeZone" -> "Asia/Tokyo")(reductions.statistics(all, "value", Nil, Nil).collect())
      assertThat(told.map(_.kept).sum).isZero
      frames.foreach(reductions.statistics(_, "value", Nil, Nil).collect())
      assertThat(told.drop(asked + 1).map(_.files).sum).isZero
      assertThat(told.size).isEqualTo(asked + 1 + frames.size)
    }
  }

  @Test
  def whatDependsOnMoreThanRecordsIsNotKept(): Unit = {
    val dataset = committed("refused", 1)
    val all = read(dataset)
    session.udf.register("twice", (value: Double) => value * 2)
    dataset.root.getFileSystem(dfs.getConfiguration(0))
    withConf(inMemory: _*) {
      val frames = Seq(
        all.where("rand(1) < 2"),
        all.where("seen < current_timestamp()"),
        all.where("twice(value) > 1"),
        all.where("value > (SELECT 1)"),
        all.join(all.select("device").distinct(), "device"),
        all.limit(10),
        all.withColumn("value", expr("twice(value)")))
      frames.foreach(reductions.statistics(_, "value", Nil, Nil).collect())
      withConf("spark.sql.files.ignoreMissingFiles" -> "true")(reductions.statistics(all, "value", Nil, Nil).collect())
      stock(reductions.statistics(all, "value", Nil, Nil).collect())
      session.range(5).createOrReplaceTempView("five")
      reductions.statistics(session.table("five"), "id", Nil, Nil).collect()
      assertThat(told.isEmpty).isTrue
    }
    reductions.statistics(all, "value", Nil, Nil).collect()
    assertThat(told.isEmpty).isTrue
  }

  @Test
  def filesOfOrdinaryWritersAreReadEachTime(): Unit = {
    val dataset = committed("untracked", 1)
    val fs = dataset.root.getFileSystem(dfs.getConfiguration(0))
    val day = fs.listStatus(dataset.root).filter(_.isDirectory).head.getPath
    val file = fs.listStatus(day).head.getPath
    org.apache.hadoop.fs.FileUtil.copy(fs, file, fs, new Path(day, "ordinary.parquet"), false, dfs.getConfiguration(0))
    assertThat(check(dataset, Ask(new Random(1)), inMemory, "ordinary").isEmpty).isTrue
  }

  @Test
  def answersAreBounded(): Unit = {
    val dataset = committed("bounded", 1)
    val count = DecisionMetrics.sum("kept")
    withConf(interpreted :+ (ConfKeys.AnswersBytes -> "300"): _*) {
      (0 until 2).foreach { _ =>
        val few = reductions.statistics(read(dataset), "value", Seq("signal"), Nil).collect()
        assertThat(few.map(_.getLong(1)).sum).isEqualTo(60)
      }
    }
    // the first has begun to keep them, and the second knows that they are too many
    assertThat(told.size).isEqualTo(1)
    val directory = new Path(s"${dfs.getURI}/user/bounded")
    val fs = directory.getFileSystem(dfs.getConfiguration(0))
    val settings = inDirectory(directory.toString) :+ (ConfKeys.AnswersBytes -> "9000")
    withConf(settings: _*)((0 until 12).foreach(i => reductions.statistics(read(dataset).where(s"quality > $i"), "value", Nil, Nil).collect()))
    val files = answersIn(directory)
    assertThat(files.map(_.getLen).sum).isLessThanOrEqualTo(9000)
    assertThat(files.length).isBetween(1, 11)
    assertThat(DecisionMetrics.sum("kept")).isEqualTo(count)
    // what is not used for days is deleted with the next answer, the last one that was kept too
    files.foreach(status => fs.setTimes(status.getPath, status.getModificationTime - 8L * 86400000, -1))
    withConf(settings: _*)(reductions.statistics(read(dataset).where("quality > 99"), "value", Nil, Nil).collect())
    assertThat(answersIn(directory).length).isEqualTo(1)
  }

  private def answersIn(directory: Path) =
    directory.getFileSystem(dfs.getConfiguration(0)).listStatus(directory).toSeq.filter(_.getPath.getName.endsWith(".answers"))

  /** As if the last look for files that are gone had been long ago. */
  private def lookAgain(directory: Path): Unit = {
    GoneLooks.forget()
    val fs = directory.getFileSystem(dfs.getConfiguration(0))
    if (fs.exists(directory)) {
      fs.listStatus(directory).filter(_.getPath.getName.endsWith(".looked")).foreach(mark => fs.setTimes(mark.getPath, 0, -1))
    }
  }

  private def purge(dataset: SinkDataset): Unit =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI)) { client =>
      assertThat(client.purgeReplaced(dataset.root.toUri.getPath, null).files).isPositive
    }

  @Test
  def noQueryWaitsForALookAndTheNextOneIsAMinuteLater(): Unit = {
    val dataset = committed("beside", 1)
    val segment = dataset.commit(TestRecords.rows(seed, 1, 60))
    val directory = new Path(s"${dfs.getURI}/user/beside")
    val fs = directory.getFileSystem(dfs.getConfiguration(0))
    def ask(column: String): Int = {
      withConf(inDirectory(directory.toString): _*)(reductions.statistics(read(dataset), column, Nil, Nil).collect())
      told.last.of
    }
    def kept: Int = answersIn(directory).map(status => Using.resource(fs.open(status.getPath))(AnswersFormat.files(_).get).files.size).sum
    val first = ask("value")
    GoneLooks.finish(60000)
    dataset.rewrite("again", Seq(segment), TestRecords.rows(seed, 1, 60))
    purge(dataset)
    // this process has looked
    val second = ask("quality")
    GoneLooks.finish(60000)
    assertEquals(first + second, kept)
    // and another one sees that
    AnswerStore.forget()
    assertEquals(second, ask("quality"))
    GoneLooks.finish(60000)
    assertEquals(first + second, kept)
    lookAgain(directory)
    val free = new CountDownLatch(1)
    GoneLooks.thread.execute(() => free.await())
    try {
      // the answer is there although nothing can be looked for
      val third = ask("reading")
      assertEquals(first + second + third, kept)
      free.countDown()
      GoneLooks.finish(60000)
      assertThat(kept).isBetween(second + third + 1, first + second + third - 1)
    } finally free.countDown()
  }

  @Test
  def answersAreDroppedWithTheirFiles(): Unit = {
    val changed = committed("gone", 1)
    val segment = changed.commit(TestRecords.rows(seed, 1, 60))
    val other = committed("there", 1)
    val directory = new Path(s"${dfs.getURI}/user/gone")
    val fs = directory.getFileSystem(dfs.getConfiguration(0))
    def ask(dataset: SinkDataset, column: String): Int = {
      lookAgain(directory)
      withConf(inDirectory(directory.toString): _*)(reductions.statistics(read(dataset), column, Nil, Nil).collect())
      GoneLooks.finish(60000)
      told.last.of
    }
    def kept: Seq[Int] = answersIn(directory).map { status =>
      Using.resource(fs.open(status.getPath))(AnswersFormat.files(_).get).files.size
    }.sorted
    def assertKept(files: Int*): Unit = assertEquals(files.sorted, kept)
    val all = ask(changed, "value")
    assertEquals(all, ask(changed, "quality"))
    val ofOther = ask(other, "value")
    assertKept(all, all, ofOther)
    // files that were replaced can be read as of before: what they answered stays
    changed.rewrite("again", Seq(segment), TestRecords.rows(seed, 1, 60))
    ask(other, "quality")
    assertKept(all, all, ofOther, ofOther)
    // nobody asks of the dataset again, and what its files answered goes with a query of another
    purge(changed)
    ask(other, "reading")
    val left = kept.head
    assertThat(left).isBetween(1, all - 1)
    assertKept(left, left, ofOther, ofOther, ofOther)
    // those that are left are used
    AnswerStore.forget()
    ask(changed, "value")
    assertEquals(left, told.last.kept)
    val inMemory = AnswerStore.bytes
    merge(changed)
    purge(changed)
    ask(other, "grade")
    assertKept(ofOther, ofOther, ofOther, ofOther)
    assertThat(AnswerStore.bytes).isLessThan(inMemory)
  }

  @Test
  def aDirectoryOfOthersIsRefused(): Unit = {
    val dataset = committed("rights", 1)
    val directory = new Path(s"${dfs.getURI}/user/open")
    val fs: FileSystem = directory.getFileSystem(dfs.getConfiguration(0))
    def ask() = withConf(inDirectory(directory.toString): _*)(reductions.statistics(read(dataset), "value", Nil, Nil).collect())
    ask()
    assertThat(fs.getFileStatus(directory).getPermission).isEqualTo(new FsPermission("700"))
    fs.setPermission(directory, new FsPermission("750"))
    assertThatThrownBy(() => ask()).isInstanceOf(classOf[java.io.IOException]).hasMessageContaining("its mode is rwxr-x---, so that others may use it")
    fs.setPermission(directory, new FsPermission("700"))
    fs.setOwner(directory, "someone", null)
    assertThatThrownBy(() => ask()).hasMessageContaining("it belongs to someone, and you are")
  }

  @Test
  def brokenAnswersAreMadeAgain(): Unit = {
    val dataset = committed("broken", 1)
    val directory = new Path(s"${dfs.getURI}/user/broken")
    val fs = directory.getFileSystem(dfs.getConfiguration(0))
    val ask = Ask("quality > 0", "statistics of quality", 1)(_.statistics(_, "quality", Seq("device"), Nil))
    val first = check(dataset, ask, inDirectory(directory.toString), "first").get
    val Seq(answers) = answersIn(directory)
    val bytes = new Array[Byte](answers.getLen.toInt)
    Using.resource(fs.open(answers.getPath))(_.readFully(0, bytes))
    bytes(bytes.length / 2) = (bytes(bytes.length / 2) ^ 1).toByte
    Using.resource(fs.create(answers.getPath, true))(_.write(bytes))
    AnswerStore.forget()
    val again = check(dataset, ask, inDirectory(directory.toString), "again").get
    assertThat(again.files).isEqualTo(first.of)
    AnswerStore.forget()
    assertThat(check(dataset, ask, inDirectory(directory.toString), "at last").get.files).isZero
  }
}

private object KeptReductionTest {
  private val Runs = Integer.getInteger("mpsr.reductions", 20)
  private val Day = 86400L * 1000000000L
  private val FirstDay = 16189L * Day

  private val Values = Seq("value", "quality", "reading", "grade", "price", "total")
  private val Keys = Seq(Nil, Nil, Seq("device"), Seq("system", "ok"), Seq("value"), Seq("installed"))
  private val Conditions = Seq(
    "true",
    "signal = 'SIG3'",
    "device IN ('VAC1', 'CRYO1')",
    "timestamp_ns >= 1398902400000000000 AND timestamp_ns < 1398988800000000000",
    "quality > 0 OR label IS NULL",
    "device = 'POWER' AND value > -1",
    "pos.x > 0 AND upper(label) = 'A'")

  /** @param keys how many columns name a row */
  private final case class Ask(condition: String, what: String, keys: Int)(val of: (Reductions, DataFrame) => DataFrame) {
    def records(frame: DataFrame): DataFrame = frame.where(condition)
  }

  private object Ask {
    def apply(random: Random): Ask = {
      def pick[T](from: Seq[T]): T = from(random.nextInt(from.size))
      val value = pick(Values)
      val by = pick(Keys)
      val begin = FirstDay + random.nextInt(4) * Day
      val end = begin + Day + (random.nextDouble() * 3 * Day).toLong
      val width = 1 + random.nextInt(40)
      val condition = pick(Conditions)
      random.nextInt(4) match {
        case 0 =>
          val shares = pick(Seq(Nil, Seq(0.0, 0.5, 1.0)))
          Ask(condition, s"statistics of $value by $by, $shares", by.size)(_.statistics(_, value, by, shares))
        case 1 =>
          val length = pick(Seq(Day, Day / 24, 7777777777777L))
          Ask(condition, s"intervals of $value by $by, $length", by.size + 1)(_.intervals(_, "timestamp_ns", value, length, 0, by, Nil))
        case 2 =>
          Ask(condition, s"chart of $value by $by, from $begin to $end, $width", by.size + 2)(
            _.chart(_, "timestamp_ns", value, begin, end, width, by))
        case _ =>
          Ask(condition, s"heat map of $value from $begin to $end, $width", 2)(_.heatMap(_, "timestamp_ns", value, "device", begin, end, width))
      }
    }
  }
}
