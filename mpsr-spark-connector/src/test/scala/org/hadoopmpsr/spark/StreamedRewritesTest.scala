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

import java.time.Duration

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.SparkException
import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.Trigger
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle
import org.junit.jupiter.api.Assertions.assertEquals

/** Streams read each record of a dataset once, whatever rewrites replace. */
@TestInstance(Lifecycle.PER_CLASS)
class StreamedRewritesTest {
  import SparkFixture._

  private val steps = sys.props.get("mpsr.steps").map(_.toInt).getOrElse(10)
  private var cluster: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"streams of seed $seed (-Dmpsr.test.seed)")
    cluster = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (cluster != null) cluster.shutdown(true)

  /** A dataset whose current segments are known with their records. */
  private final class Segments(cluster: MiniDFSCluster, name: String) {
    private val output = TestDirectories.create(s"mpsr-$name")
    private var made = 0
    val dataset = new SinkDataset(cluster, s"/cals/$name", TestRecords)
    val current = mutable.LinkedHashMap.empty[String, Seq[Row]]

    def commit(): String = {
      val rows = TestRecords.rows(seed, made, 60)
      made += 1
      val id = dataset.commit(rows)
      current(id) = rows
      id
    }

    def rewrite(segments: String*): String = {
      made += 1
      val id = s"rewrite-$made"
      val rows = segments.flatMap(current(_))
      dataset.rewrite(id, segments, rows)
      current --= segments
      current(id) = rows
      id
    }

    def rebuild(segment: String, deleted: Boolean = false): String = {
      made += 1
      dataset.rebuild(s"rebuild-$made", segment, deleted)
      s"rebuild of $segment${if (deleted) ", which was deleted" else ""}"
    }

    /** Reads what is there with a stream of this name, and stops. */
    def read(stream: String, options: (String, String)*): Unit = {
      val out = output.resolve(stream).toUri.toString
      session.readStream.schema(stock(session.read.parquet(dataset.root.toString)).schema).options(options.toMap)
        .parquet(dataset.root.toString)
        .writeStream.option("checkpointLocation", s"$out-checkpoint").trigger(Trigger.AvailableNow()).start(out)
        .awaitTermination()
    }

    def check(stream: String, what: String): Unit = {
      val all = stock(rows(session.read.parquet(dataset.root.toString)))
      val streamed = rows(session.read.parquet(output.resolve(stream).toUri.toString).select(
        stock(session.read.parquet(dataset.root.toString)).columns.map(org.apache.spark.sql.functions.col).toIndexedSeq: _*))
      assertEquals(all.size, streamed.size, s"records of $stream, seed $seed: $what")
      assertThat(streamed.mkString("\n")).as(s"$stream, seed $seed: $what").isEqualTo(all.mkString("\n"))
    }

    def readAll(stream: String, what: String, options: (String, String)*): Unit = {
      read(stream, options: _*)
      // what was replaced while this run read is left to the next one
      read(stream)
      check(stream, what)
    }
  }

  @Test
  def replacedFilesAreReadOrThoseThatReplaceThem(): Unit = {
    val segments = new Segments(cluster, "streamed")
    val rest = DecisionMetrics.sum("streamed.rest")
    val (a, b) = (segments.commit(), segments.commit())
    segments.readAll("first", "two commits")

    val ab = segments.rewrite(a, b)
    segments.readAll("first", "both replaced")
    segments.readAll("later", "begins now")
    assertThat(DecisionMetrics.sum("streamed.rest")).isEqualTo(rest)

    val c = segments.commit()
    segments.rewrite(ab, c)
    segments.readAll("first", "a rewrite of the rewrite and of an unread commit")
    assertThat(DecisionMetrics.sum("streamed.rest") - rest).isEqualTo(1)
    segments.commit()
    segments.readAll("later", "the same, with a commit")
    segments.readAll("last", "begins now")
  }

  @Test
  @Tag("long")
  def rebuiltFilesAreReadOnce(): Unit = {
    val segments = new Segments(cluster, "rebuilt")
    val (a, b) = (segments.commit(), segments.commit())
    segments.readAll("first", "two commits")
    segments.rebuild(a)
    segments.readAll("first", "one rebuilt")
    val c = segments.commit()
    segments.rebuild(c)
    segments.rebuild(a)
    segments.readAll("first", "one rebuilt twice, and one before it was read")
    segments.rewrite(a, b)
    segments.readAll("first", "a rewrite of the rebuilt one")
    segments.readAll("later", "begins now")
    val d = segments.commit()
    segments.rebuild(c)
    segments.rewrite(c, d)
    segments.readAll("first", "one that was read is rebuilt and merged with one that was not")
  }

  @Test
  @Tag("long")
  def filesThatWereDeletedAndRebuiltAreReadOnce(): Unit = {
    val segments = new Segments(cluster, "deleted")
    val a = segments.commit()
    segments.readAll("first", "a commit")
    val b = segments.commit()
    Seq(a, b).foreach(segments.rebuild(_, deleted = true))
    segments.readAll("first", "one deleted after it was read, and one before")
    segments.readAll("later", "begins now")
    segments.rebuild(a, deleted = true)
    segments.readAll("first", "one deleted again")
    segments.readAll("later", "the same")
    segments.rewrite(a, b)
    segments.readAll("first", "a rewrite of both")
    segments.readAll("later", "the same")
    val e = segments.commit()
    segments.readAll("first", "another commit")
    val f = segments.commit()
    Seq(e, f).foreach(segments.rebuild(_, deleted = true))
    segments.rewrite(e, f)
    segments.readAll("first", "two deleted, rebuilt and merged, after one was read")
    segments.readAll("later", "the same, never read")

    val c = segments.commit()
    segments.rebuild(c, deleted = true)
    segments.read("later", "maxFilesPerTrigger" -> "4")
    segments.check("later", "one deleted before it was read")
    segments.rebuild(c, deleted = true)
    assertThatThrownBy(() => segments.read("later", "maxFilesPerTrigger" -> "4"))
      .hasStackTraceContaining("which is gone, and with maxFilesPerTrigger")
    segments.readAll("later", "one deleted after it was read")
  }

  @Tag("long")
  @Test
  def randomRewritesAreReadOnce(): Unit = {
    val random = new Random(seed)
    val segments = new Segments(cluster, "drawn")
    segments.commit()
    var deleted = false
    val done = mutable.ListBuffer.empty[String]
    (1 to steps).foreach { step =>
      random.nextInt(4) match {
        case 0 if segments.current.size > 1 =>
          val some = random.shuffle(segments.current.keys.toSeq).take(2 + random.nextInt(2))
          done += s"${segments.rewrite(some: _*)} of ${some.mkString("+")}"
        case 1 =>
          val stream = s"stream${random.nextInt(2)}"
          val options = if (random.nextBoolean() && !deleted) Seq("maxFilesPerTrigger" -> "4") else Nil
          segments.readAll(stream, s"step $step after ${done.mkString(", ")}", options: _*)
          done += stream
        case 2 if random.nextBoolean() =>
          val isDeleted = random.nextInt(3) == 0
          deleted |= isDeleted
          done += segments.rebuild(random.shuffle(segments.current.keys.toSeq).head, isDeleted)
        case _ => done += segments.commit()
      }
    }
    Seq("stream0", "stream1").foreach(segments.readAll(_, s"at the end of ${done.mkString(", ")}"))
  }

  /** What a stream has decided holds after the replaced files are gone. Where it has not, it ends, with the reason. */
  @Test
  @Tag("long")
  def replacedFilesAreGoneAfterAWhile(): Unit = {
    val short = TestClusters.of(TestRecords.groups, "dfs.mpsr.drop.delay.seconds" -> "20")
    try {
      val (decided, gone) = (new Segments(short, "decided"), new Segments(short, "gone"))
      def read = session.read.parquet(gone.dataset.root.toString).where("signal = 'SIG3'")
      lazy val planned = read
      Seq(decided, gone).foreach { segments =>
        val (a, b) = (segments.commit(), segments.commit())
        segments.readAll("first", "two commits")
        if (segments.eq(gone)) {
          assertThat(explain(planned)).contains("mpsr ")
        }
        segments.rewrite(a, b)
      }
      val expected = rows(read)
      decided.readAll("first", "both replaced")
      assertThat(rows(planned).asJava).as("planned before the rewrite").isEqualTo(expected.asJava)
      await().atMost(Duration.ofSeconds(90)).until(() =>
        short.getFileSystem.globStatus(new Path("/.mpsr/datasets/*/replaced/*")).isEmpty)
      val failed = DecisionMetrics.sum("gone")
      assertThatThrownBy(() => planned.collect()).isInstanceOf(classOf[SparkException])
      await().untilAsserted(() => assertThat(DecisionMetrics.sum("gone")).isGreaterThan(failed))
      decided.commit()
      decided.readAll("first", "the replaced files are gone")
      assertThatThrownBy(() => gone.read("first"))
        .hasStackTraceContaining("The stream cannot tell whether it has read the records of the files of segment rewrite-3 in ")
        .hasStackTraceContaining("dfs.mpsr.drop.delay.seconds")
      gone.readAll("new", "begins now")
    } finally short.shutdown(true)
  }
}
