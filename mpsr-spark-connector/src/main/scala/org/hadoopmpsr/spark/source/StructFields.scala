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
package org.hadoopmpsr.spark.source

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Expression, ExprId, GetStructField}
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.core.schema.ColumnPath

/**
 * The fields of structs in expressions, as columns of their own: a field has the name of its [[ColumnPath]]. For one thread.
 *
 * @param columns the relation's output
 */
private[source] final class StructFields(columns: Seq[Attribute]) {
  private val names = mutable.Map(columns.map(c => c.exprId -> c.name): _*)
  private val hasStructs = columns.exists(_.dataType.isInstanceOf[StructType])
  private val known = mutable.Map.empty[String, AttributeReference]

  /** The name of a column, or of a field in what [[asColumns]] has returned. */
  def name(id: ExprId): Option[String] = names.get(id)

  /** The expression with columns in the places of fields of structs. */
  def asColumns(e: Expression): Expression =
    if (!hasStructs) e
    else e.transformDown { case field: GetStructField => path(field).fold[Expression](field)(attribute(_, field)) }

  private def path(e: Expression): Option[String] = e match {
    case a: AttributeReference => names.get(a.exprId)
    case field: GetStructField => path(field.child).map(of => ColumnPath.of(java.util.List.of(of, field.extractFieldName)))
    case _ => None
  }

  private def attribute(path: String, field: GetStructField): AttributeReference =
    known.getOrElseUpdate(
      path, {
        val column = AttributeReference(path, field.dataType)()
        names(column.exprId) = path
        column
      })
}
