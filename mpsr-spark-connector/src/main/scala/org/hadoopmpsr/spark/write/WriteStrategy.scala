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

import java.io.IOException

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SaveMode, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Sort}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage
import org.apache.spark.sql.execution.command.DataWritingCommandExec
import org.apache.spark.sql.execution.datasources.{InsertIntoHadoopFsRelationCommand, WriteFiles}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.mpsr.DynamicOverwrite
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.overwrite.Overwriting
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics, DirectoryRead}
import org.hadoopmpsr.spark.source.PlanSource
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Plans appends and overwrites of Parquet in the directory of a dataset as writes to all groups. Every other write stays as without MPSR, and so
 * does one that does not fit the dataset, or of which nothing tells whether it does; the log says why. A write that must happen
 * exactly once fails instead.
 */
private[spark] final class WriteStrategy(session: SparkSession, source: PlanSource) extends SparkStrategy with PrintableLogging {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case command: InsertIntoHadoopFsRelationCommand if !isPlannedAgain(command) =>
      val batch = StreamBatch.of(command.options)
      target(command, batch) match {
        case Right(None) => Nil
        case Right(Some(target)) =>
          val query = rows(command)
          Seq(DataWritingCommandExec(WriteToGroups(command, query, target), planLater(query)))
        case Left(reason) =>
          new OrdinaryWrite(command.outputPath, batch).because(reason)
          Nil
      }
    case _ => Nil
  }

  /** Whether Spark has begun with an ordinary write, and plans what is left of it. */
  private def isPlannedAgain(plan: LogicalPlan): Boolean = plan.exists(_.isInstanceOf[LogicalQueryStage])

  /** The dataset that is written; none where it is no dataset, and the reason where the write is an ordinary one. */
  private def target(command: InsertIntoHadoopFsRelationCommand, batch: Option[StreamBatch]): Either[String, Option[WriteTarget]] =
    if (!ConfKeys.writes(SQLConf.get)) {
      if (batch.isEmpty) Right(None) else Left(s"the session does not write to all groups; set ${ConfKeys.Enabled} and ${ConfKeys.Writes} to true")
    } else {
      try {
        dataset(command.outputPath) match {
          case None if batch.isEmpty => Right(None)
          case None => Left("it is not known to be a dataset of HDFS; name the directory of the dataset as hdfs://…")
          case Some((root, dataset)) =>
            DecisionMetrics.register()
            new WriteFit(dataset, SQLConf.get, hadoopConf).form(command).map { form =>
              Some(WriteTarget(root, dataset, form, batch, overwriting(command)))
            }
        }
      } catch {
        case e: IOException => Left(s"the NameNode does not tell of the dataset: ${MpsrClient.answer(e)}")
        case e @ (NonFatal(_) | _: LinkageError) =>
          DecisionMetrics.countFailure()
          logWarning(s"MPSR failed to look at a write to ${command.outputPath}", e)
          Left(s"MPSR failed: $e")
      }
    }

  private def overwriting(command: InsertIntoHadoopFsRelationCommand): Option[Overwriting] =
    Option.when(command.mode == SaveMode.Overwrite)(
      if (DynamicOverwrite.is(command)) Overwriting.Partitions else Overwriting.Everything)

  private def dataset(path: Path): Option[(Path, Dataset)] = {
    val root = DirectoryRead.qualified(path, session)
    source.plan(root, hadoopConf, PlanSource.NoRecords, None) match {
      case PlanSource.DatasetPlan(_) =>
        Using.resource(MpsrClient.create(hadoopConf, root.toUri))(client => Some(root -> client.getDataset(root.toUri.getPath)))
      case _ => None
    }
  }

  private def hadoopConf: Configuration = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()

  /** The rows of a command without the sort that Spark adds for its own writer. */
  private def rows(command: InsertIntoHadoopFsRelationCommand): LogicalPlan = {
    val query = command.query match {
      case files: WriteFiles => files.child
      case other => other
    }
    query match {
      case sort: Sort if !sort.global && isOfPartitions(sort, command) => sort.child
      case other => other
    }
  }

  private def isOfPartitions(sort: Sort, command: InsertIntoHadoopFsRelationCommand): Boolean =
    sort.order.size == command.partitionColumns.size &&
      sort.order.map(_.child).zip(command.partitionColumns).forall { case (by, column) => by.semanticEquals(column) }
}
