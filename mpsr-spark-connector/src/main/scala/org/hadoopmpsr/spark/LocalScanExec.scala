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
package org.hadoopmpsr.spark

import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.{FileSourceOptions, InternalRow, TableIdentifier}
import org.apache.spark.sql.catalyst.expressions.{Attribute, DynamicPruningExpression, Expression, Literal, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.connector.read.streaming.SparkDataStream
import org.apache.spark.sql.execution.{FileSourceScanExec, FileSourceScanLike, PartitionedFileUtil, SQLExecution}
import org.apache.spark.sql.execution.datasources.{FileFormat, FilePartition, FileScanRDD, HadoopFsRelation, PartitionedFile}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch
import org.apache.spark.util.collection.BitSet
import org.hadoopmpsr.core.assign.ReadCost

/**
 * Spark's scan of Parquet files, but that parts of files come to tasks by the hosts that they lie on. Rows, metrics and what
 * EXPLAIN shows are Spark's; one metric more tells how many bytes are read where they lie.
 *
 * @param hosts those that read
 */
private[spark] final case class LocalScanExec(
    @transient override val relation: HadoopFsRelation,
    override val output: Seq[Attribute],
    override val requiredSchema: StructType,
    override val partitionFilters: Seq[Expression],
    override val dataFilters: Seq[Expression],
    override val tableIdentifier: Option[TableIdentifier],
    hosts: Seq[String],
    @transient cost: ReadCost)
    extends FileSourceScanLike {

  // a dataset's directory has no buckets
  override def optionalBucketSet: Option[BitSet] = None
  override def optionalNumCoalescedBuckets: Option[Int] = None
  override def disableBucketedScan: Boolean = true
  override def getStream: Option[SparkDataStream] = None

  override val nodeNamePrefix: String = "File"

  /** The same scan by Spark, of which only the reader's settings are asked. */
  @transient private lazy val stock =
    FileSourceScanExec(relation, None, output, requiredSchema, partitionFilters, None, None, dataFilters, tableIdentifier, true)

  override lazy val supportsColumnar: Boolean = stock.supportsColumnar

  private lazy val localBytes = SQLMetrics.createSizeMetric(sparkContext, "size of files read where they lie")

  override def metrics: Map[String, SQLMetric] = super.metrics + ("localBytes" -> localBytes)

  override def inputRDDs(): Seq[RDD[InternalRow]] = Seq(inputRDD)

  private lazy val inputRDD: RDD[InternalRow] = {
    val session = relation.sparkSession
    val readFile = relation.fileFormat.buildReaderWithPartitionValues(
      session,
      relation.dataSchema,
      relation.partitionSchema,
      requiredSchema,
      pushedDownFilters,
      relation.options + (FileFormat.OPTION_RETURNING_BATCH -> supportsColumnar.toString),
      getHadoopConf(session, relation.options))
    val rdd = new FileScanRDD(
      session,
      readFile,
      partitions,
      StructType(requiredSchema.fields ++ relation.partitionSchema.fields),
      fileConstantMetadataColumns,
      relation.fileFormat.fileConstantMetadataExtractors,
      new FileSourceOptions(CaseInsensitiveMap(relation.options)))
    sendDriverMetrics()
    val execution = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLMetrics.postDriverMetricUpdates(sparkContext, execution, Seq(localBytes))
    rdd
  }

  private def partitions: Seq[FilePartition] = {
    val session = relation.sparkSession
    val maxSplitBytes = FilePartition.maxSplitBytes(session, dynamicallySelectedPartitions)
    val files = dynamicallySelectedPartitions.filePartitionIterator.flatMap { directory =>
      directory.files.flatMap { file =>
        val splitable = relation.fileFormat.isSplitable(session, relation.options, file.getPath)
        PartitionedFileUtil.splitFiles(file, file.getPath, splitable, maxSplitBytes, directory.values)
      }
    }.toArray[PartitionedFile].sortBy(_.length)(Ordering[Long].reverse).toSeq
    LocalPartitions.pack(session, conf, files, hosts, maxSplitBytes, cost) match {
      case Some(packed) =>
        localBytes.set(packed.localBytes)
        packed.partitions
      case None => FilePartition.getFilePartitions(session, files, maxSplitBytes)
    }
  }

  override protected def doExecute(): RDD[InternalRow] = {
    val rows = longMetric("numOutputRows")
    val types = schema
    val unsafe = conf.parquetVectorizedReaderEnabled
    inputRDD.mapPartitionsWithIndex { (index, records) =>
      val toUnsafe = UnsafeProjection.create(types)
      toUnsafe.initialize(index)
      records.map { record =>
        rows += 1
        if (unsafe) toUnsafe(record) else record
      }
    }
  }

  override protected def doExecuteColumnar(): RDD[ColumnarBatch] = {
    val rows = longMetric("numOutputRows")
    val scanTime = longMetric("scanTime")
    inputRDD.asInstanceOf[RDD[ColumnarBatch]].mapPartitions { batches =>
      new Iterator[ColumnarBatch] {
        override def hasNext: Boolean = {
          // a file is read when it is asked whether there is more
          val start = System.nanoTime()
          val more = batches.hasNext
          scanTime += NANOSECONDS.toMillis(System.nanoTime() - start)
          more
        }

        override def next(): ColumnarBatch = {
          val batch = batches.next()
          rows += batch.numRows()
          batch
        }
      }
    }
  }

  override def doCanonicalize(): LocalScanExec = copy(
    output = output.map(QueryPlan.normalizeExpressions(_, output)),
    partitionFilters = QueryPlan.normalizePredicates(
      partitionFilters.filterNot(_ == DynamicPruningExpression(Literal.TrueLiteral)),
      output),
    dataFilters = QueryPlan.normalizePredicates(dataFilters, output),
    tableIdentifier = None)
}
