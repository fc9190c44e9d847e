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
package org.apache.spark.sql.mpsr

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.StructType

/** Makes frames of plans, which only Spark's own packages may. */
object Frames {
  def of(session: classic.SparkSession, plan: LogicalPlan): DataFrame = classic.Dataset.ofRows(session, plan)

  /** Makes a frame of rows, which may be one object that changes. */
  def ofRows(session: classic.SparkSession, rows: RDD[InternalRow], schema: StructType): DataFrame =
    session.internalCreateDataFrame(rows, schema)
}
