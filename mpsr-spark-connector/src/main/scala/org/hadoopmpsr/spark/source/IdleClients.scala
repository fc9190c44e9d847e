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
package org.hadoopmpsr.spark.source

import scala.collection.mutable
import scala.util.control.NonFatal

import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * Clients that are kept for later use, one for each key. Each use closes the clients that were not used for a while. Safe for
 * use by several threads.
 *
 * @param nowMs a clock
 */
private[spark] final class IdleClients[K, C <: AutoCloseable](idleMs: Long, nowMs: () => Long) extends PrintableLogging {
  private val entries = mutable.HashMap.empty[K, Entry]

  private final class Entry {
    var users = 0
    var usedMs = 0L
    private var client: Option[C] = None

    def get(create: => C): C = synchronized {
      client.getOrElse {
        val created = create
        client = Some(created)
        created
      }
    }

    def close(): Unit = synchronized {
      try client.foreach(_.close())
      catch { case NonFatal(e) => logDebug("A client that is not used any more cannot be closed", e) }
    }
  }

  /**
   * Uses the client of a key. The client is not closed meanwhile.
   *
   * @param create makes the client where there is none; after a failure, the next use tries again
   */
  def use[T](key: K)(create: => C)(body: C => T): T = {
    val (entry, idle) = take(key)
    try {
      idle.foreach(_.close())
      body(entry.get(create))
    } finally release(entry)
  }

  private def take(key: K): (Entry, Seq[Entry]) = synchronized {
    val entry = entries.getOrElseUpdate(key, new Entry)
    entry.users += 1
    val idle = entries.filter { case (_, e) => e.users == 0 && nowMs() - e.usedMs >= idleMs }
    entries --= idle.keys
    (entry, idle.values.toSeq)
  }

  private def release(entry: Entry): Unit = synchronized {
    entry.users -= 1
    entry.usedMs = nowMs()
  }
}
