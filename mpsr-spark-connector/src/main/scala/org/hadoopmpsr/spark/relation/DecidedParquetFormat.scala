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

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{FileFormat, PartitionedFile, PartitioningAwareFileIndex}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetTable
import org.apache.spark.sql.mpsr.PathFilters
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.spark.degraded.{DegradedReads, ReadForm}
import org.hadoopmpsr.spark.transform.{NeededParts, ReadTransforms, TransformedReader}

/**
 * Spark's own Parquet format with another name, because the name is what every form of EXPLAIN and the web UI show of
 * a scan. It marks a relation for which a decision was made. Files that cannot be read may be read from another group.
 *
 * @param decision one line
 * @param group the replica group whose planned files are read; empty where the read is stock
 * @param substituted the dataset directory, qualified, and the group whose files are read; empty where files that cannot be
 *   read end the query
 * @param ofPaths conditions as [[PathFilters]] gives them, which Spark hands to the reader of its own format
 * @param transforms in what form files hold some columns, where they do not hold these themselves
 */
private[spark] final class DecidedParquetFormat(
    decision: String,
    val group: Option[String],
    substituted: Option[(Path, String)] = None,
    ofPaths: Seq[Filter] = Nil,
    val transforms: ReadTransforms = ReadTransforms.None)
    extends ParquetFileFormat {
  override def shortName(): String = s"parquet[mpsr $decision]"

  /** The same, and a file that cannot be read ends the query: each record that is read comes from the file that is named. */
  def alone: DecidedParquetFormat = new DecidedParquetFormat(decision, group, None, ofPaths, transforms)

  override def buildReaderWithPartitionValues(
      session: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration): PartitionedFile => Iterator[InternalRow] = {
    transforms.check(requiredSchema)
    // what comes from directories is no column of files
    val ofFiles = dataSchema.fieldNames.toSet -- partitionSchema.fieldNames
    val conf = session.asInstanceOf[classic.SparkSession].sessionState.conf
    def batches(needed: NeededParts) =
      supportBatch(session, StructType(needed.required(requiredSchema).fields ++ needed.parts ++ partitionSchema.fields))
    val needed = {
      val all = transforms.needed(requiredSchema, conf.caseSensitiveAnalysis)
      // a reader of rows does not tell that a file lacks a part
      if (all.mustHaveParts && !batches(all)) transforms.exact.needed(requiredSchema, conf.caseSensitiveAnalysis) else all
    }
    val known = PathFilters.completed(filters, ofPaths, ofFiles, conf)
    def ofParquet = super.buildReaderWithPartitionValues(
      session,
      StructType(dataSchema.fields ++ needed.parts),
      partitionSchema,
      StructType(needed.required(requiredSchema).fields ++ needed.parts),
      known ++ needed.pushed(known),
      options,
      hadoopConf)
    def stock =
      if (needed.isEmpty) ofParquet
      else new TransformedReader(ofParquet, needed, requiredSchema, partitionSchema, conf.offHeapColumnVectorEnabled)
    substituted match {
      case Some((root, its)) if root.toUri.getScheme == "hdfs" && ConfKeys.degraded(conf) =>
        val batches = conf.parquetVectorizedReaderEnabled && options.get(FileFormat.OPTION_RETURNING_BATCH).contains("true")
        val form = ReadForm(requiredSchema, partitionSchema, batches, conf.offHeapColumnVectorEnabled, conf.caseSensitiveAnalysis)
        val context = session.sparkContext
        DecisionMetrics.showDegraded(DegradedReads.counter(context))
        DegradedReads.reader(context, hadoopConf, stock, root, its, form, ConfKeys.degradedTimeoutMs(conf))
      case _ => stock
    }
  }
}

/**
 * The same for the second version of data sources: a table with its own files and columns and another name.
 *
 * @param decision one line
 */
private[spark] final class DecidedParquetTable(table: ParquetTable, decision: String)
    extends ParquetTable(
      s"parquet[mpsr $decision]${table.name.stripPrefix("parquet")}",
      table.sparkSession,
      table.options,
      table.paths,
      table.userSpecifiedSchema,
      table.fallbackFileFormat) {

  override lazy val fileIndex: PartitioningAwareFileIndex = table.fileIndex

  override lazy val dataSchema: StructType = table.dataSchema

  override lazy val schema: StructType = table.schema
}
