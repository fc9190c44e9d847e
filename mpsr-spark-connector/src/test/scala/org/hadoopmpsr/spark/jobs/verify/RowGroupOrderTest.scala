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

import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.columnar.buffer.LongVector
import org.hadoopmpsr.core.schema.ColumnType
import org.junit.jupiter.api.Test

class RowGroupOrderTest {
  private def isApart(sizes: Seq[Long], batches: Seq[Option[Long]]*): Boolean = {
    val order = new RowGroupOrder(ColumnType.LONG, sizes)
    batches.foreach { values =>
      val vector = new LongVector
      vector.reserve(values.size)
      values.zipWithIndex.foreach {
        case (Some(value), row) => vector.set(row, value)
        case (None, row) => vector.setNull(row, 1)
      }
      order.add(vector, values.size)
    }
    order.isApart
  }

  private def some(values: Long*): Seq[Option[Long]] = values.map(Some(_))

  @Test
  def valuesMustGrowFromEachRowGroupToTheNext(): Unit = {
    assertThat(isApart(Seq(4, 2), some(2, 1), some(1, 3), some(4, 4))).isTrue
    assertThat(isApart(Seq(4, 2), some(2, 1), some(1, 3), some(3, 4))).as("3 is in both").isFalse
    assertThat(isApart(Seq(2, 2, 1), some(1, 2), some(5, 6), some(4))).as("4 comes late").isFalse
    assertThat(isApart(Seq(3), some(3, 1, 2))).isTrue
  }

  @Test
  def nullComesBeforeAllValues(): Unit = {
    assertThat(isApart(Seq(2, 1), Seq(None, None), some(Long.MinValue))).isTrue
    assertThat(isApart(Seq(2, 1), Seq(None, Some(1)), some(2))).isTrue
    assertThat(isApart(Seq(1, 2), some(1), Seq(Some(2), None))).isFalse
  }
}
