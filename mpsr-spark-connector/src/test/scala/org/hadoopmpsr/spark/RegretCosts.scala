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

import scala.jdk.CollectionConverters._

import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.core.cost.CostModel
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.relation.ConfKeys

/**
 * What reads cost on the machine that runs the test, for plans to weigh groups by: measured on the tables themselves.
 *
 * @param configured what is not measured
 */
private[spark] class RegretCosts(tables: Seq[(TestDataset, QueryTable)], configured: CostModel) {
  import RegretCosts._
  import SparkFixture._

  /** All groups have the same. */
  private val codec = tables.head._1.table.groups.defaultGroup.codec.ofGroup.kind

  val msPerByte: Double = 1 / configured.read.diskBytesPerMs + 1 / configured.decompressBytesPerMs.get(codec).doubleValue

  /** Where bytes are what counts, opening a file costs those that are read of it beside its columns. */
  def ofBytes(): CostModel = {
    val beside = for ((dataset, table) <- tables; (group, files) <- groups(dataset)) yield {
      val read = FullRead(group, files, table.views.head, columns(table))
      (files.size, usage(read).bytes - files.flatMap(_.statistics.columns.values.asScala).map(_.bytes).sum)
    }
    val openMs = beside.map(_._2).sum.toDouble / beside.map(_._1).sum * msPerByte
    model(openMs, configured.decompressBytesPerMs.get(codec), NoTime, 1)
  }

  /**
   * Where time on the clock counts, for a reader that has all cores to himself: what one task takes to read each column and
   * all, by files, bytes and values.
   */
  def ofTime(): CostModel = {
    val reads = for {
      (dataset, table) <- tables
      (group, files) <- groups(dataset)
      read <- columns(table) +: columns(table).map(Seq(_))
    } yield FullRead(group, files, table.views.head, read)
    val used = withConf(SQLConf.FILES_MIN_PARTITION_NUM.key -> "1")(QueryUsage.least(reads, seed)(usage))
    val work = reads.map(r => Array(r.files.size.toDouble, used(r).bytes.toDouble, r.values.toDouble))
    val regression = new OLSMultipleLinearRegression
    regression.newSampleData(reads.map(used(_).ms).toArray, work.toArray)
    // the first is what a query takes in any case
    val Array(_, openMs, ofByte, ofValue) = regression.estimateRegressionParameters()
    val decompressMs = ofByte - 1 / configured.read.diskBytesPerMs
    model(math.max(0.01, openMs), 1 / math.max(1e-9, decompressMs), 1 / math.max(1e-9, ofValue), session.sparkContext.defaultParallelism)
  }

  private def model(openMs: Double, bytesPerMs: Double, valuesPerMs: Double, parallelism: Int): CostModel = {
    val decompress = configured.decompressBytesPerMs.asScala.map { case (kind, _) => kind -> Double.box(bytesPerMs) }
    new CostModel(openMs, configured.read, decompress.asJava, valuesPerMs, parallelism)
  }

  private def groups(dataset: TestDataset): Map[String, Seq[DataFile]] =
    source.files(dataset).map(g => g.group.name -> g.files.asScala.toSeq).toMap

  private def columns(table: QueryTable): Seq[String] = session.table(table.views.head).columns.toSeq

  private def usage(read: FullRead): QueryUsage =
    withConf(ConfKeys.Group -> read.group)(QueryUsage.of(session.table(read.view).select(read.columns.map(col): _*)))
}

private object RegretCosts {

  /** Values per millisecond where they do not count. */
  private val NoTime = 1e15

  /** A read of some columns of all records of a group. */
  private final case class FullRead(group: String, files: Seq[DataFile], view: String, columns: Seq[String]) {
    def values: Long = files.map(_.statistics.rows).sum * columns.size
  }
}
