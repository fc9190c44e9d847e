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

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.catalog.{CatalogTable, CatalogTableType}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.command.DDLUtils
import org.hadoopmpsr.spark.relation.{ConfKeys, PastReadException}

/**
 * Fails where an earlier state is asked of a view, or of a table of Hive: Spark drops the options of such reads, and would read the
 * present state.
 */
private[spark] final class PastTableRule(session: SparkSession) extends Rule[LogicalPlan] {
  override val ruleName: String = "org.hadoopmpsr.spark.PastTableRule"

  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case relation @ UnresolvedRelation(name, options, _) =>
        ConfKeys.asOfOption(options.asCaseSensitiveMap.asScala.toMap).foreach { state =>
          table(name).foreach { known =>
            throw new PastReadException(s"cannot read ${relation.name} as of $state: it is $known, for which Spark drops " +
              s"options; read the dataset's directory with the option ${ConfKeys.AsOfOption}")
          }
        }
      case _ =>
    }
    plan
  }

  /** What a name stands for, if Spark drops the options of its reads. */
  private def table(name: Seq[String]): Option[String] = {
    val catalog = session.asInstanceOf[classic.SparkSession].sessionState.catalog
    val identifier = name match {
      case Seq(table) => Some(TableIdentifier(table))
      case Seq(database, table) => Some(TableIdentifier(table, Some(database)))
      case Seq(_, database, table) => Some(TableIdentifier(table, Some(database)))
      case _ => None
    }
    identifier.flatMap { id =>
      if (catalog.isTempView(id)) Some("a view")
      else if (id.database.exists(!catalog.databaseExists(_)) || !catalog.tableExists(id)) None // a directory
      else dropped(catalog.getTableMetadata(id))
    }
  }

  private def dropped(table: CatalogTable): Option[String] =
    if (table.tableType == CatalogTableType.VIEW) Some("a view")
    else if (DDLUtils.isHiveTable(table)) Some("a table of Hive")
    else None
}
