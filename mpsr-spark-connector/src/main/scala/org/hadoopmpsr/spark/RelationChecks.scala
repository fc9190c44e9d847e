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

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.internal.{LegacyBehaviorPolicy, SQLConf}

/** What can be said of a relation without knowing whether it is a dataset. */
private[spark] object RelationChecks {

  /** Options that change nothing about what is read; whatever else is given keeps the read stock. */
  private val HarmlessOptions = Set("path", "serialization.format", "compression", ConfKeys.GroupOption)

  /** Whether any expression of a query shows which file a record came from. */
  def showsFiles(plan: LogicalPlan): Boolean =
    plan.exists(node => isFileMetadata(node.output) || node.expressions.exists(_.exists {
      case _: InputFileName | _: InputFileBlockStart | _: InputFileBlockLength => true
      case a: AttributeReference => isFileMetadata(Seq(a))
      case _ => false
    }))

  private def isFileMetadata(attributes: Seq[Attribute]): Boolean = attributes.exists {
    case FileSourceMetadataAttribute(_) => true
    case _ => false
  }

  /** Why the relation must be read as stock, if it must. */
  def reason(relation: HadoopFsRelation, conf: SQLConf, queryShowsFiles: Boolean): Option[StockReason] = {
    val options = names(relation.options).filterNot(k => HarmlessOptions.contains(k.toLowerCase(Locale.ROOT)))
    if (queryShowsFiles) {
      Some(StockReason("files-shown", "the query asks which files records come from"))
    } else if (options.nonEmpty) {
      Some(StockReason("option", s"read options ${options.toSeq.sorted.mkString(", ")}"))
    } else if (relation.bucketSpec.isDefined) {
      Some(StockReason("bucketed", "the table is bucketed"))
    } else {
      rebasing(conf).map(key => StockReason("rebase", s"$key is not CORRECTED"))
    }
  }

  /** As the user wrote them. */
  private def names(options: Map[String, String]): Iterable[String] = options match {
    case o: CaseInsensitiveMap[String @unchecked] => o.originalMap.keys
    case o => o.keys
  }

  /** The setting by which days in files may be rebased; a day in a directory name never is. */
  private def rebasing(conf: SQLConf): Option[String] =
    Seq(
      SQLConf.PARQUET_REBASE_MODE_IN_READ.key -> conf.getConf(SQLConf.PARQUET_REBASE_MODE_IN_READ),
      SQLConf.PARQUET_INT96_REBASE_MODE_IN_READ.key -> conf.getConf(SQLConf.PARQUET_INT96_REBASE_MODE_IN_READ))
      .collectFirst { case (key, mode) if mode.toString != LegacyBehaviorPolicy.CORRECTED.toString => key }
}
