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
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.{FileSourceScanExec, SQLExecution}
import org.apache.spark.sql.execution.datasources.{FilePartition, FileScanRDD}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.hadoopmpsr.core.assign.ReadCost
import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * Spark's scan of files, except that each host gets parts of files that it holds. Spark chooses, divides and reads the files,
 * and makes the text of EXPLAIN. One metric is added: the bytes that are read on a host that holds them.
 */
private[locality] trait LocalScan extends FileSourceScanExec with PrintableLogging {

  /** The hosts that read. */
  protected def hosts: Seq[String]

  protected def cost: ReadCost

  override protected def otherCopyArgs: Seq[AnyRef] = Seq(hosts, cost)

  /** Not equal to Spark's node. Both are equal in canonical form: Spark uses the answer of one for the other. */
  override def canEqual(that: Any): Boolean = that.isInstanceOf[LocalScan]

  override def equals(that: Any): Boolean = canEqual(that) && super.equals(that)

  override def hashCode(): Int = super.hashCode()

  /** Spark's own scan. */
  @transient private lazy val stock: FileSourceScanExec = copy()

  @transient private lazy val localBytes = SQLMetrics.createSizeMetric(sparkContext, "size of files read on hosts that hold them")

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
        logWarning(s"Tasks get parts of files without regard to the hosts that hold them, because assigning failed: $e", e)
        None
    }
}

/** Reads as Spark's scan does, with other partitions. */
private final class LocalScanRDD(scan: FileScanRDD, @transient private val packed: Seq[FilePartition])
    extends RDD[InternalRow](scan.sparkContext, Nil) {

  override protected def getPartitions: Array[Partition] = packed.toArray

  override def compute(split: Partition, context: TaskContext): Iterator[InternalRow] = scan.compute(split, context)

  override protected def getPreferredLocations(split: Partition): Seq[String] =
    split.asInstanceOf[FilePartition].preferredLocations().toSeq
}
