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
package org.hadoopmpsr.spark.jobs.adopt

import java.util.{List => JList}

import scala.collection.mutable

import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.ReplicaGroup

/** Counts the records of each partition of groups while a file is read for other reasons. For one thread. */
private[adopt] final class PartitionCounts(groups: Seq[ReplicaGroup]) {
  private val counts = groups.map(group => group -> mutable.HashMap.empty[JList[AnyRef], Long].withDefaultValue(0L))

  /** Adds the records that a reader is at. */
  def add(reader: RecordReader): Unit = counts.foreach { case (group, ofGroup) =>
    val tupleOf = new Array[Int](reader.rows)
    val tuples = reader.fields.tuples(group, tupleOf)
    val numbers = new Array[Long](tuples.size)
    tupleOf.foreach(tuple => numbers(tuple) += 1)
    numbers.indices.foreach(i => ofGroup(new java.util.ArrayList(tuples.get(i))) += numbers(i))
  }

  /** The counts by the names of the groups. Serializable. */
  def result: Map[String, Map[JList[AnyRef], Long]] = counts.map { case (group, ofGroup) => group.name -> ofGroup.toMap }.toMap
}
