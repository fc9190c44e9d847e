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
package org.hadoopmpsr.spark.versions

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedHint

private[spark] object HintParameters {

  /**
   * What stands between the parentheses of a hint, as in Spark 4. The values that `Dataset.hint` got are literals. A name is a name,
   * even where Spark 3.5 has taken it for the column of this name already.
   */
  def of(hint: UnresolvedHint): Seq[Expression] = hint.parameters.map {
    case column: AttributeReference => UnresolvedAttribute(Seq(column.name))
    case e: Expression => e
    case value => Literal(value)
  }
}
