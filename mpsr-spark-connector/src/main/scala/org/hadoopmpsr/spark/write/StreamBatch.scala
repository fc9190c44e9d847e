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
package org.hadoopmpsr.spark.write

import org.hadoopmpsr.core.commit.OffsetRules
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * A batch of a stream, which is written once. A dataset keeps the next batch of each stream as the committed offset of a topic of the
 * stream's own, whose name no topic of Kafka can have.
 */
private[write] final case class StreamBatch(stream: String, batch: Long) {

  def topic: String = s"spark-stream/$stream"
}

private[write] object StreamBatch {
  private val Name = "[A-Za-z0-9_.-]{1,64}"

  /** @throws IllegalArgumentException if the options of a write name a wrong stream or batch, or one of both */
  def of(options: Map[String, String]): Option[StreamBatch] = {
    def option(name: String) = options.collectFirst { case (key, value) if key.equalsIgnoreCase(name) => value.trim }
    (option(ConfKeys.StreamOption), option(ConfKeys.BatchOption)) match {
      case (None, None) => None
      case (Some(stream), Some(batch)) =>
        require(
          stream.matches(Name),
          s"the option ${ConfKeys.StreamOption} is '$stream'; name the stream with 1 to 64 letters, digits, dots, hyphens or underscores")
        val number = batch.toLongOption.filter(n => n >= 0 && n < OffsetRules.MAX_OFFSET)
        require(
          number.isDefined,
          s"the option ${ConfKeys.BatchOption} is '$batch'; give the number of the batch that foreachBatch tells, from 0")
        Some(StreamBatch(stream, number.get))
      case (stream, _) =>
        val (there, missing) =
          if (stream.isDefined) (ConfKeys.StreamOption, ConfKeys.BatchOption) else (ConfKeys.BatchOption, ConfKeys.StreamOption)
        throw new IllegalArgumentException(s"the write has the option $there and lacks $missing; give both, or none")
    }
  }
}
