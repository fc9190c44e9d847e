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

import org.apache.spark.sql.catalyst.expressions._

private[spark] object AnsiMode {

  /** Whether the calculation fails where its result has no place in its type. True where this is not known. */
  def isOf(e: BinaryArithmetic): Boolean = e match {
    case Add(_, _, mode) => mode == EvalMode.ANSI
    case Subtract(_, _, mode) => mode == EvalMode.ANSI
    case Multiply(_, _, mode) => mode == EvalMode.ANSI
    case Divide(_, _, mode) => mode == EvalMode.ANSI
    case IntegralDivide(_, _, mode) => mode == EvalMode.ANSI
    case Remainder(_, _, mode) => mode == EvalMode.ANSI
    case Pmod(_, _, mode) => mode == EvalMode.ANSI
    case _: BitwiseAnd | _: BitwiseOr | _: BitwiseXor => false
    case _ => true
  }
}
