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
package org.hadoopmpsr.spark.jobs.verify

import java.util.Locale

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.core.group.ReplicaGroup
import org.hadoopmpsr.core.layout.PartitionPath
import org.hadoopmpsr.core.schema.{ColumnPath, Schema}
import org.hadoopmpsr.core.stats.{ColumnStatistics, FileStatistics, RowGroup}
import org.hadoopmpsr.spark.versions.OptionConverters._
import org.hadoopmpsr.spark.versions.Scala213._

/** Compares what the NameNode keeps of a group's files with their records. */
private[verify] final class StatisticsCheck(schema: Schema, group: ReplicaGroup) {
  private val fields = group.partitionFields(schema)

  /**
   * The first false statement about a file.
   *
   * @param path where the file lies
   */
  def problem(path: String, stated: FileStatistics, found: FileRecords): Option[String] =
    (content(stated, found).iterator
      ++ stated.columns.asScala.iterator.flatMap { case (name, column) =>
        found.columns.get(name.toLowerCase(Locale.ROOT)).flatMap(ofColumn(name, column, _))
      }
      ++ rowGroups(stated, found).iterator
      ++ partition(path, stated).iterator
      ++ found.problem.iterator).nextOption()

  private def content(stated: FileStatistics, found: FileRecords): Option[String] =
    if (stated.rows != found.content.count) Some(s"states ${stated.rows} records and has ${found.content.count}")
    else Option.when(stated.content != found.content) {
      s"states records with the hash ${stated.content.hex}, and its records have ${found.content.hex}"
    }

  private def ofColumn(name: String, stated: ColumnStatistics, found: ColumnValues): Option[String] = {
    def said(what: String, value: Any, is: Any) = Some(s"states $what $value of column '${ColumnPath.shown(name)}', which is $is")
    def wrong(bound: AnyRef, value: AnyRef, direction: Int): Boolean =
      bound != null && value != null && {
        val order = if (areComparable(bound, value)) ColumnValues.compare(bound, value) * direction else -1
        order < 0 && !isZeros(bound, value) || stated.exact && order != 0
      }
    if (stated.nullCount >= 0 && stated.nullCount != found.nulls) said("the number of nulls", stated.nullCount, found.nulls)
    else if (wrong(stated.min, found.min, -1)) said("the minimum", stated.min, found.min)
    else if (wrong(stated.max, found.max, 1)) said("the maximum", stated.max, found.max)
    else if (found.nans > 0 && stated.max != null) said("the maximum", stated.max, "NaN")
    else found.texts.find(text => !stated.mayHold(text)).map(text => s"states values of column '${ColumnPath.shown(name)}' without '$text'")
  }

  /** Whoever reads a part of a lost file from another group trusts in where its row groups lie. */
  private def rowGroups(stated: FileStatistics, found: FileRecords): Option[String] = {
    val its = stated.rowGroups.asScala.toSeq
    def text(group: Option[RowGroup]) = group.fold("no row group")(g => s"${g.rows} records around byte ${g.middle}")
    if (its.isEmpty) None
    else if (its != found.rowGroups) {
      val place = its.zip(found.rowGroups).takeWhile { case (a, b) => a == b }.size
      Some(s"states ${text(its.lift(place))} as row group $place, which is ${text(found.rowGroups.lift(place))}")
    } else Option.unless(found.isApart)("states where its row groups lie, and two of them have records that are not apart")
  }

  /** Bounds of decimals have at most 64 bits, and their values may have more. */
  private def areComparable(bound: AnyRef, value: AnyRef): Boolean =
    bound.getClass == value.getClass || bound.isInstanceOf[java.lang.Long] && value.isInstanceOf[java.math.BigInteger]

  /** 0.0 and -0.0 are equal to a query: either bounds the other. */
  private def isZeros(bound: AnyRef, value: AnyRef): Boolean = (bound, value) match {
    case (a: java.lang.Double, b: java.lang.Double) => a.doubleValue == 0 && b.doubleValue == 0
    case _ => false
  }

  /** A directory that may mean several tuples says nothing. */
  private def partition(path: String, stated: FileStatistics): Option[String] =
    PartitionPath.values(fields, path).toScala.filter(_ != stated.partition).map { values =>
      s"lies in the directory of ${values.asScala.mkString(", ")}, and states records of ${stated.partition.asScala.mkString(", ")}"
    }
}
