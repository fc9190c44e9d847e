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
package org.hadoopmpsr.spark.jobs.run

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.Dataset
import org.hadoopmpsr.core.group.{ColumnTransforms, Predicate, ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.schema.Schema

/** The schema, the groups and the key columns of a dataset. Serializable. */
private[spark] final case class DatasetText(schema: String, groupTexts: Seq[GroupText], defaultGroup: String, keys: Seq[String]) {
  def groups: ReplicaGroups = new ReplicaGroups(groupTexts.map(_.group).asJava, defaultGroup)
}

/**
 * A replica group. Serializable.
 *
 * @param codec the codecs and the transforms, as a record has them
 */
private[spark] final case class GroupText(name: String, predicates: Seq[String], sort: Seq[String], replication: Int, codec: String) {
  def group: ReplicaGroup =
    new ReplicaGroup(name, predicates.map(Predicate.parse).asJava, sort.map(SortKey.ofRecorded).asJava, replication, 
      ColumnTransforms.recordedCodecs(codec), ColumnTransforms.ofRecorded(codec))
}

private[spark] object DatasetText {
  def of(dataset: Dataset): DatasetText = of(dataset, dataset.groups)

  /** A dataset with all its groups, also those that are not complete. */
  def written(dataset: Dataset): DatasetText = of(dataset, dataset.writtenGroups)

  private def of(dataset: Dataset, groups: ReplicaGroups): DatasetText = of(dataset.schema, groups, dataset.keys.asScala.toSeq)

  /** One that there may be some day. */
  def of(schema: Schema, groups: ReplicaGroups, keys: Seq[String]): DatasetText = DatasetText(
    schema.ddl,
    groups.groups.asScala.toSeq.map { g =>
      GroupText(g.name, g.predicates.asScala.toSeq.map(_.text), g.sort.asScala.toSeq.map(_.recorded), g.replication, g.transforms.recordedAfter(g.codec))
    },
    groups.defaultName,
    keys)
}
