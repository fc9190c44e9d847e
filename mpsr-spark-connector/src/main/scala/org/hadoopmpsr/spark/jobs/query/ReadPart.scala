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
package org.hadoopmpsr.spark.jobs.query

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.hadoopmpsr.spark.relation.DecidedParquetFormat
import org.hadoopmpsr.spark.scan.PlannedFiles

/**
 * Files that a query reads.
 *
 * @param group the replica group, or several; empty if the default group is read as without MPSR
 * @param bytes the size of the files, of which less may be read
 * @param records of the files; empty if nothing tells it
 * @param kept how many files are not read besides, because answers of them were kept; empty if none are
 */
private[jobs] final case class ReadPart(group: Option[String], files: Int, bytes: Long, records: Option[Long] = None, kept: Option[Int] = None) {

  /** For people. */
  def text: String = s"$files files ($bytes bytes) of " + group.fold("the default group, as without MPSR")(name => s"the replica group $name")
}

private[jobs] object ReadPart extends AdaptiveSparkPlanHelper {

  /** What a frame is going to read. */
  def of(frame: DataFrame): Seq[ReadPart] =
    collect(frame.asInstanceOf[classic.DataFrame].queryExecution.executedPlan) { case scan: FileSourceScanExec =>
      val group = scan.relation.fileFormat match {
        case decided: DecidedParquetFormat => decided.group
        case _ => None
      }
      val files = scan.relation.location.listFiles(Nil, Nil).flatMap(_.files)
      val records = scan.relation.location match {
        case planned: PlannedFiles if planned.besides == 0 => Some(planned.planned.map(_.rows).sum)
        case _ => None
      }
      ReadPart(group, files.size, files.map(_.getLen).sum, records)
    }
}
