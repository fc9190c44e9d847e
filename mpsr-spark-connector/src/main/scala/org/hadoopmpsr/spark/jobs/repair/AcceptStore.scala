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
package org.hadoopmpsr.spark.jobs.repair

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.FileSystem
import org.hadoopmpsr.client.{Dataset, MpsrClient, PublishResult, StagedFile}
import org.hadoopmpsr.core.commit.Rebuild
import org.hadoopmpsr.spark.jobs.rebuild.{NameNodeRebuildStore, RebuildStore}

/** What was changed by hand in one dataset, and where acceptances go. For one thread. */
private[jobs] trait AcceptStore extends RebuildStore {

  /**
   * Publishes an acceptance. After an exception the outcome is unknown; the same call again tells it.
   *
   * @param states in which the accepted files were read, in their order; 0: as published
   */
  def accept(change: String, accepted: Rebuild, states: Seq[Long], files: Seq[StagedFile]): PublishResult
}

/** A dataset of HDFS. */
private[jobs] final class NameNodeAcceptStore(client: MpsrClient, fs: FileSystem, dataset: Dataset)
    extends NameNodeRebuildStore(client, fs, dataset, foreign = true)
    with AcceptStore {

  override def accept(change: String, accepted: Rebuild, states: Seq[Long], files: Seq[StagedFile]): PublishResult =
    client.accept(dataset.path, dataset.id, change, accepted, states.map(java.lang.Long.valueOf(_)).asJava, files.asJava)
}
