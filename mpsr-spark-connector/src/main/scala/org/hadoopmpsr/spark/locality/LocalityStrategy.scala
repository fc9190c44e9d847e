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

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.expressions.{And, AttributeSet, DynamicPruningSubquery, PredicateHelper}
import org.apache.spark.sql.catalyst.planning.ScanOperation
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.datasources.{FileSourceStrategy, HadoopFsRelation}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.core.assign.ReadCost
import org.hadoopmpsr.core.config.MpsrConfig
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{DecidedParquetFormat, FileRelation}

/**
 * Plans the scans of planned reads where the hosts of executors are known: each host gets parts of files that it holds. Also
 * takes filters away that leave out partitions when the query runs, where the scan has no such partitions: Spark makes them
 * for one part of a union of groups, and pushes them into all parts. Spark plans all other scans, and those for which this
 * fails.
 */
private[spark] final class LocalityStrategy(session: SparkSession) extends SparkStrategy with PredicateHelper
    with PrintableLogging {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case ScanOperation(_, _, _, relation @ FileRelation(r))
        if !relation.isStreaming && isPlanned(r) && r.bucketSpec.isEmpty =>
      try {
        val hosts = if (LocalityStrategy.hasLocalScans) ReaderHosts.of(session, SQLConf.get) else Nil
        val directories = r.partitionSchema.fieldNames.toSet
        val pruned = withoutForeignPruning(plan, AttributeSet(relation.output.filter(a => directories(a.name))))
        if (hosts.nonEmpty) FileSourceStrategy(pruned).map(_.transform { case s: FileSourceScanExec => LocalScanExec(s, hosts, cost) })
        else if (pruned.eq(plan)) Nil
        else FileSourceStrategy(pruned)
      } catch {
        case e @ (NonFatal(_) | _: LinkageError) =>
          logWarning(s"Tasks get parts of files without regard to the hosts that hold them, because planning failed: $e", e)
          Nil
      }
    case _ => Nil
  }

  /** The plan without conditions that only partitions can be left out by, on columns that are not of partitions. */
  private def withoutForeignPruning(plan: LogicalPlan, partitions: AttributeSet): LogicalPlan = plan.transform {
    case filter @ Filter(condition, child) =>
      val (foreign, kept) = splitConjunctivePredicates(condition).partition {
        case pruning: DynamicPruningSubquery => !pruning.pruningKey.references.subsetOf(partitions)
        case _ => false
      }
      if (foreign.isEmpty) filter else kept.reduceOption(And(_, _)).map(Filter(_, child)).getOrElse(child)
  }

  private def isPlanned(relation: HadoopFsRelation): Boolean = relation.fileFormat match {
    case format: DecidedParquetFormat => format.group.isDefined
    case _ => false
  }

  private def cost: ReadCost = {
    val hadoopConf = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()
    MpsrConfig.read(key => hadoopConf.get(key)).costs.read
  }
}

private object LocalityStrategy extends PrintableLogging {
  private val OwnArguments = 2

  /** Whether Spark's scan has the arguments with which this jar is compiled. One jar is for several Sparks, and not all have them. */
  lazy val hasLocalScans: Boolean = {
    val arguments = classOf[LocalScanExec].getConstructors.head.getParameterCount - OwnArguments
    val has = classOf[FileSourceScanExec].getConstructors.exists(_.getParameterCount == arguments)
    if (!has) logInfo("Tasks get parts of files without regard to the hosts that hold them: the scan of this Spark is another one")
    has
  }
}
