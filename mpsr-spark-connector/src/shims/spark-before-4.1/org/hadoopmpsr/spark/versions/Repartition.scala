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

import scala.collection.mutable

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.catalyst.expressions.{Literal, Murmur3Hash}
import org.apache.spark.sql.functions.{element_at, typedLit}

private[spark] object Repartition {

  /**
   * Each record in the partition whose number, from 0, the column holds, where adaptive execution is off. Spark hashes what it
   * partitions by, hence each number is replaced by one with the wanted hash.
   */
  def byId(frame: DataFrame, partitions: Int, id: Column): DataFrame =
    frame.repartition(partitions, element_at(typedLit(keys(partitions).toSeq), id + 1))

  /** For each partition a number whose hash is of this partition. */
  private def keys(partitions: Int): Array[Int] = {
    val found = mutable.HashMap.empty[Int, Int]
    var key = 0
    while (found.size < partitions) {
      val hash = new Murmur3Hash(Seq(Literal(key))).eval().asInstanceOf[Int]
      found.getOrElseUpdate(Math.floorMod(hash, partitions), key)
      key += 1
    }
    Array.tabulate(partitions)(found)
  }
}
