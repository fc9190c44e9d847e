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
package org.hadoopmpsr.spark.transform

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.core.group.{Codec, ColumnTransforms, Predicate, ReplicaGroup, SortKey}
import org.hadoopmpsr.spark.TestTable

/** A table with groups that hold columns in transforms. */
trait TransformedTable extends TestTable {

  /** A group of one copy, by signal and time within its partitions. */
  protected def group(name: String, predicate: String, transforms: String*): ReplicaGroup = new ReplicaGroup(
    name,
    java.util.List.of[Predicate](Predicate.parse(predicate)),
    SortKey.parseList("signal, at"),
    1,
    Codec.parse("zstd:3")).`with`(ColumnTransforms.parse(transforms.asJava))
}
