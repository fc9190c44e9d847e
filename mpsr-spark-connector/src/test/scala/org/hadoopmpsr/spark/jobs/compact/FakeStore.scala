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

import java.io.IOException

import java.util.Collections.singletonList

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.PublishResult
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.core.commit.Refusal
import org.hadoopmpsr.core.compact.{GroupShare, HeldSegment, SegmentFile}
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.spark.jobs.run.BegunChange

/** Segments of one group in memory; each has a file in some directories. Its answers and faults are those of a test. */
final class FakeStore extends ChangeStore {
  val current = mutable.LinkedHashMap.empty[String, (HeldSegment, Seq[SegmentFile])]
  val staged = mutable.LinkedHashMap.empty[String, mutable.Set[String]]
  val published = mutable.ArrayBuffer.empty[MergedChange]
  var maxFiles = 10000
  /** What happens before, or instead of, publishing: the number of calls so far is given. */
  var atPublish: Int => Option[PublishResult] = (_: Int) => None
  /** Whether the answer of the next publish is lost. */
  var losesAnswers = 0
  private var calls = 0

  def add(id: String, sequence: Long, bytes: Long, directories: Seq[String]): Unit = {
    val files = directories.map(d => new SegmentFile(id, "g", d, singletonList(d), s"/g/$d/$id.parquet", bytes / directories.size, ContentHash.EMPTY))
    put(id, sequence, sequence, bytes, files)
  }

  private def put(id: String, first: Long, last: Long, bytes: Long, files: Seq[SegmentFile]): Unit = {
    val share = new GroupShare(files.size, bytes)
    current(id) = (new HeldSegment(id, first, last, first, bytes, java.util.Map.of("g", share), "", null), files)
  }

  override def segments(): Seq[HeldSegment] = current.values.map(_._1).toSeq

  override def files(segments: Seq[String]): Seq[SegmentFile] = segments.flatMap(current(_)._2)

  override def begin(change: String): BegunChange = {
    staged(change) = mutable.LinkedHashSet.empty
    BegunChange(change, s"/staging/$change", maxFiles)
  }

  override def publish(change: MergedChange): PublishResult = {
    calls += 1
    atPublish(calls).getOrElse {
      if (current.contains(change.id)) result(Outcome.ALREADY_COMMITTED)
      else {
        val named = change.files.map(f => s"/staging/${change.id}/${f.group}/${f.relativePath}").toSet
        if (staged(change.id).toSet != named) refused(Refusal.Kind.NOT_STAGED, "files differ from the commit's list")
        else replace(change)
      }
    }
  }

  private def replace(change: MergedChange): PublishResult = {
    val parts = change.segments.map(current.remove(_).get)
    val files = change.files.map(f => new SegmentFile(change.id, f.group, "p", singletonList("p"), s"/g/${f.relativePath}", 1, ContentHash.EMPTY))
    val bytes = parts.map(_._1.bytes).sum
    put(change.id, parts.head._1.first, parts.last._1.last, bytes, files)
    published += change
    staged -= change.id
    if (losesAnswers > 0) {
      losesAnswers -= 1
      throw new IOException("the connection is lost")
    }
    result(Outcome.COMMITTED)
  }

  override def abort(change: String): Unit = staged -= change

  override def deleteOthers(begun: BegunChange, named: Set[String]): Int = {
    val files = staged(begun.id)
    val others = files.toSeq.filterNot(named)
    files --= others
    others.size
  }

  def result(outcome: Outcome, reason: String = ""): PublishResult =
    new PublishResult(outcome, reason, null, Seq.empty.asJava)

  def refused(kind: Refusal.Kind, reason: String): PublishResult =
    PublishResult.refused(new Refusal(kind, reason))
}
