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
package org.hadoopmpsr.spark.relation

import java.lang.ref.WeakReference
import java.util.{LinkedHashMap, Map => JMap, WeakHashMap}
import java.util.concurrent.TimeUnit

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.datasources.{InMemoryFileIndex, LogicalRelation}

/**
 * What makes two reads of a directory equal.
 *
 * @param root a qualified path
 * @param user who reads
 * @param settings of the session, on which the columns depend that Spark learns from files
 */
private[spark] final case class ListedRead(root: Path, user: String, settings: Map[String, String])

/**
 * Reads of whole directories as Spark has resolved them, with the files that it has listed. For one session, whose rules hold them.
 * Whoever takes one must see whether the directory is still as it was listed. The most recently used are kept, for ten minutes, after
 * which blocks may lie elsewhere. Safe for use by several threads.
 *
 * @param nowMs milliseconds that only grow
 */
private[spark] final class KeptListings(nowMs: () => Long = () => TimeUnit.NANOSECONDS.toMillis(System.nanoTime())) {
  import KeptListings._

  private val known = new LinkedHashMap[ListedRead, Kept](16, 0.75f, true) {
    override protected def removeEldestEntry(eldest: JMap.Entry[ListedRead, Kept]): Boolean = size > Most
  }

  private val awaited = new ThreadLocal[Option[ListedRead]]

  /** The read with its files. */
  def get(read: ListedRead): Option[(LogicalRelation, InMemoryFileIndex)] = known.synchronized {
    Option(known.get(read)).filter(nowMs() - _.sinceMs < AgeMs).map(kept => (kept.relation, kept.index))
  }

  /** Says which read this thread resolves next; empty for one that is not kept. */
  def await(read: Option[ListedRead]): Unit = awaited.set(read)

  /** Keeps what this thread has resolved, if it was awaited. */
  def put(relation: LogicalRelation): Unit =
    for (read <- Option(awaited.get).flatten; directory <- DirectoryRead.unapply(relation)) {
      awaited.remove()
      directory.relation.location match {
        case index: InMemoryFileIndex if directory.root == read.root && directory.catalogTable.isEmpty =>
          known.synchronized(known.put(read, new Kept(relation, index, nowMs())))
        case _ =>
      }
    }
}

private[spark] object KeptListings {
  private val Most = 16
  private val AgeMs = TimeUnit.MINUTES.toMillis(10)

  private final class Kept(val relation: LogicalRelation, val index: InMemoryFileIndex, val sinceMs: Long)

  private val ofSessions = new WeakHashMap[SparkSession, WeakReference[KeptListings]]

  /** Those of a session. They are gone when its rules are. */
  def of(session: SparkSession): KeptListings = ofSessions.synchronized {
    Option(ofSessions.get(session)).flatMap(reference => Option(reference.get)).getOrElse {
      val made = new KeptListings
      ofSessions.put(session, new WeakReference(made))
      made
    }
  }
}
