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

import org.apache.spark.sql.internal.SQLConf

/** The session's settings; they may be changed between queries. */
private[spark] object ConfKeys {
  /** Boolean, default true: false leaves every query as it is without MPSR. */
  val Enabled = "spark.mpsr.enabled"

  /** The name of a replica group to read whatever it costs; default: the cheapest is read. */
  val Group = "spark.mpsr.group"

  /** The same for one relation, as a read option; the hint `MPSR(group)` sets it. */
  val GroupOption = "mpsr.group"

  /** Boolean, default true: false reads data for every aggregate, also where what is known of files answers it. */
  val Aggregates = "spark.mpsr.aggregates"

  /**
   * How many tasks of a query run at a time: the group is chosen that is read soonest with them. Default, and what is no
   * number from 1: as the NameNode is configured.
   */
  val Parallelism = "spark.mpsr.parallelism"

  /** Boolean, default true: false leaves it to Spark which task reads which part of which file. */
  val Locality = "spark.mpsr.locality"

  /** The hosts that read, separated by commas, by the names that HDFS has; default: those that have executors. */
  val LocalityHosts = "spark.mpsr.locality.hosts"

  def enabled(conf: SQLConf): Boolean = isOn(Enabled, conf)

  def aggregates(conf: SQLConf): Boolean = isOn(Aggregates, conf)

  def locality(conf: SQLConf): Boolean = isOn(Locality, conf)

  /** 0 for as the NameNode is configured. */
  def parallelism(conf: SQLConf): Int = conf.getConfString(Parallelism, "").trim.toIntOption.filter(_ > 0).getOrElse(0)

  def localityHosts(conf: SQLConf): Option[Seq[String]] =
    Some(conf.getConfString(LocalityHosts, "").split(',').map(_.trim).filter(_.nonEmpty).distinct.toSeq).filter(_.nonEmpty)

  private def isOn(key: String, conf: SQLConf): Boolean =
    !"false".equalsIgnoreCase(conf.getConfString(key, "true").trim)

  /** The group that the relation's options ask for, else the session. */
  def group(options: Map[String, String], conf: SQLConf): Option[String] =
    options
      .collectFirst { case (key, value) if key.equalsIgnoreCase(GroupOption) => value.trim }
      .orElse(Some(conf.getConfString(Group, "").trim))
      .filter(_.nonEmpty)
}
