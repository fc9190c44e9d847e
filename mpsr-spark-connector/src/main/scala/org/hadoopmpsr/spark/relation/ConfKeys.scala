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
package org.hadoopmpsr.spark.relation

import java.util.Locale

import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.spark.versions.Scala213._

/** The settings of a session. They may change between queries. */
private[spark] object ConfKeys {
  /** Boolean, default true. With false, every query runs as without MPSR. */
  val Enabled = "spark.mpsr.enabled"

  /** The name of the replica group to read, whatever the read costs. Default: the cheapest group is read. */
  val Group = "spark.mpsr.group"

  /** The group to read for one relation, as a read option. The hint `MPSR(group)` sets this option. */
  val GroupOption = "mpsr.group"

  /**
   * The state of a dataset that is read, as a read option: the number of a change, a day, a time with its zone, or a tag. Default: the
   * present state. No setting of the session does this: cached data of the present state would be read for it.
   */
  val AsOfOption = "mpsr.as-of"

  /**
   * With the value `stored`, as an option of a read or a write: columns have the names and places that they have in files. MPSR sets it
   * for relations whose columns it has looked at.
   */
  val ColumnsOption = "mpsr.columns"

  /** The columns are those of files. */
  val StoredColumns: (String, String) = ColumnsOption -> "stored"

  /**
   * With the name of a column behind it, how far from the values of the column may be what queries return or aggregate, as
   * [[org.hadoopmpsr.core.transform.Accuracy]] reads it. Default: nothing.
   */
  val AccuracySetting = "spark.mpsr.accuracy."

  /** The same for one relation, as a read option. Settings of the session become this option. */
  val AccuracyOption = "mpsr.accuracy."

  /** Boolean, default true. With false, every aggregate reads data, even where the statistics of files answer it. */
  val Aggregates = "spark.mpsr.aggregates"

  /**
   * How many bytes of [[AnswersDirectory answers of files]] are kept, in memory and in the directory each. 0 keeps none. Default: 256 MiB
   * where a directory is named, else 0.
   */
  val AnswersBytes = "spark.mpsr.answers.bytes"
  private val DefaultAnswersBytes = 256L << 20

  /**
   * The directory where answers are kept beyond a process, with a scheme or in the default file system. It belongs to who runs the
   * application. Default: answers are kept in memory alone.
   */
  val AnswersDirectory = "spark.mpsr.answers.directory"

  /**
   * The number of tasks of a query that run at a time. MPSR chooses the group that this many tasks read soonest. Without a
   * number of 1 or more, the configuration of the NameNode applies.
   */
  val Parallelism = "spark.mpsr.parallelism"

  /** Boolean, default true. With false, Spark alone gives parts of files to tasks. */
  val Locality = "spark.mpsr.locality"

  /** The hosts that read, separated by commas, under their names in HDFS. Default: the hosts that have executors. */
  val LocalityHosts = "spark.mpsr.locality.hosts"

  /** Boolean, default true. With false, a planned file that cannot be read ends the query, as on stock. */
  val Degraded = "spark.mpsr.degraded"

  /**
   * A DataNode that does not answer for so many milliseconds is given up, and the records are read from another group. A number
   * of 1 or more; default: 4000. The first query of a process with files of a cluster decides.
   */
  val DegradedTimeoutMs = "spark.mpsr.degraded.timeout.ms"
  private val DefaultDegradedTimeoutMs = 4000

  /** Boolean, default true. With false, every write to a dataset is as without MPSR. */
  val Writes = "spark.mpsr.write.enabled"

  /** The name of the stream of which a batch is written, as an option of a write. With [[BatchOption]], a batch is written once. */
  val StreamOption = "mpsr.stream"

  /** The number of the batch that is written, as an option of a write. Each stream writes its batches in ascending order. */
  val BatchOption = "mpsr.batch"

  def answersDirectory(conf: SQLConf): Option[String] = Some(conf.getConfString(AnswersDirectory, "").trim).filter(_.nonEmpty)

  def answersBytes(conf: SQLConf): Long = conf
    .getConfString(AnswersBytes, "")
    .trim
    .toLongOption
    .filter(_ >= 0)
    .getOrElse(if (answersDirectory(conf).isDefined) DefaultAnswersBytes else 0)

  def degraded(conf: SQLConf): Boolean = isOn(Degraded, conf)

  /** False also if MPSR is off. */
  def writes(conf: SQLConf): Boolean = enabled(conf) && isOn(Writes, conf)

  def degradedTimeoutMs(conf: SQLConf): Int =
    conf.getConfString(DegradedTimeoutMs, "").trim.toIntOption.filter(_ > 0).getOrElse(DefaultDegradedTimeoutMs)

  def enabled(conf: SQLConf): Boolean = isOn(Enabled, conf)

  def aggregates(conf: SQLConf): Boolean = isOn(Aggregates, conf)

  def locality(conf: SQLConf): Boolean = isOn(Locality, conf)

  /** 0 where the configuration of the NameNode applies. */
  def parallelism(conf: SQLConf): Int = conf.getConfString(Parallelism, "").trim.toIntOption.filter(_ > 0).getOrElse(0)

  def localityHosts(conf: SQLConf): Option[Seq[String]] =
    Some(conf.getConfString(LocalityHosts, "").split(',').map(_.trim).filter(_.nonEmpty).distinct.toSeq).filter(_.nonEmpty)

  private def isOn(key: String, conf: SQLConf): Boolean =
    !"false".equalsIgnoreCase(conf.getConfString(key, "true").trim)

  /** The group that the options of the relation ask for, else the group that the session asks for. */
  def group(options: Map[String, String], conf: SQLConf): Option[String] =
    options
      .collectFirst { case (key, value) if key.equalsIgnoreCase(GroupOption) => value.trim }
      .orElse(Some(conf.getConfString(Group, "").trim))
      .filter(_.nonEmpty)

  /** Whether the columns are those of files, or are to be. */
  def storedColumns(options: Map[String, String]): Boolean =
    options.exists { case (key, value) => key.equalsIgnoreCase(ColumnsOption) && value.trim.equalsIgnoreCase(StoredColumns._2) }

  /** What the options of a relation say about the accuracy of columns, by the names of columns in lower case. */
  def accuracies(options: Map[String, String]): Map[String, String] = named(options, AccuracyOption)

  /** Whether an option says how far off a column may be. */
  def isAccuracy(option: String): Boolean = option.toLowerCase(Locale.ROOT).startsWith(AccuracyOption)

  /** What the session says about the accuracy of columns, by the names of columns in lower case. */
  def sessionAccuracies(conf: SQLConf): Map[String, String] = named(conf.getAllConfs, AccuracySetting)

  private def named(all: Map[String, String], prefix: String): Map[String, String] = all.collect {
    case (key, value) if key.toLowerCase(Locale.ROOT).startsWith(prefix) && key.length > prefix.length =>
      key.substring(prefix.length).toLowerCase(Locale.ROOT) -> value
  }

  /** The state that the options of a relation ask for; an empty text names no state. */
  def asOfOption(options: Map[String, String]): Option[String] =
    options.collectFirst { case (key, value) if key.equalsIgnoreCase(AsOfOption) => value.trim }
}
