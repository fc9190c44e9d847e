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
package org.hadoopmpsr.spark.aggregate

import org.apache.spark.sql.catalyst.expressions.AttributeReference

/** A function of one column that statistics of files may answer. */
private[spark] final case class StatisticQuery(function: StatisticQuery.Function, column: AttributeReference)

private[spark] object StatisticQuery {
  sealed abstract class Function(val name: String)
  case object Minimum extends Function("min")
  case object Maximum extends Function("max")

  /** How many records have a value. */
  case object Count extends Function("count")
}
