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
package org.hadoopmpsr.spark.jobs.rebuild

import java.util.{ArrayList, List => JList}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.ReplicaGroup

/** Counts the records of each partition of a group while they are read. For one thread. */
private[jobs] final class PartitionCount(group: ReplicaGroup) {
  private val counts = mutable.HashMap.empty[JList[AnyRef], Long].withDefaultValue(0L)

  /**
   * Adds the records that a reader is at.
   *
   * @return their partitions, each once
   */
  def add(reader: RecordReader): Seq[JList[AnyRef]] = {
    val tupleOf = new Array[Int](reader.rows)
    val tuples = reader.fields.tuples(group, tupleOf).asScala.toSeq.map(tuple => new ArrayList(tuple): JList[AnyRef])
    val numbers = new Array[Long](tuples.size)
    tupleOf.foreach(tuple => numbers(tuple) += 1)
    tuples.zip(numbers).foreach { case (tuple, number) => counts(tuple) += number }
    tuples
  }

  /** Serializable. */
  def result: Map[JList[AnyRef], Long] = counts.toMap
}
