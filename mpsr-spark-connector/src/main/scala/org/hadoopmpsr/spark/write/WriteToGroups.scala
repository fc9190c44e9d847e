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

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{classic, Row}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.command.{CommandUtils, DataWritingCommand}
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand
import org.apache.spark.sql.execution.metric.SQLMetric
import org.hadoopmpsr.spark.overwrite.Overwriting

/**
 * Writes rows to all groups of a dataset in one commit: readers see all of them in every group, and what they overwrite in none, or everything as
 * it was. Where this is found to be
 * impossible after the rows were computed, the command of Spark writes them as without MPSR.
 *
 * @param stock the command of Spark
 * @param query the rows, in any order
 */
private[spark] final case class WriteToGroups(stock: InsertIntoHadoopFsRelationCommand, query: LogicalPlan, target: WriteTarget)
    extends DataWritingCommand {

  override def outputColumnNames: Seq[String] = stock.outputColumnNames

  override lazy val metrics: Map[String, SQLMetric] = stock.metrics

  override def argString(maxFields: Int): String =
    s"${target.root}, groups ${target.dataset.writtenGroups.names.asScala.mkString(", ")}" + target.overwriting.fold("") {
      case Overwriting.Everything => ", overwriting everything"
      case Overwriting.Partitions => ", overwriting partitions"
    }

  override def run(session: classic.SparkSession, child: SparkPlan): Seq[Row] = {
    val tables = new TablePartitions(session, stock)
    val outcome = tables.problem(target.overwriting).map(WriteOutcome.Impossible(_)).getOrElse(new GroupsWrite(session, target).run(child))
    outcome match {
      case WriteOutcome.Written(stats, commitMs) =>
        basicWriteJobStatsTracker(session.sessionState.newHadoopConf()).processStats(Seq(stats.basic), commitMs)
        tables.add(stats.partitions)
        refresh(session)
        Nil
      case WriteOutcome.Repeated => Nil
      case WriteOutcome.Impossible(reason) =>
        new OrdinaryWrite(stock.outputPath, target.batch).because(reason)
        stock.run(session, child)
    }
  }

  /** What Spark does after a write. */
  private def refresh(session: classic.SparkSession): Unit = {
    stock.fileIndex.foreach(_.refresh())
    session.sharedState.cacheManager.recacheByPath(
      session,
      stock.outputPath,
      stock.outputPath.getFileSystem(session.sessionState.newHadoopConf()))
    stock.catalogTable.foreach(CommandUtils.updateTableStats(session, _))
  }

  override protected def withNewChildInternal(newChild: LogicalPlan): WriteToGroups = copy(query = newChild)
}
