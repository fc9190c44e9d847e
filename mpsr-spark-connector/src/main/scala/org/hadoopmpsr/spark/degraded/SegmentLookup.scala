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
package org.hadoopmpsr.spark.degraded

import java.net.URI
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.security.UserGroupInformation
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.core.degraded.Substitutes
import org.hadoopmpsr.core.degraded.Substitutes.Planned
import org.hadoopmpsr.spark.source.IdleClients

/** Asks the NameNode, in a task and as its user, which files have the records of another file. */
private[degraded] object SegmentLookup {
  private val IdleMs = TimeUnit.MINUTES.toMillis(2)

  private val clients =
    new IdleClients[(String, UserGroupInformation), MpsrClient](IdleMs, () => TimeUnit.NANOSECONDS.toMillis(System.nanoTime()))

  /**
   * What can take the place of a file.
   *
   * @param dataset the path of the dataset directory, with its file system
   * @throws java.io.IOException if nothing can, or the NameNode does not answer
   */
  def find(dataset: URI, group: String, file: Planned, conf: Configuration): (Dataset, Substitutes) =
    clients.use((dataset.getAuthority, UserGroupInformation.getCurrentUser))(MpsrClient.create(conf, dataset)) { client =>
      val known = client.getDataset(dataset.getPath)
      def files(group: String, segment: String) =
        client.segmentFiles(dataset.getPath, group, Seq(segment).asJava)
      (known, Substitutes.find(known.groups, group, file, files(_, _)))
    }
}
