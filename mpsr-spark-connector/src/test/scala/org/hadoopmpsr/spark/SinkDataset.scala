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

import java.net.URI
import java.nio.charset.StandardCharsets
import java.util.Collections.singletonList

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileUtil, Path}
import org.apache.hadoop.hdfs.{DistributedFileSystem, MiniDFSCluster}
import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.{MpsrClient, PublishResult, StagedFile}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.core.commit.{CommitSource, Rebuild, RemovedContent}
import org.hadoopmpsr.core.hash.ContentHashes
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.core.nested.NestedWriter
import org.hadoopmpsr.core.rebuild.Damage
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.columnar.buffer.{RecordAppender, RecordBuffer}
import org.hadoopmpsr.ingest.commit.{CommitStager, HdfsCommitTarget}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * A new dataset of a cluster that has the table's groups; the sink's own code writes and publishes its files.
 *
 * @param conf of a client of the cluster
 */
final class SinkDataset private (conf: Configuration, uri: URI, path: String, val table: TestTable) extends QueriedDataset {
  private var committed = 0L

  def this(conf: Configuration, uri: URI, path: String, table: TestTable, keys: Seq[String]) = {
    this(conf, uri, path, table)
    Using.resource(MpsrClient.create(conf, uri))(_.createDataset(path, table.schema, keys.asJava))
  }

  def this(cluster: MiniDFSCluster, path: String, table: TestTable, keys: Seq[String] = Nil) =
    this(new Configuration(cluster.getConfiguration(0)), cluster.getURI, path, table, keys)

  override val root: Path = new Path(s"$uri$path")

  /** This dataset, whose columns were altered since, for a writer that knows them. */
  def altered(now: TestTable): SinkDataset = {
    val dataset = new SinkDataset(conf, uri, path, now)
    dataset.committed = committed
    dataset
  }

  /**
   * Adds the records to every representation.
   *
   * @param stated what the writer states of a file, given what is true
   * @return the commit's id
   */
  def commit(rows: Seq[Row], stated: FileStatistics => FileStatistics = identity): String =
    commitFiles(rows, stated, (_, _, files) => files)

  /**
   * Adds the records to every representation, but some groups get others, which their statistics hide.
   *
   * @param others the records that a group gets, by its name
   * @return the commit's id
   */
  def commitFalsely(rows: Seq[Row], others: Map[String, Seq[Row]]): String =
    commitFiles(
      rows,
      identity,
      (target, id, files) => {
        others.foreach { case (group, its) => putOthers(target, id, files.filter(_.group == group), its) }
        files
      })

  /**
   * Adds the records to every representation, but in one group files lie in the directories of other partitions, and state these.
   *
   * @param swapped true if two files change their places; else one goes to where the other one is
   * @return the commit's id
   */
  def commitMisplaced(rows: Seq[Row], group: String, swapped: Boolean): String =
    commitFiles(
      rows,
      identity,
      (target, id, files) => {
        val Seq(one, other) = files.filter(_.group == group).distinctBy(f => PathNames.parent(f.relativePath)).take(2)
        val moved = Map(one -> other) ++ Option.when(swapped)(other -> one)
        files.map(file => moved.get(file).fold(file)(move(stagingOf(target, id), file, _)))
      })

  /** Moves a staged file to the directory of another one. */
  private def move(staging: String, file: StagedFile, other: StagedFile): StagedFile = {
    val name = PathNames.name(file.relativePath).replace(".parquet", "-moved.parquet")
    val stated = file.statistics
    val moved = new StagedFile(
      file.group,
      s"${PathNames.parent(other.relativePath)}/$name",
      new FileStatistics(stated.commitId, stated.content, other.statistics.partition, stated.columns))
    val from = new Path(s"$staging/${file.group}/${file.relativePath}")
    assertThat(root.getFileSystem(conf).rename(from, new Path(s"$staging/${file.group}/${moved.relativePath}"))).isTrue
    moved
  }

  /** Where the files of a commit that has begun are before it is published. To begin it again would delete them. */
  private def stagingOf(target: HdfsCommitTarget, id: String): String = {
    val other = target.begin(s"$id-other").require.stagingDir
    Using.resource(MpsrClient.create(conf, uri))(_.abortCommit(path, target.dataset.id, s"$id-other"))
    s"${PathNames.parent(other)}/$id"
  }

  /** Puts files of other records in the places of staged ones. */
  private def putOthers(target: HdfsCommitTarget, id: String, files: Seq[StagedFile], others: Seq[Row]): Unit = {
    val otherId = s"$id-other"
    val directory = target.begin(otherId).require.stagingDir
    val byDirectory = staged(target, otherId, others, identity).map(f => (f.group, PathNames.parent(f.relativePath)) -> f).toMap
    val fs = root.getFileSystem(conf)
    var changed = 0
    files.foreach { file =>
      val other = byDirectory((file.group, PathNames.parent(file.relativePath)))
      if (other.statistics.content != file.statistics.content) {
        val from = new Path(s"$directory/${other.group}/${other.relativePath}")
        FileUtil.copy(fs, from, fs, new Path(s"${PathNames.parent(directory)}/$id/${file.group}/${file.relativePath}"), false, true, conf)
        changed += 1
      }
    }
    assertThat(changed).as("files of other records").isGreaterThan(0)
    Using.resource(MpsrClient.create(conf, uri))(_.abortCommit(path, target.dataset.id, otherId))
  }

