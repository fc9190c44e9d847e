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

import java.net.URI

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.apache.hadoop.security.UserGroupInformation
import org.apache.spark.SparkEnv

/** File systems and memory of tasks. Safe for use by several threads. */
private[spark] object TaskFiles {

  /** The share of the heap that all tasks of a process take together; the rest is for Spark and for what is read. */
  private val HeapShare = 0.5
  private val LeastMemory = 64L << 20
  private val MostMemory = 512L << 20

  /** What the records of a task may take, in bytes. */
  def memoryBytes: Long = {
    val tasks = SparkEnv.get.conf.getInt("spark.executor.cores", Runtime.getRuntime.availableProcessors)
    val share = (Runtime.getRuntime.maxMemory * HeapShare / math.max(1, tasks)).toLong
    math.max(LeastMemory, math.min(MostMemory, share))
  }

  private val systems = TrieMap.empty[(URI, UserGroupInformation), FileSystem]

  /** One for each user of a process, as long as it lives. */
  def fileSystem(uri: URI, conf: Configuration): FileSystem = systems.synchronized {
    systems.getOrElseUpdate(
      uri -> UserGroupInformation.getCurrentUser, {
        val tuned = new Configuration(conf)
        // Closing a small file waits for the DataNode's report: ask again soon, and as long in total as by default.
        tuned.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 10)
        tuned.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12)
        FileSystem.newInstance(uri, tuned)
      })
  }
}
