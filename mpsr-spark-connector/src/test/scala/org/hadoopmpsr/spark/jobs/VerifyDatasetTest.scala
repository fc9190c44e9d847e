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

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.{assertThat, assertThatList, assertThatThrownBy}
import org.hadoopmpsr.client.verify.VerifyOptions
import org.hadoopmpsr.core.hash.HashKind
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestDataset, TestRecords}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.testing.FalseBlocks
import org.junit.jupiter.api.{AfterAll, AfterEach, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** What is false in a file is found, and nothing else. */
@TestInstance(Lifecycle.PER_CLASS)
class VerifyDatasetTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @AfterEach
  def reset(): Unit = session.conf.unset(ConfKeys.Enabled)

  private def options(segments: Seq[String], groups: Seq[String]): VerifyOptions =
    new VerifyOptions(segments.asJava, groups.asJava, 0, 0, false, null)

  @Test
  def everyGroupHoldsTheRecords(): Unit = {
    val rows = TestRecords.rows(seed, 0, 300)
    val dataset = new SinkDataset(dfs, "/cals/equal", TestRecords)
    dataset.commit(rows)
    val hash = TestDataset.hash(rows, HashKind.CURRENT)
    val report = VerifyDataset.verify(session, dataset.root.toString)
    report.contents.foreach(c => assertThat(c.content.single.get).isEqualTo(hash))
    assertThatList(report.contents.map(_.group).asJava).isEqualTo(TestRecords.groups.names)
    assertThat(report.sound).isTrue
    assertThat(report.json).contains("\"equal\" : true", "\"contentHash\" : \"" + hash.hex + "\"", "\"records\" : 300")
    assertThat(report.lines.last).contains("all groups hold the same records")
  }

  @Test
  def anEmptyDatasetIsSound(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/empty", TestRecords)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }

  @Test
  def oneFalseRecordIsFoundInItsSegmentAndGroup(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/false", TestRecords)
    val sound = dataset.commit(TestRecords.rows(seed, 0, 100))
    val rows = TestRecords.rows(seed, 1, 100)
    val label = TestRecords.schema.indexOf("label").getAsInt
    val flipped = Row.fromSeq(rows.head.toSeq.updated(label, "flipped")) +: rows.tail
    val wrong = dataset.commitFalsely(rows, Map("signal" -> flipped))
    val report = VerifyDataset.verify(session, dataset.root.toString)
    assertThat(report.equal).isFalse
    assertThatList(report.falseFiles.map(_.group).asJava).containsExactly("signal")
    assertThat(report.falseFiles.head.path).contains(wrong)
    assertThat(report.falseFiles.head.problem).startsWith("states records with the hash ")
    assertThatList(report.falseSegments.map(s => (s.segment, s.group)).asJava).containsExactly((wrong, "signal"))
    def part(segments: Seq[String], groups: Seq[String]) =
      VerifyDataset.verify(session, dataset.root.toString, options(segments, groups)).sound
    assertThat(part(Seq(sound), Nil)).isTrue
    assertThat(part(Nil, Seq("time", "device"))).isTrue
    assertThat(part(Seq(wrong), Seq("signal"))).isFalse
    assertThatThrownBy(() => part(Seq("nothing"), Nil)).hasMessageContaining("has no current segment 'nothing'")
    assertThatThrownBy(() => part(Nil, Seq("nothing"))).hasMessageContaining("has no replica group 'nothing'")
  }

  /** The bytes of a block change below HDFS, whose checksums are made to fit. */
  @Test
  @Tag("long")
  def bytesThatChangeBelowHdfsAreFound(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/bytes", TestRecords)
    val id = dataset.commit(TestRecords.rows(seed, 2, 100))
    val dir = s"${dataset.root.toUri.getPath}"
    val files = dfs.getFileSystem.listFiles(new Path(dir), true)
    val path = files.next().getPath.toUri.getPath
    FalseBlocks.change(dfs, path, bytes => for (i <- 10 until 60) bytes(i) = (bytes(i) ^ 0x55).toByte)
    val report = VerifyDataset.verify(session, dataset.root.toString)
    assertThatList(report.falseFiles.map(_.path).asJava).as(s"seed $seed").containsExactly(path)
    assertThatList(report.falseSegments.map(s => (s.segment, s.group)).asJava).containsExactly((id, "time"))
  }

  @Test
  def aFileThatNobodyPublishedIsNamed(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/broken", TestRecords)
    dataset.commit(TestRecords.rows(seed, 0, 50))
    val broken = new Path(dataset.root, "day=2014-05-01/broken.parquet")
    val out = dfs.getFileSystem.create(broken)
    try out.write(new Array[Byte](100))
    finally out.close()
    val report = VerifyDataset.verify(session, dataset.root.toString)
    assertThatList(report.falseFiles.map(_.path).asJava).containsExactly(broken.toUri.getPath)
    assertThat(report.falseFiles.head.problem).startsWith("was not published")
    assertThat(report.equal).isTrue
    assertThat(report.sound).isFalse
  }
}
