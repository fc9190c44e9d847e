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

import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetTable

/** Finds the files of a node of version 1 of data sources. The node has other arguments in each version of Spark. */
private[spark] object FileRelation {
  def unapply(node: LogicalRelation): Option[HadoopFsRelation] = node.relation match {
    case files: HadoopFsRelation => Some(files)
    case _ => None
  }
}

/** Finds the files of a node of version 2 of data sources. The node has other arguments in each version of Spark. */
private[spark] object TableRelation {
  def unapply(node: DataSourceV2Relation): Option[ParquetTable] = node.table match {
    case files: ParquetTable => Some(files)
    case _ => None
  }
}
