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
package org.hadoopmpsr.spark.scan

import org.apache.parquet.hadoop.ParquetInputFormat
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.parquet.ParquetOptions
import org.apache.spark.sql.internal.{LegacyBehaviorPolicy, SQLConf}
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.plan.ReadRequest

/** The options with which Parquet's reader looks for the records of a planned read, and with which Spark takes them. */
private[spark] object ReaderOptions {
  private val Dictionaries = ParquetInputFormat.DICTIONARY_FILTERING_ENABLED

  /** Dates and times in files of groups are in the calendar of today; Spark does not know it, and may fail for old ones. */
  private val Calendar = Seq(ParquetOptions.DATETIME_REBASE_MODE, ParquetOptions.INT96_REBASE_MODE)
    .map(_ -> LegacyBehaviorPolicy.CORRECTED.toString)

  /**
   * Files of the default group are read as without MPSR, with the user's settings of calendars. For other groups, dates and times
   * are those of the records.
   */
  def of(relation: HadoopFsRelation, plan: ReadPlan, readRequest: ReadRequest, conf: SQLConf): Map[String, String] =
    dictionaries(relation, plan, readRequest, conf) ++ (if (plan.group == plan.groups.defaultName) Nil else Calendar)

  /**
   * Row groups and pages end with the values of the column by which a group is sorted first. Where their bounds tell what to
   * read, the reader leaves dictionaries alone, because each costs another read. Settings of the user stay.
   */
  private def dictionaries(relation: HadoopFsRelation, plan: ReadPlan, readRequest: ReadRequest, conf: SQLConf): Map[String, String] = {
    def set = conf.contains(Dictionaries) ||
      relation.sparkSession.sparkContext.hadoopConfiguration.get(Dictionaries) != null
    val found = plan.groups.find(plan.group).filter(readRequest.isFoundByBounds(_, plan.leadRows)).isPresent
    if (found && !set) Map(Dictionaries -> "false") else Map.empty
  }
}