  private def commitFiles(
      rows: Seq[Row],
      stated: FileStatistics => FileStatistics,
      changed: (HdfsCommitTarget, String, Seq[StagedFile]) => Seq[StagedFile]): String = Using.resource(HdfsCommitTarget.open(conf, uri, path)) { target =>
    val source = new CommitSource("topic", 0, committed, committed + rows.size)
    val files = changed(target, source.text, staged(target, source.text, rows, stated))
    val result = target.publish(source.text, singletonList(source), files.asJava)
    check(result)
    committed += rows.size
    source.text
  }

  /**
   * Replaces segments by one.
   *
   * @param rows the records of the segments
   */
  def rewrite(id: String, removes: Seq[String], rows: Seq[Row]): Unit = Using.resource(HdfsCommitTarget.open(conf, uri, path)) { target =>
    val files = staged(target, id, rows, identity)
    val content = files.groupMapReduce(_.group)(f => ContentHashes.of(f.statistics.content))(_.plus(_)).map {
      case (group, hashes) => group -> new RemovedContent(hashes, java.util.Map.of())
    }
    Using.resource(MpsrClient.create(conf, uri)) { client =>
      check(client.rewrite(path, target.dataset.id, id, removes.asJava, content.asJava, java.util.List.of(), files.asJava))
    }
  }

  /** Writes the files of a segment in the default group anew. */
  def rebuild(id: String, segment: String, deleted: Boolean = false): Unit = Using.resource(MpsrClient.create(conf, uri)) { client =>
    val fs = root.getFileSystem(conf).asInstanceOf[DistributedFileSystem]
    val dataset = client.getDataset(path)
    val group = dataset.groups.defaultName
    val staging = client.beginCommit(path, dataset.id, id).require.stagingDir
    val old = client.segmentFiles(path, group, singletonList(segment)).asScala
    val files = old.zipWithIndex.map { case (file, i) =>
      val directory = PathNames.parent(file.path).stripPrefix(s"$path/")
      val relative = s"$directory/$segment-$id-$i.parquet"
      FileUtil.copy(fs, new Path(file.path), fs, new Path(s"$staging/$group/$relative"), false, conf)
      new StagedFile(group, relative, file.statistics)
    }
    val replaced =
      if (deleted) Nil else old.map(file => java.lang.Long.valueOf(fs.getClient.getFileInfo(file.path).getFileId)).toSeq
    if (deleted) old.foreach(file => assertThat(fs.delete(new Path(file.path), false)).isTrue)
    check(client.rebuild(path, dataset.id, id, new Rebuild(group, singletonList(segment), replaced.asJava), files.asJava))
  }

  /**
   * Offers files of these records in the place of damaged ones.
   *
   * @return what the NameNode says; the change is given up
   */
  def offer(id: String, damage: Damage, rows: Seq[Row]): PublishResult = Using.resource(HdfsCommitTarget.open(conf, uri, path)) { target =>
    val ofSegment = (s: FileStatistics) => new FileStatistics(damage.segment, s.content, s.partition, s.columns)
    val files = written(target, id, s"${damage.segment}-$id", rows, ofSegment).filter(_.group == damage.group)
    val replaced = damage.files.asScala.map(damaged => java.lang.Long.valueOf(damaged.file.fileId)).toSeq.asJava
    Using.resource(MpsrClient.create(conf, uri)) { client =>
      val change = new Rebuild(damage.group, singletonList(damage.segment), replaced)
      try client.rebuild(path, target.dataset.id, id, change, files.asJava)
      finally client.abortCommit(path, target.dataset.id, id)
    }
  }

  private def staged(
      target: HdfsCommitTarget,
      id: String,
      rows: Seq[Row],
      stated: FileStatistics => FileStatistics): Seq[StagedFile] = written(target, id, id, rows, stated)

  /** @param name what the names of the files begin with */
  private def written(
      target: HdfsCommitTarget,
      id: String,
      name: String,
      rows: Seq[Row],
      stated: FileStatistics => FileStatistics): Seq[StagedFile] = {
    val groups = target.dataset.writtenGroups
    val buffer = new RecordBuffer(table.schema)
    val appender = new RecordAppender(buffer, groups)
    rows.foreach(append(appender, _))
    val files = Using.resource(new CommitStager(target, groups, 2))(_.stage(buffer, name, target.begin(id).require).files)
    files.asScala.map(f => new StagedFile(f.group, f.relativePath, stated(f.statistics))).toSeq
  }

  private def check(result: PublishResult): Unit = {
    assertThat(result.reason).isEmpty()
    assertThat(result.outcome).isEqualTo(Outcome.COMMITTED)
  }

  private def append(appender: RecordAppender, row: Row): Unit = {
    appender.begin()
    row.toSeq.zipWithIndex.map {
      case (decimal: java.math.BigDecimal, column) => (decimal, column)
      case (value, column) => (TestDataset.core(value), column)
    }.foreach {
      case (null, _) =>
      case (value: java.math.BigDecimal, column) => appender.putDecimal(column, value)
      case (value: Array[Byte], column) => appender.putBytes(column, value, 0, value.length)
      case (value: String, column) =>
        val utf8 = value.getBytes(StandardCharsets.UTF_8)
        appender.putUtf8(column, utf8, 0, utf8.length)
      case (value: java.lang.Long, column) => appender.putLong(column, value)
      case (value: java.lang.Double, column) => appender.putDouble(column, value)
      case (value: NestedWriter, column) => appender.putNested(column, value)
      case (value: java.lang.Boolean, column) => appender.putBoolean(column, value)
      case (value, column) => throw new IllegalArgumentException(s"$value for ${appender.column(column)}")
    }
    appender.end(0)
  }
}
