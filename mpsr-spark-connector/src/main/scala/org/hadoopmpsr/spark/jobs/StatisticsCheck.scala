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

import java.util.Locale

import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

import org.hadoopmpsr.client.ReadPlan.PlannedFile
import org.hadoopmpsr.core.group.{PartitionTransform, ReplicaGroup}
import org.hadoopmpsr.core.layout.PartitionPath
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.ColumnStatistics

/** A published file whose statistics or place say something false of its records. */
private[jobs] final case class FalseFile(group: String, path: String, problem: String)

/** Compares what the NameNode keeps of a group's files with their records. */
private[jobs] final class StatisticsCheck(schema: Schema, group: ReplicaGroup) {
  private val fields = group.partitionFields(schema)

  /** The first false statement about a file. */
  def problem(stated: PlannedFile, found: FileRecords): Option[String] =
    (counts(stated, found).iterator
      ++ stated.columns.asScala.iterator.flatMap { case (name, column) =>
        found.columns.get(name.toLowerCase(Locale.ROOT)).flatMap(ofColumn(name, column, _))
      }
      ++ partition(stated.path, found).iterator).nextOption()

  private def counts(stated: PlannedFile, found: FileRecords): Option[String] =
    if (stated.rows != found.count) Some(s"states ${stated.rows} records and has ${found.count}")
    else Option(stated.content).filter(content => content != found.content(content.kind)).map { content =>
      s"states records with the hash ${content.hex}, and its records have ${found.content(content.kind).hex}"
    }

  private def ofColumn(name: String, stated: ColumnStatistics, found: ColumnValues): Option[String] = {
    def said(what: String, value: Any, is: Any) = Some(s"states $what $value of column '$name', which is $is")
    def wrong(bound: AnyRef, value: AnyRef, direction: Int): Boolean =
      bound != null && value != null && {
        val order = if (bound.getClass == value.getClass) ColumnValues.compare(bound, value) * direction else -1
        order < 0 && !isZeros(bound, value) || stated.exact && order != 0
      }
    if (stated.nullCount >= 0 && stated.nullCount != found.nulls) said("the number of nulls", stated.nullCount, found.nulls)
    else if (wrong(stated.min, found.min, -1)) said("the minimum", stated.min, found.min)
    else if (wrong(stated.max, found.max, 1)) said("the maximum", stated.max, found.max)
    else if (found.nans > 0 && stated.max != null) said("the maximum", stated.max, "NaN")
    else found.texts.find(text => !stated.mayHold(text)).map(text => s"states values of column '$name' without '$text'")
  }

  /** 0.0 and -0.0 are equal to a query: either bounds the other. */
  private def isZeros(bound: AnyRef, value: AnyRef): Boolean = (bound, value) match {
    case (a: java.lang.Double, b: java.lang.Double) => a.doubleValue == 0 && b.doubleValue == 0
    case _ => false
  }

  private def partition(path: String, found: FileRecords): Option[String] =
    PartitionPath.values(fields, path).toScala.flatMap { values =>
      group.predicates.asScala.indices.iterator
        .map(i => results(i, found).find(_ != values.get(i)).map(result =>
          s"lies in ${fields.get(i).name}=${values.get(i)}, and has records of ${fields.get(i).name}=$result"))
        .collectFirst { case Some(problem) => problem }
    }

  /** The results of a predicate for the records; transforms other than bucket keep the order of values. */
  private def results(place: Int, found: FileRecords): Set[AnyRef] = {
    val predicate = group.predicates.get(place)
    val source = predicate.source(schema)
    val values = found.columns(source.name.toLowerCase(Locale.ROOT))
    val ofValues: Set[AnyRef] = predicate.transform match {
      case _: PartitionTransform.Bucket => found.buckets(place).map(Long.box)
      case transform => Set(values.min, values.max).filter(_ != null).map(transform.apply(source.`type`, _))
    }
    if (values.nulls > 0) ofValues + null else ofValues
  }
}
