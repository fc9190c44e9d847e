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

import org.apache.hadoop.fs.FileStatus
import org.apache.spark.sql.execution.datasources.FileIndex
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.spark.relation.StockReason

/**
 * What Spark would read, compared with plans.
 *
 * @param index the files that Spark has listed
 * @param untracked those of the files that came without a commit: Spark reads them besides what is planned
 * @param reason why a plan must not take their place, if it must not
 */
private[spark] final case class ListingComparison(
    index: FileIndex,
    untracked: Seq[FileStatus],
    reason: ReadPlan => Option[StockReason])
