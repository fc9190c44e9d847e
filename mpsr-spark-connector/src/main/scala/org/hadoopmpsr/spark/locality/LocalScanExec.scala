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
package org.hadoopmpsr.spark.locality

import scala.util.control.NonFatal

import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.{InternalRow, TableIdentifier}
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.connector.read.streaming.SparkDataStream
import org.apache.spark.sql.execution.{FileSourceScanExec, SQLExecution}
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD, HadoopFsRelation}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.collection.BitSet
import org.hadoopmpsr.core.assign.ReadCost

/**
 * Spark's scan of files, but that parts of files come to tasks by the hosts that they lie on. Which files are read, how they are
 * divided and how they are read is Spark's, and so is what EXPLAIN shows; one metric more tells how many bytes are read
 * where they lie. It has the arguments of Spark's, because copies of nodes are made so.
 *
 * @param hosts those that read
 */
private[spark] final class LocalScanExec(
    relation: HadoopFsRelation,
    stream: Option[SparkDataStream],
    output: Seq[Attribute],
    requiredSchema: StructType,
    partitionFilters: Seq[Expression],
    optionalBucketSet: Option[BitSet],
    optionalNumCoalescedBuckets: Option[Int],
    dataFilters: Seq[Expression],
    tableIdentifier: Option[TableIdentifier],
    disableBucketedScan: Boolean,
    @transient private val hosts: Seq[String],
    @transient private val cost: ReadCost)
    extends FileSourceScanExec(
      relation,
      stream,
      output,
      requiredSchema,
      partitionFilters,
      optionalBucketSet,
      optionalNumCoalescedBuckets,
      dataFilters,
      tableIdentifier,
      disableBucketedScan) {

  override protected def otherCopyArgs: Seq[AnyRef] = Seq(hosts, cost)

  /** Another node than Spark's. Both are alike in canonical form, so that the answer of one is used for the other. */
  override def canEqual(that: Any): Boolean = that.isInstanceOf[LocalScanExec]

  override def equals(that: Any): Boolean = canEqual(that) && super.equals(that)

  override def hashCode(): Int = super.hashCode()

  /** The scan as Spark does it. */
  @transient private lazy val stock: FileSourceScanExec = copy()

  @transient private lazy val localBytes = SQLMetrics.createSizeMetric(sparkContext, "size of files read where they lie")

  override def metrics: Map[String, SQLMetric] = stock.metrics + ("localBytes" -> localBytes)

  @transient override lazy val inputRDD: RDD[InternalRow] = stock.inputRDD match {
    case scan: FileScanRDD =>
      packed(scan) match {
        case Some(packed) =>
          localBytes.set(packed.localBytes)
          val execution = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
          SQLMetrics.postDriverMetricUpdates(sparkContext, execution, Seq(localBytes))
          new LocalScanRDD(scan, packed.partitions)
        case None => scan
      }
    case other => other
  }

  private def packed(scan: FileScanRDD): Option[LocalPartitions] =
    try LocalPartitions.pack(stock.relation.sparkSession, scan.filePartitions.flatMap(_.files), hosts, cost)
    catch {
      case e @ (NonFatal(_) | _: LinkageError) =>
        logWarning(s"Parts of files come to tasks without regard to where they lie, because assigning them failed: $e", e)
        None
    }
}

private[spark] object LocalScanExec {

  /** The same scan, by hosts. */
  def apply(scan: FileSourceScanExec, hosts: Seq[String], cost: ReadCost): LocalScanExec =
    new LocalScanExec(
      scan.relation,
      scan.stream,
      scan.output,
      scan.requiredSchema,
      scan.partitionFilters,
      scan.optionalBucketSet,
      scan.optionalNumCoalescedBuckets,
      scan.dataFilters,
      scan.tableIdentifier,
      scan.disableBucketedScan,
      hosts,
      cost)
}

/** Reads as Spark's, with other partitions. */
private final class LocalScanRDD(scan: FileScanRDD, @transient private val packed: Seq[FilePartition])
    extends RDD[InternalRow](scan.sparkContext, Nil) {

  override protected def getPartitions: Array[Partition] = packed.toArray

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = scan.compute(split, context)

  override protected def getPreferredLocations(split: Partition): Seq[String] =
    split.asInstanceOf[FilePartition].preferredLocations().toSeq
}
