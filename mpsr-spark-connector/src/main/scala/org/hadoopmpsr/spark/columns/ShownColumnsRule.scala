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
package org.hadoopmpsr.spark.columns

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand
import org.apache.spark.sql.execution.streaming.runtime.StreamingRelation
import org.hadoopmpsr.core.history.AsOf
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics, DirectoryRead}
import org.hadoopmpsr.spark.source.PlanSource

/**
 * Gives reads and writes of a dataset the columns that it shows, where these are not those of its files: columns that were renamed, moved
 * or dropped. A read gets a projection, and everything below it has the columns of files. Each relation is looked at once in a query. Where
 * the NameNode cannot be asked, columns are those of files, as without MPSR.
 */
private[spark] final class ShownColumnsRule(session: SparkSession, source: PlanSource) extends Rule[LogicalPlan]
    with PrintableLogging {
  override val ruleName: String = "org.hadoopmpsr.spark.columns.ShownColumnsRule"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!ConfKeys.enabled(conf)) plan
    else plan.resolveOperatorsUp {
      case DirectoryRead(read) if isOpen(read.root, read.relation.options) =>
        ask(read.root, state(read.relation.options)).map { answer =>
          val seen = StoredRead(read)
          answer.map(seen.showing).getOrElse(seen.marked)
        }.getOrElse(read.node)
      case stream: StreamingRelation =>
        val options = CaseInsensitiveMap(stream.dataSource.options)
        options.get("path").flatMap(path => asked(new Path(path), options)).map(StoredStream.showing(stream, _)).getOrElse(stream)
      case write: InsertIntoHadoopFsRelationCommand =>
        asked(write.outputPath, write.options).map(StoredWrite.of(write, _)).getOrElse(write)
    }

  /** The columns of a dataset; empty if they are shown as they are stored, and if there is no dataset. */
  private def asked(path: Path, options: Map[String, String]): Option[KnownColumns] =
    guarded(path)(DirectoryRead.qualified(path, session)).filter(isOpen(_, options)).flatMap(ask(_, None)).flatten

  private def isOpen(root: Path, options: Map[String, String]): Boolean =
    root.toUri.getScheme == "hdfs" && !ConfKeys.storedColumns(options) && !options.contains(DirectoryRead.MarkedOption)

  private def state(options: Map[String, String]): Option[String] = ConfKeys.asOfOption(options).filter(_.nonEmpty)

  /**
   * The columns of a dataset, if it shows others than it stores.
   *
   * @param state the state that is read; one that is not known fails when the read is decided
   * @return empty if nothing tells
   */
  private def ask(root: Path, state: Option[String]): Option[Option[KnownColumns]] = guarded(root) {
    val request = state.map(AsOf.parse).map(PlanSource.NoRecords.asOf).getOrElse(PlanSource.NoRecords)
    source.plan(root, hadoopConf, request, None) match {
      case PlanSource.DatasetPlan(plan) =>
        Some(Some(KnownColumns.of(plan)).filterNot(columns => columns.shown.areAsStored(columns.stored)))
      case PlanSource.NotADataset => Some(None)
      case PlanSource.Unavailable | PlanSource.Busy(_) => None
    }
  }.flatten

  private def guarded[T](path: Path)(body: => T): Option[T] =
    try Some(body)
    catch {
      case e @ (NonFatal(_) | _: LinkageError) =>
        DecisionMetrics.countFailure()
        logWarning(s"MPSR does not know which columns $path shows, and takes those of files: $e", e)
        None
    }

  private def hadoopConf: Configuration = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()
}
