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

import org.apache.hadoop.fs.Path
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}

/** A write to a dataset that is not one to all groups. */
private[write] final class OrdinaryWrite(path: Path, batch: Option[StreamBatch]) extends PrintableLogging {

  /**
   * Says why.
   *
   * @throws ExactlyOnceException if the write must happen exactly once: an ordinary write that is repeated has all records again
   */
  def because(reason: String): Unit = batch match {
    case Some(b) =>
      throw new ExactlyOnceException(
        s"cannot write batch ${b.batch} of stream '${b.stream}' to $path exactly once: $reason; or leave out the options" +
          s" ${ConfKeys.StreamOption} and ${ConfKeys.BatchOption} and write it as an ordinary writer does, which may have records twice")
    case None =>
      DecisionMetrics.countWrite("ordinary")
      logInfo(s"The write to $path is as without MPSR: $reason")
  }
}

/** A batch of a stream cannot be written so that a repetition does not write it again. Nothing was written. */
private[spark] final class ExactlyOnceException(message: String) extends IllegalStateException(message)
