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

import java.util.Collections.singletonList

import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.core.commit.RemovedContent
import org.hadoopmpsr.core.compact.MergePart
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.spark.jobs.run.BegunChange

/** Writes one file for each part into a [[FakeStore]], and one that a failed attempt leaves. */
final class FakeParts(store: FakeStore) extends PartRunner {
  /** Is called before each part. */
  var before: MergePart => Unit = (_: MergePart) => ()

  override def run(
      parts: Seq[MergePart],
      change: BegunChange,
      done: MergedPart => Unit,
      pulse: () => Unit): Seq[MergedPart] = parts.map { part =>
    pulse()
    before(part)
    store.staged(change.id) += s"${change.stagingDir}/${part.group}/${part.directory}/${change.id}-lost.parquet"
    val statistics =
      new FileStatistics(change.id, ContentHash.EMPTY, singletonList(part.directory), java.util.Map.of())
    val file = new StagedFile(part.group, s"${part.directory}/${change.id}-${part.number}.parquet", statistics)
    store.staged(change.id) += s"${change.stagingDir}/${file.group}/${file.relativePath}"
    val merged = MergedPart(part.number, part.group, Seq(file.toBytes), RemovedContent.EMPTY, part.files.size, part.bytes, None)
    done(merged)
    merged
  }
}
