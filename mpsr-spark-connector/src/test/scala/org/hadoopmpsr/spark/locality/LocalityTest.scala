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
package org.hadoopmpsr.spark.locality

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.internal.SQLConf
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.core.assign.ReadCost
import org.hadoopmpsr.spark.SparkFixture
import org.hadoopmpsr.spark.relation.{ConfKeys, DecidedParquetFormat, FileRelation}
import org.junit.jupiter.api.Test

/** Parts of files come to tasks by the hosts that they lie on. */
class LocalityTest extends AdaptiveSparkPlanHelper {
  import SparkFixture._

  private val megabyte = 1L << 20
  private val cost = new ReadCost(2, 150000, 1, 100000)

  private def file(name: String, megabytes: Long, hosts: String*): PartitionedFile =
    PartitionedFile(
      InternalRow.empty,
      SparkPath.fromPath(new Path(s"/$name")),
      0,
      megabytes * megabyte,
      hosts.toArray,
      0,
      megabytes * megabyte)

  private def pack(files: Seq[PartitionedFile], hosts: Seq[String]): Option[LocalPartitions] =
    withConf(SQLConf.FILES_MAX_PARTITION_BYTES.key -> (64 * megabyte).toString) {
      LocalPartitions.pack(session, files, hosts, cost)
    }

  @Test
  def partitionsPreferTheHostThatHoldsTheirFiles(): Unit = {
    // as Spark sorts them: without regard to hosts it would put files of all hosts into each partition
    val files = (0 until 90).map(i => file(s"f$i", 10, s"h${i % 9}"))
    val hosts = (0 until 9).map(i => s"h$i")

    val packed = pack(files, hosts).get

    assertThat(packed.localBytes).isEqualTo(900 * megabyte)
    assertThat(packed.partitions.flatMap(_.files).map(_.urlEncodedPath).sorted.asJava)
      .isEqualTo(files.map(_.urlEncodedPath).sorted.asJava)
    assertThat(packed.partitions.map(_.index).asJava).isEqualTo(packed.partitions.indices.asJava)
    packed.partitions.foreach { p =>
      assertThat(p.preferredLocations).hasSize(1)
      p.files.foreach(f => assertThat(f.locations).containsExactly(p.preferredLocations.head))
      assertThat(p.files.map(_.length).sum).isLessThanOrEqualTo(64 * megabyte)
    }
    val stock = FilePartition.getFilePartitions(session, files, 64 * megabyte)
    assertThat(packed.partitions.size - stock.size).isLessThanOrEqualTo(hosts.size)
    assertThat(stock.map(p => p.files.groupBy(_.locations.head).size).max).isGreaterThan(1)
  }

  @Test
  def whatAHostReadsFromOthersIsNotSentBack(): Unit = {
    val packed = pack((0 until 30).map(i => file(s"f$i", 40, "h0")), Seq("h0", "h1", "h2")).get
    val byHost = packed.partitions.groupBy(_.preferredLocations.toSeq)
    assertThat(byHost.keySet.asJava).isEqualTo(java.util.Set.of(Seq("h0"), Seq("h1"), Seq("h2")))
    assertThat(packed.localBytes).isBetween(400 * megabyte, 800 * megabyte)
  }

  @Test
  def oneOfTheHostsWithACopyIsPreferred(): Unit = {
    val packed = pack(Seq(file("f", 40, "h0", "h1", "h2")), Seq("h2", "h1")).get
    assertThat(packed.partitions.head.preferredLocations).containsExactly("h2")
    assertThat(packed.localBytes).isEqualTo(40 * megabyte)
  }

  @Test
  def sparkPacksWhereNoHostHoldsAnything(): Unit = {
    assertThat(pack(Seq(file("f", 40, "h0")), Seq("other")).isEmpty).isTrue
    assertThat(pack(Nil, Seq("h0")).isEmpty).isTrue
  }

  @Test
  def theMostPartitionsThatAreAllowedAreKept(): Unit = {
    val files = (0 until 9).map(i => file(s"f$i", 1, s"h$i"))
    val hosts = (0 until 9).map(i => s"h$i")
    assertThat(pack(files, hosts).get.partitions.size).isEqualTo(9)
    withConf(SQLConf.FILES_MAX_PARTITION_NUM.key -> "3") {
      assertThat(pack(files, hosts).isEmpty).isTrue
    }
  }

  private def query: DataFrame =
    session.read.parquet(dataset.root.toString).where("signal IN ('SIG3', 'SIG5') AND quality > 0")

  private def localScans(frame: DataFrame): Seq[LocalScanExec] =
    frame.asInstanceOf[classic.DataFrame].queryExecution.sparkPlan.collect { case s: LocalScanExec => s }

  /** The plan after the query ran. */
  private def ran(frame: DataFrame): SparkPlan = {
    frame.collect()
    frame.asInstanceOf[classic.DataFrame].queryExecution.executedPlan
  }

  /** On the host that the tests' plan source tells; the default group's files lie on localhost. */
  private def byHosts[T](settings: (String, String)*)(body: => T): T =
    withConf((ConfKeys.LocalityHosts -> "host1") +: settings: _*)(body)

