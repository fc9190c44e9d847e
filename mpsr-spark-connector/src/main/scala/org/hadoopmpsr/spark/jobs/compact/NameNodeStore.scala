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
package org.hadoopmpsr.spark.jobs.compact

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.FileSystem
import org.hadoopmpsr.client.{Dataset, MpsrClient, PublishResult}
import org.hadoopmpsr.client.compact.SegmentList
import org.hadoopmpsr.core.compact.{HeldSegment, SegmentFile}
import org.hadoopmpsr.spark.jobs.run.{NameNodeStaging, SegmentFiles}

/** The changes of a dataset of HDFS. */
private[jobs] final class NameNodeStore(client: MpsrClient, fs: FileSystem, dataset: Dataset)
    extends NameNodeStaging(client, fs, dataset)
    with ChangeStore {
  private val roots = dataset.representations.asScala.map(r => r.group -> r.root).toMap

  override def segments(): Seq[HeldSegment] = SegmentList.of(client, dataset.path).asScala.toSeq

  override def files(segments: Seq[String]): Seq[SegmentFile] = for {
    group <- dataset.groups.names.asScala.toSeq
    file <- client.segmentFiles(dataset.path, group, segments.asJava).asScala
  } yield SegmentFiles.below(roots(group), group, file)

  override def publish(change: MergedChange): PublishResult = client.rewrite(
    dataset.path,
    dataset.id,
    change.id,
    change.segments.asJava,
    change.removed.asJava,
    change.duplicates.asJava,
    change.files.asJava)
}
