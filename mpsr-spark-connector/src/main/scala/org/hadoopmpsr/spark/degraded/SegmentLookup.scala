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

import java.io.IOException
import java.net.URI
import java.util.{LinkedHashMap, List => JList, Map => JMap}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.security.UserGroupInformation
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.core.degraded.Substitutes
import org.hadoopmpsr.core.degraded.Substitutes.Planned
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.source.IdleClients

/**
 * Asks the NameNode, in a task and as its user, which files have the records of another file. Answers are kept for a while,
 * because a DataNode that dies has many files of a segment. Files never change; a file that was replaced or lost
 * meanwhile is noticed when it is read.
 */
private[degraded] object SegmentLookup {
  private val IdleMs = TimeUnit.MINUTES.toMillis(2)
  private val KeptNs = TimeUnit.SECONDS.toNanos(30)
  private val MostAnswers = 64
  private val MostFiles = 1000

  private type User = (String, UserGroupInformation)
  private final case class Question(user: User, path: String, datasetId: String, group: String, segment: String)
  private final case class Answer(files: JList[DataFile], atNs: Long)

  private val clients =
    new IdleClients[User, MpsrClient](IdleMs, () => TimeUnit.NANOSECONDS.toMillis(System.nanoTime()))

  private val answers = new LinkedHashMap[Question, Answer] {
    override protected def removeEldestEntry(eldest: JMap.Entry[Question, Answer]): Boolean = size > MostAnswers
  }

  /**
   * Does something with what can take the place of a file. If that fails with answers that were kept, the NameNode is asked
   * again: the files that they name may have been lost, and written anew.
   *
   * @param dataset the path of the dataset directory, with its file system
   * @throws java.io.IOException if nothing can, or the NameNode does not answer, or `body` throws it
   */
  def use[T](dataset: URI, group: String, file: Planned, conf: Configuration)(body: (Dataset, Substitutes) => T): T = {
    val nowNs = System.nanoTime()
    var oldestNs = nowNs
    def attempt(sinceNs: Long): T = {
      val user = (dataset.getAuthority, UserGroupInformation.getCurrentUser)
      val (known, substitutes) = clients.use(user)(MpsrClient.create(conf, dataset)) { client =>
        val known = client.getDataset(dataset.getPath)
        def files(group: String, segment: String) = {
          val answer = since(sinceNs, Question(user, dataset.getPath, known.id, group, segment)) {
            client.segmentFiles(dataset.getPath, group, Seq(segment).asJava)
          }
          if (answer.atNs - oldestNs < 0) oldestNs = answer.atNs
          answer.files
        }
        (known, Substitutes.find(known.groups, group, file, files(_, _)))
      }
      body(known, substitutes)
    }
    try attempt(nowNs - KeptNs)
    catch { case _: IOException if oldestNs != nowNs => attempt(nowNs) }
  }

  /** The answer that was kept, if it is not older. */
  private def since(sinceNs: Long, question: Question)(ask: => JList[DataFile]): Answer = {
    val before = answers.synchronized(Option(answers.get(question)))
    before.filter(_.atNs - sinceNs >= 0).getOrElse {
      val now = System.nanoTime()
      val answer = Answer(ask, now)
      if (answer.files.size <= MostFiles) answers.synchronized {
        answers.remove(question)
        answers.put(question, answer)
      }
      answer
    }
  }
}