  @Test
  def aDecidedReadIsScannedByHosts(): Unit = {
    val expected = stock(rows(query))
    assertThat(expected.asJava).isNotEmpty
    Seq("true", "false").foreach { columnar =>
      byHosts("spark.sql.parquet.enableVectorizedReader" -> columnar) {
        val frame = query
        val scan = localScans(frame).head
        assertThat(explain(frame)).contains("FileScan parquet[mpsr signal: ")
        assertThat(rows(frame).asJava).isEqualTo(expected.asJava)
        assertThat(scan.supportsColumnar).isEqualTo(columnar.toBoolean)
        val partitions = scan.inputRDDs().head.partitions
        assertThat(partitions).isNotEmpty
        partitions.foreach { case p: FilePartition => assertThat(p.preferredLocations()).containsExactly("host1") }
        assertThat(scan.metrics("localBytes").value).isPositive.isEqualTo(scan.metrics("filesSize").value)
      }
    }
  }

  @Test
  def planningIsToldWhereTheQueryRuns(): Unit = {
    def told: java.util.Set[String] = {
      explain(query)
      source.lastRequest.hosts
    }
    byHosts(ConfKeys.LocalityHosts -> "host1, host2")(assertThat(told).containsExactlyInAnyOrder("host1", "host2"))
    byHosts(ConfKeys.Locality -> "false")(assertThat(told).isEmpty())
    assertThat(told).isEmpty()
  }

  @Test
  def metricsAreThoseOfSparksScan(): Unit = byHosts("spark.sql.adaptive.enabled" -> "false") {
    val scan = ran(query).collectFirst { case s: LocalScanExec => s }.get
    val spark = withConf(ConfKeys.Locality -> "false")(ran(query).collectFirst { case s: FileSourceScanExec => s }.get)
    assertThat(spark.isInstanceOf[LocalScanExec]).isFalse
    assertThat(scan.metrics.keySet.asJava).isEqualTo((spark.metrics.keySet + "localBytes").asJava)
    Seq("numOutputRows", "numFiles", "filesSize", "numPartitions").filter(spark.metrics.contains).foreach { name =>
      assertThat(scan.metrics(name).value).as(name).isPositive.isEqualTo(spark.metrics(name).value)
    }
  }

  @Test
  def theAnswerOfAScanIsUsedAgain(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("records_l")
    val one = "(SELECT timestamp_ns FROM records_l WHERE device = 'VAC1')"
    val join = s"SELECT a.timestamp_ns FROM $one a JOIN $one b ON a.timestamp_ns = b.timestamp_ns"
    def reused(): Int = ran(session.sql(join)).collect { case r: ReusedExchangeExec => r }.size
    val expected = stock(rows(session.sql(join)))
    val settings = Seq("spark.sql.autoBroadcastJoinThreshold" -> "-1", "spark.sql.adaptive.enabled" -> "false")
    val before = withConf(settings: _*)(reused())
    byHosts(settings: _*) {
      assertThat(localScans(session.sql(join)).size).isEqualTo(2)
      assertThat(reused()).isPositive.isEqualTo(before)
      assertThat(rows(session.sql(join)).asJava).isEqualTo(expected.asJava)
    }
  }

  @Test
  def partitionsArePrunedWhenTheQueryRuns(): Unit = Seq("true", "false").foreach { adaptive =>
    val days = session.range(6).selectExpr("date_add(date'2014-04-29', cast(id AS int)) AS day", "id AS n").where("n = 2")
    def join = session.read.parquet(dataset.root.toString).join(days.hint("broadcast"), "day").select("timestamp_ns", "n")
    val expected = stock(rows(join))
    byHosts(ConfKeys.LocalityHosts -> "localhost", "spark.sql.adaptive.enabled" -> adaptive) {
      val scan = collectFirst(ran(join)) { case s: LocalScanExec => s }.get
      assertThat(scan.metrics("numFiles").value).isEqualTo(2)
      assertThat(scan.metrics("localBytes").value).isEqualTo(scan.metrics("filesSize").value)
      assertThat(rows(join).asJava).isEqualTo(expected.asJava)
    }
  }

  @Test
  def whatIsCachedIsScannedByHosts(): Unit = byHosts() {
    val expected = stock(rows(query))
    val cached = query.cache()
    try {
      assertThat(rows(cached).asJava).isEqualTo(expected.asJava)
      assertThat(rows(query.where("quality > 1")).asJava).isEqualTo(stock(rows(query.where("quality > 1"))).asJava)
    } finally cached.unpersist(true)
  }

  @Test
  def whatItDoesNotUnderstandStaysSparks(): Unit = byHosts() {
    assertThat(localScans(query).size).isEqualTo(1)
    assertThat(localScans(query.select("signal", "_metadata.file_name")).size).isEqualTo(0)
    assertThat(localScans(session.read.parquet(dataset.rootOf("signal").toString)).size).isEqualTo(0)
  }

  @Test
  def aGroupOfAnyNameIsScannedByHosts(): Unit = byHosts() {
    def scans(group: Option[String]): Int = {
      val plan = query.asInstanceOf[classic.DataFrame].queryExecution.optimizedPlan.transform {
        case l @ FileRelation(r) =>
          val format = new DecidedParquetFormat("", group)
          l.copy(relation = r.copy(fileFormat = format, options = r.options + ("another" -> "relation"))(r.sparkSession))
      }
      new LocalityStrategy(session)(plan).map(_.collect { case s: LocalScanExec => s }.size).sum
    }
    assertThat(scans(Some("stock"))).isEqualTo(1)
    assertThat(scans(None)).isEqualTo(0)
  }

  @Test
  def itCanBeSwitchedOff(): Unit = {
    assertThat(localScans(query).size).isEqualTo(0) // the driver runs these tests' tasks itself
    byHosts(ConfKeys.Locality -> "false")(assertThat(localScans(query).size).isEqualTo(0))
    byHosts()(assertThat(stock(localScans(query)).size).isEqualTo(0))
  }
}
