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

import java.io.IOException

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types.{DoubleType, MetadataBuilder, StructType}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.junit.jupiter.api.{BeforeEach, Test}

/** What is read as without MPSR, and why. */
class StockFallbackTest {
  import SparkFixture._

  @BeforeEach
  def reset(): Unit = {
    dataset
    source.failure = None
    source.busy = None
  }

  private def read: DataFrame = session.read.parquet(dataset.root.toString)

  private def one(frame: DataFrame): DataFrame = frame.where("signal = 'SIG3'")

  private def checkStock(query: => DataFrame, reason: String): Unit = {
    val expected = stock(rows(query))
    val frame = query
    assertThat(explain(frame)).contains(s"parquet[mpsr stock: $reason")
    assertThat(rows(frame).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  private def checkUntouched(query: => DataFrame): Unit = {
    val expected = stock(rows(query))
    val frame = query
    assertThat(explain(frame)).doesNotContain("[mpsr")
    assertThat(rows(frame).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  @Test
  def whatShowsFiles(): Unit = {
    val reason = "the query asks which files records come from"
    checkStock(one(read).select(input_file_name(), col("value")), reason)
    checkStock(one(read).selectExpr("value", "input_file_block_start()"), reason)
    checkStock(one(read).selectExpr("value", "_metadata.file_name", "_metadata.row_index"), reason)
    checkStock(one(read).where("_metadata.file_size > 0"), reason)
    checkStock(one(read).groupBy(input_file_name()).count(), reason)
  }

  @Test
  def readOptions(): Unit = {
    def withOption(key: String, value: String) = one(session.read.option(key, value).parquet(dataset.root.toString))
    checkStock(withOption("modifiedAfter", "2001-01-01T00:00:00"), "read options modifiedAfter")
    checkStock(withOption("modifiedBefore", "2101-01-01T00:00:00"), "read options modifiedBefore")
    checkStock(withOption("pathGlobFilter", "*.parquet"), "read options pathGlobFilter")
    checkStock(withOption("mergeSchema", "true"), "read options mergeSchema")
    checkStock(withOption("basePath", dataset.root.toString), "read options basePath")
    checkStock(withOption("somethingNew", "1"), "read options somethingNew")
    checkUntouched(one(session.read.parquet(s"${dataset.root}/day=2014-05-01")))
    checkUntouched(one(session.read.parquet(s"${dataset.root}/day=2014-05-01", s"${dataset.root}/day=2014-05-02")))
  }

  @Test
  def schemasThatAreNotMerged(): Unit =
    Seq("false", "FALSE").foreach { value =>
      def query = one(session.read.option("mergeSchema", value).parquet(dataset.root.toString))
      Seq("false", "true").foreach { merged =>
        withConf("spark.sql.parquet.mergeSchema" -> merged) {
          assertThat(explain(query)).contains("parquet[mpsr signal: ")
          assertThat(rows(query)).isNotEqualTo(Nil).isEqualTo(stock(rows(query)))
        }
      }
    }

  /** Tables of a metastore come with the first. */
  @Test
  def optionsOfWrites(): Unit =
    Seq("partitionOverwriteMode" -> "DYNAMIC", "compression" -> "zstd", "maxRecordsPerFile" -> "10", "parquet.compression" -> "ZSTD",
      "parquet.block.size" -> "1000", "parquet.writer.version" -> "v2").foreach { case (key, value) =>
      def query = one(session.read.option(key, value).parquet(dataset.root.toString))
      assertThat(explain(query)).as(key).contains("parquet[mpsr signal: ")
      assertThat(rows(query)).isNotEqualTo(Nil).isEqualTo(stock(rows(query)))
    }

  @Test
  def filesThatTheReaderMaySkip(): Unit =
    Seq("spark.sql.files.ignoreMissingFiles", "spark.sql.files.ignoreCorruptFiles").foreach { key =>
      withConf(key -> "true")(checkStock(one(read), s"$key is on"))
      withConf(key -> "false")(assertThat(explain(one(read))).contains("parquet[mpsr signal: "))
    }

  @Test
  def schemasOfTheUser(): Unit = {
    def withSchema(ddl: String) = one(session.read.schema(ddl).parquet(dataset.root.toString))
    checkStock(withSchema("signal string, value double, day string"), "column day STRING is not the dataset's day date")
    checkStock(withSchema("signal string, Value double, day date"), "column Value DOUBLE is not the dataset's value double")
    checkStock(withSchema("signal string, other double, day date"), "column other DOUBLE is not the dataset's")
    assertThat(explain(withSchema("signal string, value double, day string").select("value"))).contains("parquet[mpsr signal: ")
    val subset = withSchema("signal string, value double, day date")
    assertThat(explain(subset)).contains("parquet[mpsr signal: ")
    assertThat(rows(subset)).isEqualTo(stock(rows(withSchema("signal string, value double, day date"))))
  }

  @Test
  def schemasByTheNumbersOfFields(): Unit = {
    val numbered = new MetadataBuilder().putLong("parquet.field.id", 1).build()
    val schema = new StructType().add("signal", "string").add("value", DoubleType, true, numbered).add("day", "date")
    def query = one(session.read.schema(schema).parquet(dataset.root.toString)).where("value IS NULL")
    assertThat(explain(query)).contains("parquet[mpsr signal: ")
    withConf("spark.sql.parquet.fieldId.read.enabled" -> "true", "spark.sql.parquet.fieldId.read.ignoreMissing" -> "true") {
      checkStock(query, "columns are found by the numbers of Parquet's fields")
      assertThat(rows(query).size).isEqualTo(stock(one(read).count()))
      assertThat(explain(one(read))).contains("parquet[mpsr signal: ")
    }
  }

  @Test
  def aListingOfAnotherGeneration(): Unit = {
    val day = new java.io.File(new java.net.URI(s"${dataset.root}/day=2014-05-01"))
    val file = day.listFiles().filter(_.getName.endsWith(".parquet")).head
    val copy = new java.io.File(day, "copy.parquet")
    java.nio.file.Files.copy(file.toPath, copy.toPath)
    try checkStock(one(read), "the listing of ")
    finally copy.delete()
    assertThat(explain(one(read))).contains("parquet[mpsr signal: ")
  }

  @Test
  def aListingThatLacksAPlannedFile(): Unit = {
    val file = dataFiles.find(_.getParentFile.getName == "day=2014-05-01").get
    val renamed = new java.io.File(file.getParentFile, "renamed.parquet")
    assertThat(file.renameTo(renamed)).isTrue
    try checkStock(read.where("day = '2014-05-01'"), "the listing of ")
    finally renamed.renameTo(file)
    assertThat(explain(read.where("day = '2014-05-01'"))).contains("parquet[mpsr time: ")
  }

  @Test
  def aListingOfFilesThatWereWrittenAgain(): Unit = {
    val frame = one(read)
    val expected = stock(rows(one(read)))
    val times = dataFiles.map(f => f -> f.lastModified)
    times.foreach { case (file, time) => file.setLastModified(time + 10000) }
    try {
      assertThat(explain(frame)).contains("parquet[mpsr stock: the listing of ", "was deleted or written again")
      assertThat(rows(frame)).isEqualTo(expected)
    } finally times.foreach { case (file, time) => file.setLastModified(time) }
    assertThat(explain(one(read))).contains("parquet[mpsr signal: ")
  }

  private def dataFiles: Seq[java.io.File] =
    new java.io.File(new java.net.URI(dataset.root.toString))
      .listFiles()
      .filter(_.isDirectory)
      .flatMap(_.listFiles())
      .filter(_.getName.endsWith(".parquet"))
      .toSeq

  @Test
  def datesThatTheReaderMayRebase(): Unit =
    withConf("spark.sql.parquet.datetimeRebaseModeInRead" -> "LEGACY") {
      checkStock(one(read), "spark.sql.parquet.datetimeRebaseModeInRead is LEGACY")
    }

  @Test
  def timesThatTheReaderMayRebase(): Unit =
    withConf("spark.sql.parquet.int96RebaseModeInRead" -> "LEGACY") {
      checkStock(one(read), "spark.sql.parquet.int96RebaseModeInRead is LEGACY")
    }

  /** `EXCEPTION`, the default before Spark 4, rebases nothing. */
  @Test
  def timesThatTheReaderDoesNotRebase(): Unit =
    withConf(
      "spark.sql.parquet.datetimeRebaseModeInRead" -> "EXCEPTION",
      "spark.sql.parquet.int96RebaseModeInRead" -> "EXCEPTION") {
      assertThat(explain(one(read))).contains("parquet[mpsr signal: ")
    }

  @Test
  def whatFailsToBePlanned(): Unit = {
    val before = DecisionMetrics.sum("failures")
    source.failure = Some(new IOException("made up"))
    checkUntouched(one(read))
    assertThat(DecisionMetrics.sum("failures")).isGreaterThan(before)
  }

  @Test
  def aNameNodeThatIsBusy(): Unit = {
    val (stock, plans) = (DecisionMetrics.sum("stock.busy"), DecisionMetrics.sum("plans"))
    source.busy = Some("all places are taken")
    try {
      checkStock(one(read), "the NameNode takes no call now: all places are taken")
      checkStock(read.groupBy("day").count(), "the NameNode takes no call now: all places are taken")
    } finally source.busy = None
    val decided = DecisionMetrics.sum("plans") - plans
    assertThat(decided).isPositive
    assertThat(DecisionMetrics.sum("stock.busy") - stock).isEqualTo(decided)
    assertThat(explain(one(read))).contains("parquet[mpsr signal: ")
  }

  @Test
  def otherFormats(): Unit = {
    val dir = TestDirectories.create("mpsr-orc").resolve("o").toString
    one(read).write.orc(dir)
    checkUntouched(session.read.orc(dir))
    checkUntouched(session.range(10).toDF().where("id > 3"))
  }
}
