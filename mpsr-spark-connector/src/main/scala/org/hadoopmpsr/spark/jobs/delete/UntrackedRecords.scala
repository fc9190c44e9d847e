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
package org.hadoopmpsr.spark.jobs.delete

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
import org.apache.spark.sql.functions.col
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.DatasetColumns
import org.hadoopmpsr.core.text.Backticks
import org.hadoopmpsr.spark.jobs.run.JobException
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.source.{SharedPaths, SparkTypes}
import org.hadoopmpsr.spark.versions.OptionConverters._

/**
 * Counts the records of untracked files that a condition is true for, as stock Spark reads them. No change takes such records away: no
 * group but the default one has them.
 *
 * @param root the dataset directory
 * @param condition in Spark's SQL
 */
private[jobs] final class UntrackedRecords(
    session: SparkSession,
    fs: FileSystem,
    root: String,
    groups: ReplicaGroups,
    schema: DatasetColumns,
    condition: String) {
  private val logical = groups.logicalColumns(schema.stored).asScala.toSeq
  private val columns = SparkTypes.structType(logical)

  /** The columns under the names of the condition. */
  private val shown =
    logical.flatMap(c => schema.shownName(c.name).toScala.map(UntrackedRecords.column(c.name).as(_)))

  /**
   * Counts the records.
   *
   * @param paths the paths of untracked files
   * @return the number of such records by file; a file without any is missing
   * @throws JobException if a file cannot be read: nothing tells then what it has
   */
  def count(paths: Seq[String]): Map[String, Long] =
    paths.groupBy(fields).values.flatMap(countAlike).toMap

  /** The names of the partition fields that a path has. Spark leaves out files that have other ones than the files beside them. */
  private def fields(path: String): Seq[String] =
    path.stripPrefix(root).split('/').filter(_.contains('=')).map(name => ExternalCatalogUtils.unescapePathName(name.takeWhile(_ != '='))).toSeq

  private def countAlike(paths: Seq[String]): Seq[(String, Long)] = {
    val own = DeleteCondition.session(session)
    own.conf.set(ConfKeys.Enabled, "false")
    own.conf.set("spark.sql.files.ignoreCorruptFiles", "false")
    own.conf.set("spark.sql.files.ignoreMissingFiles", "false")
    if (SharedPaths.of(columns).nonEmpty) own.conf.set("spark.sql.parquet.filterPushdown", "false")
    val byFile = paths.map(path => fs.makeQualified(new Path(path)).toString -> path).toMap
    try
      own.read
        .option("basePath", fs.makeQualified(new Path(root)).toString)
        .option("__globPaths__", "false")
        .schema(columns)
        .parquet(byFile.keys.toSeq: _*)
        .select(col("_metadata.file_path").as(UntrackedRecords.File) +: shown: _*)
        .where(condition)
        .groupBy(UntrackedRecords.column(UntrackedRecords.File))
        .count()
        .collect()
        .map(row => byFile.getOrElse(row.getString(0), row.getString(0)) -> row.getLong(1))
        .toSeq
    catch {
      case NonFatal(e) =>
        throw new JobException(
          s"${paths.size} untracked files, such as ${paths.min}, cannot be read to look for records that go:" +
            s" ${Option(e.getMessage).getOrElse(e.toString).linesIterator.next()}; write them anew or delete them," +
            " and start the job again",
          e)
    }
  }
}

private object UntrackedRecords {
  private val File = "mpsr.file"

  private def column(name: String) = col(Backticks.around(name))
}
