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

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.zip.GZIPOutputStream

import scala.util.Random

import com.fasterxml.jackson.databind.ObjectMapper
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.survey.TreeSurveyOptions
import org.hadoopmpsr.core.sampling.{FileFormat, Interval}
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.hadoopmpsr.spark.jobs.estimate.{TreePage, TreeReport, TreeText}
import org.junit.jupiter.api.{BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** A survey of a tree of which everything is known. */
@TestInstance(Lifecycle.PER_CLASS)
class SurveyTreesTest {
  import SparkFixture._

  private lazy val root: Path = TestDirectories.create("mpsr-survey")
  private val texts, zips, empties = 10
  private var parquet = 0L

  @BeforeAll
  def tree(): Unit = {
    val random = new Random(seed)
    session.range(0, 40000, 1, 1).selectExpr("id", "id % 4 AS day", "cast(rand(1) * 1000 AS int) AS v", "named_struct('even', id % 2 = 0, 'more', array(id, id)) AS s")
      .repartition(12).sortWithinPartitions("id")
      .write.partitionBy("day").option("compression", "uncompressed").option("parquet.block.size", "20000").parquet(s"$root/archive")
    parquet = session.read.parquet(s"$root/archive").inputFiles.length
    (0 until texts).foreach(i => write(s"logs/$i.txt", (("a line of a log " * 200 + "\n") * 20).getBytes(UTF_8)))
    (0 until zips).foreach { i =>
      val bytes = new ByteArrayOutputStream
      val zip = new GZIPOutputStream(bytes)
      zip.write(Array.tabulate(20000)(_ => random.nextInt(4).toByte))
      zip.close()
      write(s"logs/$i.gz", bytes.toByteArray)
    }
    (0 until empties).foreach(i => write(s"logs/_$i", Array.emptyByteArray))
  }

  private def write(name: String, bytes: Array[Byte]): Unit = {
    val file = root.resolve(name)
    Files.createDirectories(file.getParent)
    Files.write(file, bytes)
  }

  private def survey(options: TreeSurveyOptions): TreeReport =
    SurveyTrees.survey(session, Seq(root.toUri.toString, root.resolve("logs").toUri.toString), options, _ => ())

  /** In whatever order a local file system lists its files, the intervals hold the truth, but for one time in a million. */
  private def options(sample: Int, codecs: Boolean): TreeSurveyOptions =
    new TreeSurveyOptions(sample, 2, 99.9999, seed, 1 << 16, codecs, 0, 0, null)

  /** Spark and Hadoop's local file system leave files of their own beside the data. */
  private def found(report: TreeReport, format: FileFormat): Interval =
    report.formats.find(_.format == format).flatMap(_.files).getOrElse(new Interval(0, 0, 0))

  @Test
  def aSampleOfAllFilesTellsTheTruth(): Unit = {
    val report = survey(options(1000, codecs = true))
    val all = report.tree.all.files
    assertEquals(all, report.looks.files.size.toLong)
    Seq(FileFormat.PARQUET -> parquet, FileFormat.GZIP -> zips.toLong, FileFormat.TEXT -> texts.toLong).foreach { case (format, files) =>
      val share = files.toDouble / all
      assertEquals(new Interval(share, share, share), found(report, format), s"$format of $all")
    }
    assertTrue(found(report, FileFormat.EMPTY).estimate >= empties.toDouble / all)
    assertThat(report.looks.unread.size).isZero()
    val bytes = report.formats.flatMap(share => share.bytes.map(share.format -> _)).toMap
    val zipped = Files.walk(root.resolve("logs")).filter(_.toString.endsWith(".gz")).mapToLong(Files.size(_)).sum.toDouble / report.tree.all.bytes
    assertTrue(bytes(FileFormat.GZIP).low <= zipped && zipped <= bytes(FileFormat.GZIP).high, s"seed $seed: $zipped, $bytes")
  }

  /** Text and numbers that are not compressed become much less, what is zipped does not. */
  @Test
  def codecsSaveWhatTheySave(): Unit = {
    val savings = survey(options(300, codecs = true)).savings.map(saving => saving.codec -> saving).toMap
    assertThat(savings.size).isEqualTo(7)
    savings.values.foreach { saving =>
      assertTrue(saving.saved.low <= saving.saved.estimate && saving.saved.estimate <= saving.saved.high, saving.toString)
      assertTrue(saving.packRate > 0 && saving.unpackRate > 0, saving.toString)
    }
    val (zstd, lz4) = (savings("zstd-9").saved.estimate, savings("lz4").saved.estimate)
    assertTrue(zstd > lz4 && zstd > 0.2 && zstd < 0.95, s"$zstd, $lz4")
    assertThat(survey(options(20, codecs = false)).savings.size).isZero()
  }

  @Test
  def stateOfParquetFilesAndCandidates(): Unit = {
    val report = survey(options(1000, codecs = false))
    val health = report.health.get
    assertEquals(parquet, health.looked)
    val findings = health.findings.toMap
    assertThat(findings("the mean row group has less than 8 MiB").estimate).isEqualTo(1.0)
    assertThat(findings("there is no page index").estimate).isZero()
    assertThat(findings("a column has no bounds").estimate).isZero()
    assertEquals(Seq("UNCOMPRESSED"), health.codecs.map(_._1))
    assertTrue(health.sortedBy.forall(_._1 == "id"), health.sortedBy.toString)
    assertEquals(Seq(s"$root/archive"), report.candidates.map(_.path))
  }

  @Test
  def theSameSeedLooksAtTheSameFiles(): Unit = {
    def looked() = survey(options(10, codecs = false)).looks
    val (first, second) = (looked(), looked())
    assertEquals(first.files.map(_.file).toSet, second.files.map(_.file).toSet)
    assertEquals(first.places.map(_.file.path).sorted, second.places.map(_.file.path).sorted)
    assertEquals(10, first.files.size)
  }

  @Test
  def reportsAreText(): Unit = {
    val report = survey(options(100, codecs = true))
    val json = new ObjectMapper().readTree(TreeText.json(report))
    assertEquals(report.tree.all.files, json.get("files").asLong)
    assertEquals(report.savings.size, json.get("codecs").size)
    assertThat(TreeText.lines(report).mkString("\n")).contains("Parquet", "could become datasets", "zstd-9")
    assertThat(TreePage.html(report)).contains("<svg", "Share of bytes that a codec would save")
    assertThat(TreePage.html(report)).doesNotContain("NaN")
  }

  @Test
  def anEmptyTree(): Unit = {
    val empty = TestDirectories.create("mpsr-survey-empty")
    val report = SurveyTrees.survey(session, Seq(empty.toUri.toString), options(10, codecs = true), _ => ())
    assertEquals(0L, report.tree.all.files)
    assertThat(TreeText.lines(report).head).contains("0 files")
    assertThat(TreePage.html(report)).contains("Survey")
  }

  /** A file that begins as Parquet does and ends otherwise is damaged, not missing. */
  @Test
  def damagedFilesAreTold(): Unit = {
    val damaged = TestDirectories.create("mpsr-survey-damaged")
    Files.write(damaged.resolve("short.parquet"), "PAR1".getBytes(UTF_8))
    val whole = Files.walk(root.resolve("archive")).filter(_.toString.endsWith(".parquet")).findFirst.get
    val bytes = Files.readAllBytes(whole)
    java.util.Arrays.fill(bytes, bytes.length - 200, bytes.length - 8, 0x7f.toByte)
    Files.write(damaged.resolve("footer.parquet"), bytes)
    val report = SurveyTrees.survey(session, Seq(damaged.toUri.toString), options(10, codecs = true), _ => ())
    assertEquals(1.0, report.health.get.findings.toMap.apply("their footer cannot be read").estimate)
    assertEquals(0, report.looks.unread.size)
    assertTrue(report.untried.nonEmpty && report.savings.isEmpty, report.untried.toString)
  }

  @Test
  def aPrecisionThatNobodyCanPayIsRefused(): Unit = {
    val fine = new TreeSurveyOptions(0, 0.001, 95, seed, 1 << 16, false, 0, 0, null)
    assertThatThrownBy(() => SurveyTrees.survey(session, Seq(root.toUri.toString), fine, _ => ()))
      .hasMessageStartingWith("a precision of 0.001 % needs 9603")
  }

  @Test
  def sizesAreSaidAsPeopleSayThem(): Unit = {
    assertEquals("0 B", TreeText.size(0))
    assertEquals("1023 B", TreeText.size(1023))
    assertEquals("1.5 KiB", TreeText.size(1536))
    assertEquals("2.0 PiB", TreeText.size(math.pow(2, 51)))
    assertEquals("0 B", TreeText.from(-1))
    assertEquals("64 KiB", TreeText.from(16))
  }
}
