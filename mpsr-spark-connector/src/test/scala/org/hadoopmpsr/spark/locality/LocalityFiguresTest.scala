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

import scala.collection.immutable.ListMap
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.hadoop.hdfs.server.datanode.DataNode
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.{FilesToRead, MpsrClient, StagedFile}
import org.hadoopmpsr.core.assign.ReadCost
import org.hadoopmpsr.core.commit.CommitSource
import org.hadoopmpsr.core.config.MpsrConfig
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.plan.Filter
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.{ColumnStatistics, FileStatistics}
import org.hadoopmpsr.spark.SparkFixture
import org.hadoopmpsr.testing.MiniCluster
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/**
 * How much is read where it lies, and how evenly, with Spark's packing and with ours, on nine DataNodes: files of a
 * directory with three copies, and of a replica group, whose three nodes have one copy each. Every task runs on that of the
 * hosts it prefers which has the least to do. Files are a hundredth of their size, and so are Spark's limits. Blocks lie
 * where the seed says, as favored nodes of their writer.
 */
@TestInstance(Lifecycle.PER_CLASS)
class LocalityFiguresTest {
  import LocalityFiguresTest._
  import SparkFixture._

  private val files = sys.props.get("mpsr.locality.files").map(_.toInt).getOrElse(60)
  private val hosts = MiniCluster.hosts(9).toSeq
  private val groups = Seq("a", "b", "c")
  private val schema = Schema.parse("a int not null, b int not null, c int not null")
  private val maxSplitBytes = 1340000L
  private val cost = {
    val c = MpsrConfig.read(_ => null).costs.read
    new ReadCost(c.diskPrepareMs, c.diskBytesPerMs / 100, c.networkPrepareMs, c.networkBytesPerMs / 100)
  }
  private var cluster: MiniDFSCluster = _

  @BeforeAll
  def write(): Unit = {
    val conf = MiniCluster.stock()
    MiniCluster.addGroups(conf, ListMap.from(groups.map(g => g -> g)).asJava)
    cluster = MiniCluster.start(MiniCluster.builder(conf, hosts.size, 3).hosts(hosts.toArray))
    val random = new Random(seed)
    val sizes = Seq.fill(files)(math.exp(11 + 2 * random.nextDouble()).toInt) // 60 kB to 440 kB
    val nodes = cluster.getDataNodes.asScala.toSeq
    sizes.zipWithIndex.foreach { case (size, i) => put(s"/plain/f$i.parquet", size, random.shuffle(nodes).take(3)) }
    publish(new Configuration(conf), sizes, random)
  }

  private def put(path: String, size: Int, nodes: Seq[DataNode]): Unit = {
    val out = cluster.getFileSystem.create(
      new Path(path), FsPermission.getFileDefault, true, 4096, nodes.size.toShort, 1L << 20, null,
      nodes.map(_.getXferAddress).toArray)
    try out.write(new Array[Byte](size))
    finally out.close()
  }

  private def publish(conf: Configuration, sizes: Seq[Int], random: Random): Unit = {
    val client = MpsrClient.create(conf, cluster.getURI)
    try {
      val dataset = client.createDataset("/data", schema) // which gives each node a group
      val nodesByGroup = client.status().getNodeList.asScala.toSeq.groupMap(_.getGroup) { node =>
        cluster.getDataNodes.asScala.find(_.getDatanodeUuid == node.getUuid).get
      }
      val staging = client.beginCommit(dataset.path, dataset.id, "commit").require.stagingDir
      val staged = for (group <- groups; (size, i) <- sizes.zipWithIndex) yield {
        val path = s"$group=$i/commit-$i.parquet"
        val nodes = nodesByGroup(group).sortBy(_.getDatanodeId.getHostName)
        put(s"$staging/$group/$path", size, Seq(nodes(random.nextInt(nodes.size))))
        val value = Long.box(i.toLong)
        val columns = groups.map(_ -> new ColumnStatistics(value, value, 0)).toMap
        new StagedFile(group, path, new FileStatistics(
          "commit", new ContentHash(10, i + 1L, i + 1L), java.util.List.of(value), columns.asJava))
      }
      client.publish(dataset.path, dataset.id, "commit", java.util.List.of(new CommitSource("t", 0, 0, 10)), staged.asJava)
    } finally client.close()
  }

