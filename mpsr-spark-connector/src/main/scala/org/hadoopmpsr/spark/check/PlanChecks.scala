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
package org.hadoopmpsr.spark.check

import java.io.FileNotFoundException

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileStatus
import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression}
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructField
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.schema.Column
import org.hadoopmpsr.spark.relation.{DirectoryRead, Listing, StockCause, StockReason}
import org.hadoopmpsr.spark.source.{SharedPaths, SparkTypes}

/** Checks that a relation has the records of the planned dataset. */
private[spark] object PlanChecks {

  /**
   * Why the relation must be read as stock; empty if it need not.
   *
   * @param used the columns that the query looks at; other columns do not matter
   */
  def reasons(read: DirectoryRead, plan: ReadPlan, used: AttributeSet): Seq[StockReason] =
    Seq(StockCause.Planning(plan.reason)).filter(_ => plan.stock) ++
      schemaReason(read.relation, plan, read.output.filter(used.contains).map(_.name).toSet)

  private def schemaReason(relation: HadoopFsRelation, plan: ReadPlan, used: Set[String]): Option[StockReason] = {
    val logical = plan.groups.logicalColumns(plan.schema).asScala.toSeq
    val fields = plan.groups.defaultGroup.partitionFields(plan.schema).asScala.map(_.name).toSeq
    val strange = relation.schema.find(f => used.contains(f.name) && !logical.exists(agrees(f, _)))
    strange.map { f =>
      StockCause.OtherColumn(
        s"${f.name} ${f.dataType.sql}",
        logical.find(_.name.equalsIgnoreCase(f.name)).map(c => s" ${c.name} ${c.`type`.ddl}").getOrElse(""))
    }.orElse {
      val partitions = relation.partitionSchema.fieldNames.toSeq
      if (partitions == fields) None
      else Some(StockCause.OtherPartitionColumns(partitions.mkString(", "), fields.mkString(", ")))
    }
  }

  /** Why a read with these filters must be as on stock because of what files of the dataset may have, if it must. */
  def sharedPath(plan: ReadPlan, filters: Seq[Expression], conf: SQLConf): Option[StockReason] =
    if (!conf.parquetFilterPushDown) None
    else
      SharedPaths.among(filters, SparkTypes.structType(plan.groups.logicalColumns(plan.schema).asScala.toSeq))
        .map(StockCause.SharedPath(_))

  private def agrees(field: StructField, column: Column): Boolean =
    field.name == column.name && field.dataType == SparkTypes.of(column.`type`)

  /** Why a listing is not of the state of the dataset that was planned, if it is not: their fingerprints differ. */
  def stateReason(listing: Listing, plan: ReadPlan): Option[StockReason] =
    if (plan.defaultTotals == null) {
      Some(StockCause.NoFingerprint(listing.totals.text))
    } else if (listing.totalsWithout(plan.untracked.asScala) != plan.defaultTotals) {
      Some(StockCause.OtherListing(listing.totals.text, s" than ${plan.defaultTotals.text} of the dataset"))
    } else {
      None
    }

  /**
   * Why a plan must not take the place of a listing, if it must not. Both must be of one state of the dataset. Of the default
   * group, the listing must have all files that are to be read. For another group, the newest listed file must still be there:
   * it is not if the dataset was made anew.
   *
   * @param conf evaluated only when needed
   */
  def listingReason(listing: Listing, plan: ReadPlan, conf: => Configuration): Option[StockReason] = {
    def other(difference: String) = StockCause.OtherListing(listing.totals.text, difference)
    val (ofDefault, ofOthers) = plan.each.asScala.partition(_.group == plan.groups.defaultName)
    stateReason(listing, plan)
      .orElse(listing.lacking(ofDefault.flatMap(_.files.asScala)).map(file => other(s": it lacks $file")))
      .orElse {
        if (ofOthers.isEmpty) None
        else {
          listing.newest
            .filterNot(isUnchanged(_, conf))
            .map(f => other(s": ${f.getPath.toUri.getPath} was deleted or written again"))
        }
      }
  }

  private def isUnchanged(listed: FileStatus, conf: Configuration): Boolean =
    try {
      val now = listed.getPath.getFileSystem(conf).getFileStatus(listed.getPath)
      now.getLen == listed.getLen && now.getModificationTime == listed.getModificationTime
    } catch {
      case _: FileNotFoundException => false
    }
}
