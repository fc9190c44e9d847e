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
package org.hadoopmpsr.spark.reduction.answer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, GenericInternalRow, JoinedRow, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.types.{ArrayType, StructType}

/** Rows in memory whose last column is an array of structs. */
private[answer] object ArrayElements {

  /** As Spark's `explode` has it: a row for each element, with the other columns before its fields. No array is null. */
  def of(relation: LocalRelation): LocalRelation = relation.output.last.dataType match {
    case ArrayType(element: StructType, containsNull) =>
      val others = relation.output.init
      val fields = element.fields.toSeq.map(field => AttributeReference(field.name, field.dataType, field.nullable || containsNull)())
      val other = UnsafeProjection.create(others, relation.output)
      val both = UnsafeProjection.create((others ++ fields).map(_.dataType).toArray)
      val nothing = new GenericInternalRow(element.size)
      val rows = relation.data.flatMap { row =>
        val key = other(row)
        val elements = row.getArray(others.size)
        (0 until elements.numElements()).map { i =>
          both(new JoinedRow(key, if (elements.isNullAt(i)) nothing else elements.getStruct(i, element.size))).copy(): InternalRow
        }
      }
      LocalRelation(others ++ fields, rows)
    case other => throw new IllegalArgumentException(s"the elements of $other are no structs")
  }
}
