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

import java.util.concurrent.{ConcurrentHashMap, TimeUnit}

import org.hadoopmpsr.spark.log.PrintableLogging

/** The planned files that tasks of this process could not read lately, by their paths. */
private[degraded] object BadFiles extends RecentNames

/** The DataNodes that did not answer tasks of this process lately, as HDFS names them, with their ports. */
private[degraded] object SilentNodes extends RecentNames with PrintableLogging {

  /** Whether a block has only DataNodes that did not answer lately. */
  def has(blocks: => Seq[Set[String]]): Boolean =
    !isEmpty && blocks.exists(nodes => nodes.nonEmpty && nodes.forall(contains))

  /**
   * A file that took so long before it gave anything lies on DataNodes that do not answer; each of their files would.
   *
   * @param blocks the DataNodes of each block of the file; nothing is noted if blocks have different ones
   * @param since when it was asked, as of `System.nanoTime`
   */
  def note(blocks: => Seq[Set[String]], since: Long, timeoutMs: Long): Unit = {
    val tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)
    if (tookMs >= timeoutMs) {
      blocks.distinct match {
        case Seq(nodes) if nodes.map(add).contains(true) =>
          logWarning(s"${nodes.mkString(", ")} did not answer for $tookMs ms; for a minute, files that lie there come from other groups")
        case _ =>
      }
    }
  }
}

/** Names that are remembered for a minute. Safe for use by several threads. */
private[degraded] sealed abstract class RecentNames {
  private val rememberedNs = TimeUnit.SECONDS.toNanos(60)
  private val most = 10000

  private val until = new ConcurrentHashMap[String, java.lang.Long]

  /** False if the name is remembered already. */
  def add(name: String): Boolean = {
    val now = System.nanoTime()
    if (until.size >= most) until.values.removeIf(_ - now < 0)
    if (until.size >= most) !until.containsKey(name)
    else {
      val before = until.put(name, now + rememberedNs)
      before == null || before - now < 0
    }
  }

  def forget(name: String): Unit = until.remove(name)

  def isEmpty: Boolean = until.isEmpty

  def contains(name: String): Boolean = {
    val known = until.get(name)
    known != null && known - System.nanoTime() > 0
  }
}
