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

import java.io.Closeable
import java.net.URI

import org.apache.spark.TaskContext
import org.hadoopmpsr.client.degraded.{Attempt, PartReader, PartReads, PartRecords}

/** The rows, or batches, of a part of a planned file, as [[PartReader]] reads them: an iterator of Spark's. */
private[degraded] final class PartRows(reads: PartReads[AnyRef], path: String, dataset: URI, limits: Limits)
    extends Iterator[AnyRef]
    with Closeable {
  private val reader = {
    val task = Option(TaskContext.get())
    val attempt = task.map(_.attemptNumber()).getOrElse(0)
    val state = new Attempt(attempt == 0, attempt + 1 < limits.failures, () => task.exists(_.isInterrupted()))
    new PartReader[AnyRef](reads, path, dataset, state, limits.timeoutMs)
  }

  /** Opens the file; call it first. */
  def begin(): Unit = reader.begin()

  override def hasNext: Boolean = reader.hasNext

  override def next(): AnyRef = reader.next()

  override def close(): Unit = reader.close()
}

/** What one of Spark's readers gives. */
private[degraded] final class IteratedRecords(rows: Iterator[AnyRef]) extends PartRecords[AnyRef] {
  override def hasNext: Boolean = rows.hasNext

  override def next(): AnyRef = rows.next()

  override def close(): Unit = rows match {
    case closeable: Closeable => closeable.close()
    case _ =>
  }
}
