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
package org.hadoopmpsr.spark.stream

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.classic
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.datasources.DataSource
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.execution.streaming.Source

/** Files that a stream reads and that may be those of a dataset: whether they are is asked when the stream starts. */
private[stream] final class StreamedDataset(of: DataSource)
    extends DataSource(
      of.sparkSession,
      of.className,
      of.paths,
      of.userSpecifiedSchema,
      of.partitionColumns,
      of.bucketSpec,
      of.options,
      of.catalogTable) {

  override def createSource(metadataPath: String): Source = {
    val session = sparkSession.asInstanceOf[classic.SparkSession]
    val path = StreamedDataset.path(this).map(new Path(_))
    path.flatMap(Rewrites.of(_, session.sessionState.newHadoopConf())) match {
      case Some(rewrites) =>
        new DatasetStream(
          StreamedFiles(
            session,
            StreamedDataset.path(this).get,
            className,
            sourceInfo.schema,
            sourceInfo.partitionColumns,
            metadataPath,
            CaseInsensitiveMap(options)),
          rewrites)
      case None => super.createSource(metadataPath)
    }
  }
}

private[stream] object StreamedDataset {

  def mayBe(source: DataSource): Boolean =
    !source.isInstanceOf[StreamedDataset] && path(source).isDefined && source.providingClass == classOf[ParquetFileFormat]

  private def path(source: DataSource): Option[String] = CaseInsensitiveMap(source.options).get("path")
}
