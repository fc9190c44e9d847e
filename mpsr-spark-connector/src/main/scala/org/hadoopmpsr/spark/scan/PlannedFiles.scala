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

import org.apache.spark.sql.execution.datasources.FileIndex
import org.hadoopmpsr.client.ReadPlan

/** Files of a plan as Spark reads them. */
private[spark] trait PlannedFiles {

  /** The planned files. */
  def planned: Seq[ReadPlan.PlannedFile]

  /** How many files are read besides. */
  def besides: Int

  /** The group, and the columns that the dataset has in the planned state: what a file's columns mean. */
  def state: String

  /** Some of the planned files, by their paths, and none besides. */
  def only(paths: Set[String]): FileIndex
}

private[scan] object PlannedFiles {
  def state(plan: ReadPlan): String = s"${plan.group}\n${plan.schema.ddl}\n${plan.shown.text(plan.schema)}"
}
