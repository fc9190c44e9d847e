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

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileSystem, Path}
import org.hadoopmpsr.client.{Dataset, MpsrClient, PublishResult, StagedFile}
import org.hadoopmpsr.core.adopt.UntrackedFile
import org.hadoopmpsr.core.commit.Rebuild
import org.hadoopmpsr.spark.jobs.run.{BegunChange, NameNodeStaging, Staging}

/** What an adoption needs of the NameNode and of HDFS. */
private[jobs] trait AdoptStore extends Staging {

  /** Whether nobody is to adopt files now. */
  def isPaused: Boolean

  /** The files that nobody has published now. */
  def untracked(): Seq[UntrackedFile]

  /** Keeps why files cannot be adopted as they are. */
  def unfit(reasons: Map[UntrackedFile, String]): Unit

  /** Makes the empty files that stand for adopted ones. */
  def stand(begun: BegunChange, files: Seq[StagedFile]): Unit

  /**
   * Publishes an adoption. After an exception the outcome is unknown; the same call again tells it.
   *
   * @param files those of all groups
   */
  def adopt(change: String, read: Seq[UntrackedFile], files: Seq[StagedFile]): PublishResult
}

/** That of a cluster. */
private[jobs] final class NameNodeAdoptStore(client: MpsrClient, fs: FileSystem, dataset: Dataset)
    extends NameNodeStaging(client, fs, dataset)
    with AdoptStore {

  override def isPaused: Boolean = client.getDataset(dataset.path).adoptionPaused

  override def untracked(): Seq[UntrackedFile] = client.untracked(dataset.path).asScala.toSeq

  override def unfit(reasons: Map[UntrackedFile, String]): Unit = client.setUnfit(dataset.path, reasons.asJava)

  override def stand(begun: BegunChange, files: Seq[StagedFile]): Unit =
    files.asJava.parallelStream.forEach { file =>
      fs.create(new Path(s"${begun.stagingDir}/${file.group}/${file.relativePath}"), true).close()
    }

  override def adopt(change: String, read: Seq[UntrackedFile], files: Seq[StagedFile]): PublishResult = {
    val ids = read.map(file => java.lang.Long.valueOf(file.fileId)).asJava
    val states = read.map(file => java.lang.Long.valueOf(file.state)).asJava
    val adopted = new Rebuild(dataset.groups.defaultName, java.util.List.of(), ids)
    client.adopt(dataset.path, dataset.id, change, adopted, states, files.asJava)
  }
}
