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

import java.util.concurrent.{ConcurrentLinkedQueue, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.Duration
import scala.jdk.CollectionConverters._
import scala.util.{Failure, Random, Success, Try, Using}

import org.apache.hadoop.fs.{FileStatus, FileSystem, FileUtil, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{DataFrame, Row, SaveMode, SparkSession}
import org.apache.spark.sql.functions.col
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.adopt.AdoptOptions
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.source.SparkTypes
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/**
 * Several writers that know nothing of MPSR change a dataset while the sink commits, files become segments and segments are merged. At
 * each moment in which the directory stays as it is, every group answers as stock Spark does. `-Dmpsr.seed=N` replays one seed,
 * `-Dmpsr.seeds=N` runs so many from there, `-Dmpsr.changes=N` so many changes of each writer. A seed fixes what each writer does, and not when.
 */
@TestInstance(Lifecycle.PER_CLASS)
class OrdinaryWritersTest {
  import OrdinaryWritersTest._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = dfs = TestClusters.of(TestRecords.groups)

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @Test
  def readersAgreeAtEachMoment(): Unit = {
    val first = sys.props.get("mpsr.seed").map(_.toLong).getOrElse(0L)
    (first until first + sys.props.get("mpsr.seeds").map(_.toInt).getOrElse(1)).foreach { seed =>
      val run = new Run(dfs, seed)
      try run.run()
      catch {
        case e: Throwable =>
          throw new AssertionError(s"seed $seed (replay with -Dmpsr.seed=$seed) after\n  ${run.log.asScala.mkString("\n  ")}\n$e", e)
      }
    }
  }
}

private object OrdinaryWritersTest {
  private val Changes = sys.props.get("mpsr.changes").map(_.toInt).getOrElse(3)

  private val Filters =
    Seq("true", "signal = 'SIG3'", "device = 'VAC2' AND quality = 2", "day = '2014-05-01'", "signal = 'SIG4' AND day > '2014-04-30'")

  private final class Run(dfs: MiniDFSCluster, seed: Long) {
    private val fs: FileSystem = dfs.getFileSystem
    private val dataset = new SinkDataset(dfs, s"/ordinary/$seed", TestRecords)
    private val root = dataset.root
    private val table = s"ordinary$seed"
    private val ours = SparkFixture.session.newSession()
    private val stock = withoutMpsr()
    private val compared = new AtomicInteger
    private val records = new AtomicInteger
    val log = new ConcurrentLinkedQueue[String]

    def run(): Unit = {
      (0 until 2).foreach(_ => dataset.commit(rows()))
      stock.sql(s"CREATE TABLE $table USING parquet LOCATION '$root'")
      try {
        stock.sql(s"MSCK REPAIR TABLE $table")
        val writers = Seq(spark(1), spark(2), files(), own()).map(all => Future(all.foreach(change))(ExecutionContext.global))
        val random = new Random(seed)
        while (!writers.forall(_.isCompleted)) compare(pick(random, Filters))
        writers.foreach(Await.result(_, Duration(1, TimeUnit.MINUTES)))
        adopt()
        Filters.foreach(filter => assertThat(compare(filter)).as(s"nobody changes the directory, $filter").isTrue)
        println(s"seed $seed: ${log.size} changes, ${compared.get} comparisons")
      } finally stock.sql(s"DROP TABLE $table")
    }

    private def withoutMpsr(): SparkSession = {
      val session = SparkFixture.session.newSession()
      session.conf.set(ConfKeys.Enabled, "false")
      session.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
      session
    }

    /** Now and then, readers find time to compare before the next change. Spark's writers may fail where two of them write at once. */
    private def change(change: (String, () => Unit)): Unit = {
      log.add(change._1)
      Try(change._2()).failed.foreach(e => log.add(s"  ${change._1} failed: ${e.getMessage.takeWhile(_ != '\n')}"))
      val before = compared.get
      if (before % 2 == 0) await().atMost(java.time.Duration.ofMinutes(1)).until(() => compared.get > before)
    }

    /** The files that stock Spark reads. */
    private def listing: Set[(String, Long, Long)] = {
      def below(directory: Path): Seq[FileStatus] = Try(fs.listStatus(directory).toSeq).getOrElse(Nil)
        .filterNot(status => status.getPath.getName.startsWith(".") || status.getPath.getName.startsWith("_"))
        .flatMap(status => if (status.isDirectory) below(status.getPath) else Seq(status))
      below(root).map(status => (status.getPath.toUri.getPath, status.getLen, status.getModificationTime)).toSet
    }

    /** False if the directory has changed meanwhile. */
    private def compare(filter: String): Boolean = {
      val before = listing
      val groups = TestRecords.groups.names.asScala.toSeq
      val answers = Try((groups.map(Some(_)) :+ None).map { group =>
        val read = ours.read.parquet(root.toString)
        group.map(_.toString) -> SparkFixture.rows(group.fold(read)(read.hint("mpsr", _)).where(filter))
      })
      val expected = Try(SparkFixture.rows(stock.read.parquet(root.toString).where(filter)))
      val isQuiet = listing == before
      if (isQuiet) {
        answers match {
          case Success(all) =>
            all.foreach { case (group, found) =>
              assertThat(found.asJava).as(s"$filter in ${group.getOrElse("the cheapest group")}").isEqualTo(expected.get.asJava)
            }
          case Failure(e) => throw new AssertionError(s"$filter failed, and nothing has changed", e)
        }
        compared.incrementAndGet()
      }
      isQuiet
    }

    private def rows(): Seq[Row] = TestRecords.rows(seed, records.getAndIncrement(), 30)

    private def frame(session: SparkSession): DataFrame = {
      val data = rows().map(row => Row.fromSeq(dataset.logical.map(column => dataset.value(row, column.name))))
      session.createDataFrame(data.asJava, SparkTypes.structType(dataset.logical))
    }

    private def spark(writer: Int): Seq[(String, () => Unit)] = {
      val session = withoutMpsr()
      val random = new Random(seed * 10 + writer)
      def append(version: Int): Unit =
        frame(session).write.mode(SaveMode.Append).option("mapreduce.fileoutputcommitter.algorithm.version", version.toString)
          .partitionBy("day").parquet(root.toString)
      Seq.fill(Changes)(random.nextInt(4)).map {
        case 0 => s"Spark $writer appends (committer 1)" -> (() => append(1))
        case 1 => s"Spark $writer appends (committer 2)" -> (() => append(2))
        case 2 => s"Spark $writer inserts" -> { () =>
            frame(session).createOrReplaceTempView("more")
            session.sql(s"INSERT INTO $table SELECT * FROM more")
            ()
          }
        case _ =>
          val day = s"2014-05-0${1 + random.nextInt(3)}"
          s"Spark $writer overwrites $day" -> { () =>
            frame(session).where(col("day") === day).write.mode(SaveMode.Overwrite).partitionBy("day").parquet(root.toString)
          }
      }
    }

    /** Somebody with `hdfs dfs`. */
    private def files(): Seq[(String, () => Unit)] = {
      val session = withoutMpsr()
      val random = new Random(seed * 10)
      val scratch = new Path(s"/scratch/$seed")
      def put(name: String, seen: Boolean): Unit = {
        frame(session).where("day = '2014-05-01'").drop("day").coalesce(1).write.mode(SaveMode.Overwrite).parquet(s"${dfs.getURI}$scratch")
        val file = fs.listStatus(scratch).map(_.getPath).find(_.getName.endsWith(".parquet")).get
        val hidden = new Path(root, s"day=2014-05-01/.$name")
        assertThat(FileUtil.copy(fs, file, fs, hidden, true, dfs.getConfiguration(0))).isTrue
        if (seen) assertThat(fs.rename(hidden, new Path(hidden.getParent, name))).isTrue
      }
      def garbage(path: String): Unit = Using.resource(fs.create(new Path(root, path), true))(_.write(Array.fill[Byte](50)(7)))
      Seq.tabulate(Changes)(n => n -> random.nextInt(4)).map {
        case (n, 0) => s"put-$n.parquet is put" -> (() => put(s"put-$n.parquet", seen = true))
        case (n, 1) => s".half-$n.parquet is half written" -> (() => put(s"half-$n.parquet", seen = false))
        case (n, 2) =>
          "a file is deleted" -> { () =>
            listing.map(_._1).toSeq.sorted.find(_.contains("/put-")).foreach(file => fs.delete(new Path(file), false))
          }
        case (n, _) =>
          "what nobody reads is written" -> { () =>
            Seq(s"_temporary/$n/a.parquet", s".hive-staging_$n/a.parquet", "_SUCCESS", s"day=2014-05-02/.a-$n.parquet").foreach(garbage)
          }
      }
    }

    /** The sink, and the maintenance of MPSR. */
    private def own(): Seq[(String, () => Unit)] = {
      val random = new Random(seed * 10 + 5)
      Seq.fill(Changes)(random.nextInt(3)).map {
        case 0 => "the sink commits" -> { () => dataset.commit(rows()); () }
        case 1 => "files become segments" -> (() => adopt())
        case _ => "segments are merged" -> { () =>
            val all = CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList)
            log.add(s"  ${Try(CompactDataset.compact(ours, root.toString, all).problem)}")
          }
      }
    }

    /** Files may go meanwhile. */
    private def adopt(): Unit =
      log.add(s"  ${Try(AdoptDataset.adopt(ours, root.toString, new AdoptOptions(true, 0, 0, null)).problem)}")

    private def pick[T](random: Random, of: Seq[T]): T = of(random.nextInt(of.size))
  }
}
