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

/** The reasons for a stock read that can be found without the NameNode, so before it is known whether there is a dataset. */
private[spark] object RelationChecks {

  /** Options that do not change which records are read. Any option that is in neither list makes the read a stock read. */
  private val HarmlessOptions = Set("path", "serialization.format", ConfKeys.GroupOption, ConfKeys.AsOfOption, ConfKeys.ColumnsOption)

  /** Options that only writes use. Tables keep them; tables of a metastore have the first one. */
  private val WriteOptions =
    Set("partitionoverwritemode", "compression", "maxrecordsperfile", "parquet.compression") ++
      Seq("block.size", "page.size", "page.row.count.limit", "dictionary.page.size", "enable.dictionary", "writer.version")
        .map(key => s"parquet.$key")

  /** The reasons why all reads of a query must be stock reads. Subqueries are not part of the query here. */
  def reasons(query: LogicalPlan): Seq[StockReason] =
    Seq(StockCause.FilesShown()).filter(_ => showsFiles(query)) ++ Seq(StockCause.RecordOrder()).filter(_ => dependsOnOrder(query))

  /** True if an expression of the query depends on the file that a record comes from. */
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

  /** True if a value of a record depends on the partition that the record is read in, or on the position there. */
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

  /** Aggregates such as `first` may take any record of a group, as `LIMIT` may; they do not count. */
  private def dependsOnOrder(e: Expression): Boolean = e match {
    case _: UserDefinedExpression => !e.deterministic
    case _: AggregateFunction | _: SubqueryExpression => false
    case _: InputFileName | _: InputFileBlockStart | _: InputFileBlockLength => false // of the file, wherever its records come
    case _ => !e.deterministic && e.children.forall(_.deterministic)
  }

  /** The reason why a relation must be read as on stock, if there is one. */
  def reason(relation: HadoopFsRelation, conf: SQLConf): Option[StockReason] =
    if (relation.bucketSpec.isDefined) {
      Some(StockCause.Bucketed())
    } else if (conf.parquetFieldIdReadEnabled && ParquetUtils.hasFieldIds(relation.schema)) {
      Some(StockCause.FieldIds())
    } else {
      reason(relation.options, conf)
    }

  /** The reason why a read with these options, in a session with these settings, must be a stock read, if there is one. */
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

  /** The options in the user's spelling. */
  private def written(options: Map[String, String]): Iterable[(String, String)] = options match {
    case o: CaseInsensitiveMap[String @unchecked] => o.originalMap
    case o => o
  }

  /** `mergeSchema=false` is harmless because the relation's columns are known by now. Hive tables have this option. */
  private def harmless(key: String, value: String): Boolean =
    HarmlessOptions.contains(key) || ConfKeys.isAccuracy(key) || WriteOptions.contains(key) || key == "mergeschema" && value.equalsIgnoreCase("false")

  /** The setting that makes Spark skip unreadable files, if set. The records of such a file differ between groups. */
  private def skipping(conf: SQLConf): Option[String] =
    Seq(SQLConf.IGNORE_CORRUPT_FILES, SQLConf.IGNORE_MISSING_FILES).collectFirst { case e if conf.getConf(e) => e.key }

  /**
   * The setting that makes Spark rebase days in files, if set. Spark never rebases a day in a directory name. With `EXCEPTION`, which
   * is the default before Spark 4, Spark rebases nothing: it fails for old days in files of unknown writers.
   */
  private def rebasing(conf: SQLConf): Option[String] =
    Seq(
      SQLConf.PARQUET_REBASE_MODE_IN_READ.key -> conf.getConf(SQLConf.PARQUET_REBASE_MODE_IN_READ),
      SQLConf.PARQUET_INT96_REBASE_MODE_IN_READ.key -> conf.getConf(SQLConf.PARQUET_INT96_REBASE_MODE_IN_READ))
      .collectFirst { case (key, mode) if mode.toString == LegacyBehaviorPolicy.LEGACY.toString => key }
}
