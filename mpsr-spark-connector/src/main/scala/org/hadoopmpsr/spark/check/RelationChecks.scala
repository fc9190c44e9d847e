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

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction
import org.apache.spark.sql.catalyst.plans.logical.{AttachDistributedSequence, CTERelationRef, LogicalPlan, Sample}
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.parquet.ParquetUtils
import org.apache.spark.sql.internal.{LegacyBehaviorPolicy, SQLConf}
import org.hadoopmpsr.spark.relation.{ConfKeys, DirectoryRead, StockCause, StockReason}

/** What can be said of a relation without knowing whether it is a dataset. */
private[spark] object RelationChecks {

  /** Options that change nothing about what is read; whatever else is given keeps the read stock. */
  private val HarmlessOptions = Set("path", "serialization.format", ConfKeys.GroupOption)

  /** Options that only a write looks at; tables keep them, and tables of a metastore come with the first. */
  private val WriteOptions =
    Set("partitionoverwritemode", "compression", "maxrecordsperfile", "parquet.compression") ++
      Seq("block.size", "page.size", "page.row.count.limit", "dictionary.page.size", "enable.dictionary", "writer.version")
        .map(key => s"parquet.$key")

  /** Why all reads of a query must be as stock, if they must; of a subquery this is asked by itself. */
  def reason(query: LogicalPlan): Option[StockReason] =
    if (showsFiles(query)) {
      Some(StockCause.FilesShown())
    } else if (dependsOnOrder(query)) {
      Some(StockCause.RecordOrder())
    } else {
      None
    }

  /** Whether any expression of a query shows which file a record came from. */
  private def showsFiles(plan: LogicalPlan): Boolean =
    plan.exists(node => isFileMetadata(node.output) || node.expressions.exists(_.exists {
      case _: InputFileName | _: InputFileBlockStart | _: InputFileBlockLength => true
      case a: AttributeReference => isFileMetadata(Seq(a))
      case _ => false
    }))

  private def isFileMetadata(attributes: Seq[Attribute]): Boolean = attributes.exists {
    case FileSourceMetadataAttribute(_) => true
    case _ => false
  }

  /** Whether a record's place among those that are read, in which partition and at which position, gives it a value. */
  private def dependsOnOrder(query: LogicalPlan): Boolean = query.exists { node =>
    val depends = node match {
      case _: Sample | _: AttachDistributedSequence => true
      case _ => node.expressions.exists(e => !e.deterministic && e.exists(dependsOnOrder))
    }
    depends && node.exists {
      case DirectoryRead(_) | _: CTERelationRef => true
      case _ => false
    }
  }

  /** Aggregates such as `first` take any record of their group as `LIMIT` does. */
  private def dependsOnOrder(e: Expression): Boolean = e match {
    case _: UserDefinedExpression => !e.deterministic
    case _: AggregateFunction | _: SubqueryExpression => false
    case _ => !e.deterministic && e.children.forall(_.deterministic)
  }

  /** Why the relation must be read as stock, if it must. */
  def reason(relation: HadoopFsRelation, conf: SQLConf): Option[StockReason] =
    if (relation.bucketSpec.isDefined) {
      Some(StockCause.Bucketed())
    } else if (conf.parquetFieldIdReadEnabled && ParquetUtils.hasFieldIds(relation.schema)) {
      Some(StockCause.FieldIds())
    } else {
      reason(relation.options, conf)
    }

  /** Why a read with these options in a session with these settings must be stock, if it must. */
  def reason(options: Map[String, String], conf: SQLConf): Option[StockReason] = {
    val strange = written(options).collect { case (k, v) if !harmless(k.toLowerCase(Locale.ROOT), v) => k }
    if (strange.nonEmpty) {
      Some(StockCause.ReadOptions(strange.toSeq.sorted.mkString(", ")))
    } else {
      skipping(conf)
        .map(StockCause.FilesSkipped(_))
        .orElse(rebasing(conf).map(StockCause.Rebase(_)))
    }
  }

  /** As the user wrote them. */
  private def written(options: Map[String, String]): Iterable[(String, String)] = options match {
    case o: CaseInsensitiveMap[String @unchecked] => o.originalMap
    case o => o
  }

  /** Without merging, the columns are those that the relation has already. Tables of Hive come with this option. */
  private def harmless(key: String, value: String): Boolean =
    HarmlessOptions.contains(key) || WriteOptions.contains(key) || key == "mergeschema" && value.equalsIgnoreCase("false")

  /** The setting by which files that cannot be read are skipped: which records these hold differs between groups. */
  private def skipping(conf: SQLConf): Option[String] =
    Seq(SQLConf.IGNORE_CORRUPT_FILES, SQLConf.IGNORE_MISSING_FILES).collectFirst { case e if conf.getConf(e) => e.key }

  /** The setting by which days in files may be rebased; a day in a directory name never is. */
  private def rebasing(conf: SQLConf): Option[String] =
    Seq(
      SQLConf.PARQUET_REBASE_MODE_IN_READ.key -> conf.getConf(SQLConf.PARQUET_REBASE_MODE_IN_READ),
      SQLConf.PARQUET_INT96_REBASE_MODE_IN_READ.key -> conf.getConf(SQLConf.PARQUET_INT96_REBASE_MODE_IN_READ))
      .collectFirst { case (key, mode) if mode.toString != LegacyBehaviorPolicy.CORRECTED.toString => key }
}
