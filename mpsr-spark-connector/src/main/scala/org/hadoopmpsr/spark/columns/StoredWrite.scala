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
package org.hadoopmpsr.spark.columns

import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand
import org.hadoopmpsr.spark.relation.ConfKeys

/** A write of files with the columns that they have. */
private[columns] object StoredWrite {

  /** The write with the names of files for the columns that somebody writes under the names that are shown. */
  def of(write: InsertIntoHadoopFsRelationCommand, columns: KnownColumns): InsertIntoHadoopFsRelationCommand = {
    def stored(name: String) = columns.shown.stored(name)
    write.copy(
      outputColumnNames = write.outputColumnNames.map(stored),
      partitionColumns = write.partitionColumns.map(column => column.withName(stored(column.name))),
      staticPartitions = write.staticPartitions.map { case (name, value) => stored(name) -> value },
      options = write.options + ConfKeys.StoredColumns)
  }
}
