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
package org.hadoopmpsr.spark.jobs.advise

import java.io.IOException
import java.util.{List => JList, UUID}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.SparkException
import org.apache.spark.sql.{classic, AnalysisException, SparkSession}
import org.apache.spark.sql.functions.rand
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.core.adopt.UntrackedFile
import org.hadoopmpsr.core.advise.{DirectoryFiles, GroupSizes, Layout}
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.spark.jobs.adopt.{FileReader, OtherGroups, ReadFile}
import org.hadoopmpsr.spark.jobs.rebuild.{Output, SparkDeriver}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, DatasetText, SparkTasks}
import org.hadoopmpsr.spark.source.{FilterTranslation, SparkTypes}

/**
 * Learns from records what the ends of files do not tell: how columns go together, and what records take in groups that there are not. Reads some files as a whole, and has the job that adopts files divide, sort
 * and compress their records. The files that come out go nowhere. Half of the files are done by themselves, because what a file takes besides
 * its records shows in files of other lengths.
 *
 * @param root of the directory, with the scheme
 * @param facts what is known of it
 * @param lies the default group, partitioned as the directory is
 * @param wanted about how many bytes are read
 * @param progress is told how far it is
 */
private[jobs] final class SizeMeasurement(
    session: SparkSession,
    fs: FileSystem,
    root: Path,
    facts: DirectoryFacts,
    lies: ReplicaGroup,
    wanted: Long,
    seed: Long,
    progress: String => Unit) {
  import SizeMeasurement._

  private val context = session.sparkContext

  /** What is read, by the places of the files in the directory. */
  private val chosen: Seq[Int] = {
    val places = facts.places.filter(facts.found(_).length > 0)
    DirectoryFiles.drawWhole(places.map(place => Long.box(facts.found(place).length)).asJava, wanted, seed).asScala.toSeq
      .map(i => places(i))
  }

  private var read = Seq.empty[Int]

  /** How many files were read, whose records tell what is known; 0 if they could not be. */
  def files: Int = read.size

  /** The bytes of these files. */
  def bytes: Long = read.map(facts.found(_).length).sum

  /**
   * Measures groups, those whose layouts are not known yet.
   *
   * @return what is known, and what was measured; what is known if no file can be read as it would be adopted, or the work fails, which is told
   */
  def of(groups: Seq[ReplicaGroup], known: GroupSizes): GroupSizes = {
    val asked = groups.map(group => Layout.of(group) -> group).toMap.filterNot { case (layout, _) => known.knows(layout) }.toSeq
    if (chosen.isEmpty || asked.isEmpty) known
    else {
      progress(s"measuring what records take as ${asked.map(_._1.text).mkString("; ")} with those of ${chosen.size} files")
      val named = asked.zipWithIndex.map { case ((layout, group), i) => (layout, layout.group(s"$Name$i", 1, group.codec)) }
      try measured(named, known)
      catch {
        case e: IOException =>
          progress(s"that could not be measured, and counts as in the files as they lie: ${e.getMessage}")
          known
      }
    }
  }

  /**
   * Some records of the files that are read as a whole, drawn at random, by the columns of the directory's layout; null for what Spark does
   * not give as one value, and for columns that only directories have.
   *
   * @param most how many
   * @return none if there are no such files, or Spark cannot read them, which is told
   */
  def records(most: Int): Seq[JList[AnyRef]] = {
    val columns = facts.layout.schema.columns.asScala.toSeq
    val added = facts.layout.added.asScala.toSet
    val types = SparkTypes.structType(columns.filterNot(added.contains))
    val places = columns.map(column => if (added.contains(column)) -1 else types.fieldIndex(column.name))
    if (chosen.isEmpty) Nil
    else {
      progress(s"reading records of ${chosen.size} files, to learn how columns go together")
      val own = session.newSession()
      own.conf.set(NanosAsLong, value = true)
      try {
        // names of directories may have characters of patterns, and the session another file system
        val files = chosen.map(place => fs.makeQualified(new Path(facts.found(place).path)).toString)
        val drawn = own.read.option("__globPaths__", "false").schema(types).parquet(files: _*).orderBy(rand(seed)).limit(most)
        drawn.asInstanceOf[classic.DataFrame].queryExecution.toRdd
          .map { row =>
            places.map(i => if (i < 0 || row.isNullAt(i)) null else FilterTranslation.value(types(i).dataType, row.get(i, types(i).dataType)).orNull)
          }
          .collect()
          .map(_.asJava)
          .toSeq
      } catch {
        case e @ (_: SparkException | _: AnalysisException) =>
          progress(s"their records could not be read, and columns count as independent: ${e.getMessage}")
          Nil
      }
    }
  }

  private def measured(named: Seq[(Layout, ReplicaGroup)], known: GroupSizes): GroupSizes = {
    val default = new ReplicaGroup(Default, lies.predicates, lies.sort, 1, lies.codec)
    val groups = new ReplicaGroups((default +: named.map(_._2)).asJava, Default)
    val text = DatasetText.of(facts.layout.schema, groups, Nil)
    val conf = context.broadcast(new SerializableConfiguration(context.hadoopConfiguration))
    val tasks = new SparkTasks(context, 0, 0)
    val untracked = chosen.map { place =>
      val file = facts.found(place)
      new UntrackedFile(file.path, place.toLong, file.length, file.modificationTime, Long.MaxValue, 0, 0, null)
    }
    val found = new FileReader(session, root.toUri.getPath, text, fs.getUri, conf, tasks).read(untracked, () => ()).filter(_.statistics.isDefined)
    if (found.isEmpty) known
    else {
      val others =
        new OtherGroups(groups, new SparkDeriver(session, text, fs.getUri, conf, tasks, fs.getDefaultBlockSize(root), Output.Nowhere))
      val half = found.sortBy(_.file.path).zipWithIndex.collect { case (file, i) if i % 2 == 0 => file }
      val weights = facts.files.weights(found.map(file => Int.box(file.file.fileId.toInt)).toSet.asJava)
      val all = named.foldLeft(known) { case (sizes, (layout, group)) =>
        val few = if (half.size == found.size) Nil else written(others, group, half)
        sizes.`with`(layout, GroupSizes.of(few.asJava, written(others, group, found).asJava, weights))
      }
      read = found.map(_.file.fileId.toInt)
      all
    }
  }

  private def written(others: OtherGroups, group: ReplicaGroup, files: Seq[ReadFile]): Seq[FileStatistics] = {
    val change = BegunChange(s"measure-${UUID.randomUUID}", "/", Int.MaxValue)
    others.write(change, group.name, files, _ => (), () => ()).flatMap(_.files).map(_.statistics)
  }
}

private object SizeMeasurement {
  private val Name = "measured"
  private val Default = "present"

  /** Spark's setting by which it reads times of nanoseconds. */
  private val NanosAsLong = "spark.sql.legacy.parquet.nanosAsLong"
}
