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

import java.net.URI

import scala.jdk.CollectionConverters._

import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.hadoopmpsr.client.degraded.{OtherGroup, PlannedFileSystem, SourceAccess}
import org.hadoopmpsr.columnar.degraded.{DegradedRead, SourceFiles}
import org.hadoopmpsr.core.degraded.NoSubstituteException
import org.hadoopmpsr.core.degraded.Substitutes.Planned

/**
 * The records of parts of planned files, from other groups.
 *
 * @param dataset the dataset directory, with its file system
 * @param group the group whose files are planned
 */
private[degraded] final class DegradedSources(dataset: URI, group: String, form: ReadForm) {

  /**
   * The records of a part of a file, from the first group that can give them.
   *
   * @param careful to read all of a source once before its records are given
   * @throws java.io.IOException that says why, if no group can give them; nothing was given then
   */
  def open(part: PartitionedFile, careful: Boolean): OtherGroup[AnyRef] = {
    val conf = PlannedFileSystem.configuration(dataset.getAuthority).orElseThrow(() =>
      new NoSubstituteException("no file of the cluster was opened by this process"))
    val planned = new Planned(part.toPath.toUri.getPath, part.fileSize, part.modificationTime)
    SegmentLookup.use(dataset, group, planned, conf) { (known, substitutes) =>
      val columns = form.columns(known.schema, known.groups)
      val lost = substitutes.lost
      val rows = lost.rows(part.start, part.length)
      val access = new SourceAccess(dataset, known.schema, lost, conf)
      val files: SourceFiles = file => HadoopInputFile.fromStatus(access.published(file), conf)
      OtherGroup.first[AnyRef](
        substitutes.sources,
        access,
        careful,
        source => {
          val read = new DegradedRead(known.groups, known.schema, lost, source, files, form.names.asJava, rows)
          new DegradedRows(read, form, columns, part.partitionValues)
        })
    }
  }
}
