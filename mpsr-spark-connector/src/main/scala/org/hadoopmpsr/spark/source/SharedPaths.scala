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

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, GetStructField}
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructType}

/**
 * Paths of values in files that Parquet's reader takes for each other. It joins the names of a path by dots, and looks up the dictionary
 * of a column by that: column `a.b` and field `b` of column `a` share one. A filter on one of them skips row groups by the values of the
 * other. Which records are lost by that depends on the files that are read.
 */
private[spark] object SharedPaths {

  /**
   * The first such path that filters look at.
   *
   * @param columns those that files may have
   */
  def among(filters: Seq[Expression], columns: StructType): Option[String] = {
    val shared = of(columns)
    if (shared.isEmpty) None else filters.flatMap(paths).find(shared)
  }

  /** The paths that more than one value has, with dots between their names. */
  def of(columns: StructType): Set[String] = if (!hasDot(columns)) Set.empty
  else {
    val all = columns.fields.toSeq.flatMap(f => leaves(f.name, f.dataType))
    all.collect { case leaf if all.count(covers(_, leaf)) > 1 => leaf.path }.toSet
  }

  /** @param open whether files have more names after these, in an array or a map */
  private final case class Leaf(path: String, open: Boolean)

  private def covers(one: Leaf, other: Leaf): Boolean = one.path == other.path || one.open && other.path.startsWith(one.path + ".")

  private def leaves(path: String, dataType: DataType): Seq[Leaf] = dataType match {
    case struct: StructType => struct.fields.toSeq.flatMap(f => leaves(s"$path.${f.name}", f.dataType))
    case _: ArrayType | _: MapType => Seq(Leaf(path, open = true))
    case _ => Seq(Leaf(path, open = false))
  }

  private def hasDot(dataType: DataType): Boolean = dataType match {
    case struct: StructType => struct.fields.exists(f => f.name.contains('.') || hasDot(f.dataType))
    case _ => false // Spark hands no filter on what is within an array or a map to the reader
  }

  /** The columns and fields that an expression looks at. */
  private def paths(e: Expression): Seq[String] = path(e).fold(e.children.flatMap(paths))(Seq(_))

  private def path(e: Expression): Option[String] = e match {
    case a: Attribute => Some(a.name)
    case field: GetStructField => path(field.child).map(of => s"$of.${field.extractFieldName}")
    case _ => None
  }
}
