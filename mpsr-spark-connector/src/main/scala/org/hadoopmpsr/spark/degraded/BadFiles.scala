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

/** The planned files that tasks of this process could not read lately. Safe for use by several threads. */
private[degraded] object BadFiles {
  private val RememberedNs = TimeUnit.SECONDS.toNanos(60)
  private val Most = 10000

  private val until = new ConcurrentHashMap[String, java.lang.Long]

  /** Remembers a file for a minute. False if it is remembered already. */
  def add(path: String): Boolean = {
    val now = System.nanoTime()
    if (until.size >= Most) until.values.removeIf(_ - now < 0)
    if (until.size >= Most) !until.containsKey(path)
    else {
      val before = until.put(path, now + RememberedNs)
      before == null || before - now < 0
    }
  }

  def contains(path: String): Boolean = {
    val known = until.get(path)
    known != null && known - System.nanoTime() > 0
  }

  def remove(path: String): Unit = until.remove(path)
}
