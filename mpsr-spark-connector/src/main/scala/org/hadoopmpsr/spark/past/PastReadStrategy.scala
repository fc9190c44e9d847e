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
package org.hadoopmpsr.spark.past

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2ScanRelation, FileTable}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.spark.relation.{ConfKeys, DirectoryRead, FileRelation, PastReadException}

/**
 * Fails where a read for which an earlier state is asked would be one of the present state: MPSR is off, or has not decided the read,
 * because it is not of one whole Parquet directory of a dataset. Plans nothing.
 */
private[spark] object PastReadStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = {
    plan.foreach {
      case FileRelation(r) if !r.options.contains(DirectoryRead.MarkedOption) =>
        require(r.options, r.location.rootPaths.mkString(", "))
      case scan: DataSourceV2ScanRelation if scan.relation.table.isInstanceOf[FileTable] =>
        require(scan.relation.options.asCaseSensitiveMap.asScala.toMap, scan.relation.table.name)
      case _ =>
    }
    Nil
  }

  private def require(options: Map[String, String], what: String): Unit = ConfKeys.asOfOption(options).foreach { state =>
    val cause = if (ConfKeys.enabled(SQLConf.get)) "it is not the whole directory of a dataset, in Parquet" else s"MPSR is off; set ${ConfKeys.Enabled}=true"
    throw new PastReadException(s"cannot read $what as of $state: $cause")
  }
}
