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

import org.apache.hadoop.fs.{FileSystem, Path}
import org.hadoopmpsr.client.{BegunCommit, Dataset, MpsrClient}

/** Changes of a dataset of HDFS. */
private[spark] abstract class NameNodeStaging(client: MpsrClient, fs: FileSystem, dataset: Dataset) extends Staging {

  override def begin(change: String): BegunChange = begun(change, client.beginCommit(dataset.path, dataset.id, change))

  /** What the NameNode has answered to the begin of a change. */
  protected def begun(change: String, answer: BegunCommit): BegunChange = {
    if (answer.refusal != null) {
      throw new JobException(answer.refusal.reason)
    }
    BegunChange(change, answer.stagingDir, answer.maxFiles)
  }

  override def abort(change: String): Unit = client.abortCommit(dataset.path, dataset.id, change)

  override def deleteOthers(begun: BegunChange, named: Set[String]): Int = {
    val files = fs.listFiles(new Path(begun.stagingDir), true)
    var deleted = 0
    while (files.hasNext) {
      val file = files.next().getPath
      if (!named.contains(file.toUri.getPath) && fs.delete(file, false)) {
        deleted += 1
      }
    }
    deleted
  }
}