  @AfterAll
  def stop(): Unit = if (cluster != null) cluster.shutdown(true)

  private def figures(partitions: Seq[FilePartition], readers: Seq[String], holders: Map[String, Set[String]]): Figures = {
    val loads = scala.collection.mutable.Map(readers.map(_ -> Load(0, 0, 0)): _*)
    partitions.foreach { p =>
      val preferred = p.preferredLocations.toSeq.filter(loads.contains)
      val host = (if (preferred.isEmpty) readers else preferred).minBy(h => (loads(h).ms, h))
      p.files.foreach { f =>
        val local = if (holders(f.urlEncodedPath).contains(host)) f.length else 0L
        val before = loads(host)
        loads(host) = Load(before.ms + cost.costMs(f.length, local), before.bytes + f.length, before.local + local)
      }
    }
    val all = loads.values.toSeq
    Figures(
      partitions.size,
      all.map(_.local).sum.toDouble / all.map(_.bytes).sum,
      all.map(_.ms).max * readers.size / all.map(_.ms).sum)
  }

  private def compare(name: String, found: Seq[PartitionedFile], readers: Seq[String]): (Figures, Figures) = {
    val sorted = found.sortBy(-_.length)
    val holders = sorted.map(f => f.urlEncodedPath -> f.locations.toSet).toMap
    withConf("spark.sql.files.openCostInBytes" -> "42000", "spark.sql.files.maxPartitionBytes" -> maxSplitBytes.toString) {
      val spark = figures(FilePartition.getFilePartitions(session, sorted, maxSplitBytes), readers, holders)
      val packed = LocalPartitions.pack(session, sorted, readers, cost).get
      val ours = figures(packed.partitions, readers, holders)
      Seq("Spark's packing" -> spark, "ours" -> ours).foreach { case (how, f) =>
        println(f"$name, $how: ${f.tasks} tasks, ${100 * f.localShare}%.1f %% of bytes local, slowest host ${f.spread}%.2f x average")
      }
      (spark, ours)
    }
  }

  @Test
  def threeCopiesOnAllNodes(): Unit = {
    val fs: FileSystem = cluster.getFileSystem
    val found = FilesToRead.find(fs, java.util.List.of("/plain")).splits.asScala.toSeq.map { case (path, split) =>
      part(path, split.bytes, split.localBytes.keySet.asScala.toSeq.sorted)
    }
    val (spark, ours) = compare("directory with three copies, all nodes read", found, hosts)
    assertThat(ours.localShare).isEqualTo(1.0)
    assertThat(spark.localShare).isLessThan(0.95)
    assertThat(ours.spread).isLessThan(1.2)
  }

  @Test
  def oneCopyOnTheNodesOfAGroup(): Unit = {
    val client = MpsrClient.create(cluster.getConfiguration(0), cluster.getURI)
    try {
      val plan = client.plan("/data", Filter.ALL, "b").get
      assertThat(plan.files).hasSize(files)
      val found = plan.files.asScala.toSeq.map(f => part(f.path, f.length, f.blocks.get(0).hosts.asScala.toSeq))
      val nodes = found.flatMap(_.locations).distinct.sorted
      assertThat(nodes.size).isEqualTo(3)
      val (spark, ours) = compare("replica group of three nodes, all nodes read", found, hosts)
      assertThat(ours.spread).isLessThan(1.2).isLessThan(spark.spread)
      val (sparkThere, oursThere) = compare("replica group of three nodes, they read", found, nodes)
      assertThat(oursThere.localShare).isGreaterThan(0.9)
      assertThat(oursThere.localShare).isGreaterThan(sparkThere.localShare)
    } finally client.close()
  }

  private def part(path: String, length: Long, holders: Seq[String]): PartitionedFile =
    PartitionedFile(InternalRow.empty, SparkPath.fromPath(new Path(path)), 0, length, holders.toArray, 0, length)
}

object LocalityFiguresTest {
  /** @param local bytes that the host holds */
  private final case class Load(ms: Double, bytes: Long, local: Long)

  private final case class Figures(tasks: Int, localShare: Double, spread: Double)
}
