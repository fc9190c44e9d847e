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
package org.hadoopmpsr.spark.jobs.verify

import org.hadoopmpsr.columnar.buffer.ColumnVector
import org.hadoopmpsr.core.schema.{ColumnType, Values}

/**
 * Finds out whether the values of a column grow from each row group of a file to the next, where null comes before all others.
 *
 * @param sizes the number of records in each row group
 */
private[verify] final class RowGroupOrder(columnType: ColumnType, sizes: Seq[Long]) {
  private val ends = sizes.scanLeft(0L)(_ + _).toSet
  private var values = new ColumnValues.Collector(columnType)
  private var before: Option[ColumnValues] = None
  private var rows = 0L
  private var apart = true

  /** Adds the first rows of a vector, which are the next ones of the file, and of one row group. */
  def add(vector: ColumnVector, count: Int): Unit = {
    values.add(vector, count)
    rows += count
    if (ends(rows)) {
      val now = values.result
      apart &&= before.forall(follows(_, now))
      before = Some(now)
      values = new ColumnValues.Collector(columnType)
    }
  }

  private def follows(last: ColumnValues, now: ColumnValues): Boolean =
    now.nulls == 0 && now.nans == 0 && last.nans == 0 &&
      (last.max == null || isUnclear(last.max) || isUnclear(now.min) || Values.compare(last.max, now.min) < 0)

  /** Bytes that are no UTF-8 have lost their order. */
  private def isUnclear(value: AnyRef): Boolean = value match {
    case text: String => text.contains('\uFFFD')
    case _ => false
  }

  /** Of the row groups that were added. */
  def isApart: Boolean = apart
}
