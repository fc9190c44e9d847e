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

import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.{Random, Try, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.types.StructType
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.core.group.{Predicate, ReplicaGroups, WantedGroup}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords, TestTable}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.source.SparkTypes
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Files of several schemas are read, merged, derived and deleted from as files of the last one. */
@TestInstance(Lifecycle.PER_CLASS)
class AlteredColumnsTest {
  import AlteredColumnsTest._
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

  private def alter(dataset: SinkDataset): SinkDataset = {
    val path = dataset.root.toUri.getPath
    Widened.foreach(column => client(_.alterations.widenColumn(path, null, column)))
    Added.foreach(column => client(_.alterations.addColumn(path, null, column)))
    dataset.altered(Altered)
  }

  private var checks = 0

  /** Every third filter, all of them in three checks, each of the cheapest group and of another one each time. */
  private def check(dataset: SinkDataset, read: => DataFrame): Unit = withConf(Interpreted: _*) {
    checks += 1
    val groups = client(_.getDataset(dataset.root.toUri.getPath)).groups.names.asScala
    for ((filter, i) <- Filters.zipWithIndex if (i + checks) % 3 == 0; frame = () => read.where(filter)) {
      val expected = stock(rows(frame()))
      assertThat(rows(frame()).asJava).as(s"seed $seed: $filter").isEqualTo(expected.asJava)
      val group = groups((i / 3 + checks) % groups.size)
      assertThat(rows(frame().hint("mpsr", group)).asJava).as(s"seed $seed: $filter in $group").isEqualTo(expected.asJava)
    }
    assertThat(explain(read.where("signal = 'SIG3' AND quality > 0"))).contains("parquet[mpsr signal")
    val aggregates = Seq("count(*)", "count(extra)", "min(quality)", "max(reading)", "max(grade)", "max(price)", "count(note)")
    assertThat(rows(read.selectExpr(aggregates: _*)).asJava).isEqualTo(stock(rows(read.selectExpr(aggregates: _*))).asJava)
  }

  @Test
  def recordsOfAllSchemasAreThereInEachGroup(): Unit = {
    val before = new SinkDataset(dfs, "/cals/altered", TestRecords)
    val root = before.root.toString
    (0 until 2).foreach(i => before.commit(TestRecords.rows(seed, i, 80)))
    val early = stock(rows(session.read.parquet(root)))
    val dataset = alter(before)
    val schema = SparkTypes.structType(dataset.logical)
    def read(of: StructType): DataFrame = session.read.schema(of).parquet(root)
    check(dataset, read(schema)) // nobody has written the new columns yet

    dataset.commit(Altered.rows(seed, 2, 80))
    dataset.commit(Altered.rows(seed, 3, 80))
    check(dataset, read(schema))
    assertThat(read(schema).where("extra IS NOT NULL").count()).isGreaterThan(0)
    val inferred = Try(stock(rows(session.read.parquet(root)))).toOption
    assertThat(Try(rows(session.read.parquet(root))).toOption == inferred).as("as stock Spark reads it, or fails").isTrue
    val asOf = session.read.option(ConfKeys.AsOfOption, "0").schema(schema).parquet(root)
    assertThat(rows(asOf.select(session.read.schema(SparkTypes.structType(before.logical)).parquet(root).columns.map(asOf.col).toSeq: _*)).asJava)
      .as("the records of then").hasSameSizeAs(early.asJava)

    client(_.alterations.set(dataset.root.toUri.getPath, null, new WantedGroup("device", java.util.List.of(Predicate.parse("bucket(2, device)")), java.util.List.of(), null)))
    assertThat(RebuildDataset.rebuild(session, root, RebuildOptions.DEFAULT).problem).isNull()
    await().atMost(Duration.ofSeconds(60)).until(() => client(_.getDataset(dataset.root.toUri.getPath)).alterations.isEmpty)
    check(dataset, read(schema))

    val gone = new DeleteOptions(true, "extra > 0 OR quality = 3", null, null, false, false, 0, 0, null)
    assertThat(DeleteRecords.delete(session, root, gone, _ => ()).problem).isNull()
    check(dataset, read(schema))
    assertThat(read(schema).where("extra > 0 OR quality = 3").count()).isZero

    val all = CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList)
    val merged = CompactDataset.compact(session, root, all)
    assertThat(merged.problem).isNull()
    assertThat(VerifyDataset.verify(session, root).sound).as(s"seed $seed").isTrue
    assertThat(session.read.parquet(root).schema).as("what Spark takes from a file").isEqualTo(stock(session.read.parquet(root)).schema)
    check(dataset, session.read.parquet(root)) // all files have all columns
  }
}

private object AlteredColumnsTest {

  /** Compiling takes longer than these queries. */
  private val Interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private val Widened = Seq("quality bigint", "reading double", "grade int", "price decimal(15,2)")
  private val Added = Seq("extra double", "note string", "spot struct<a:int,b:array<string>>")

  private val Filters = Seq(
    "true",
    "signal = 'SIG3' AND quality > 0",
    "quality = 2",
    "quality IN (3, 5000000000)",
    "reading < 0.5",
    "reading = 1.1",
    "grade >= 300 OR grade = 1",
    "price > 1000000.00 OR price = 0.03",
    "extra IS NULL AND device = 'VAC1'",
    "extra > 0",
    "note = 'n1'",
    "spot.a = 1 AND day > '2014-04-30'")

  /** The records after the alterations. */
  private object Altered extends TestTable {
    override val name = "altered"
    override val schema: Schema = {
      val widened = Widened.map(text => text.takeWhile(_ != ' ') -> text).toMap
      Schema.parse((TestRecords.schema.columns.asScala.map(c => widened.getOrElse(c.name, c.ddl)) ++ Added).mkString(", "))
    }
    override val groups: ReplicaGroups = TestRecords.groups
    override val key = TestRecords.key

    override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
      val random = new Random(seed + commit)
      val index = schema.columns.asScala.map(_.name).zipWithIndex.toMap
      def some(value: => Any): Any = if (random.nextInt(4) == 0) null else value
      TestRecords.rows(seed, commit, count).map { row =>
        val values = row.toSeq.toArray
        values(index("quality")) = some(if (random.nextBoolean()) 5000000000L else random.nextInt(9).toLong)
        values(index("reading")) = some(random.nextInt(9) * 1.1)
        values(index("grade")) = some(random.nextInt(600))
        values(index("price")) = some(new java.math.BigDecimal(java.math.BigInteger.valueOf(random.nextLong(1L << 40)), 2))
        val spot = some(Row(some(random.nextInt(3)), some(Seq("x", null, "ä").take(random.nextInt(4)))))
        Row.fromSeq(values.toSeq ++ Seq(some(random.nextDouble() - 0.5), some(s"n${random.nextInt(3)}"), spot))
      }
    }
  }
}
