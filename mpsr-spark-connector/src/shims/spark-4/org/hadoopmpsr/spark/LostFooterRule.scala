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
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, LocatedFileStatus, Path, RemoteIterator}
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnresolvedDataSource}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.client.degraded.FileEnds
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.spark.check.RelationChecks
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics, DirectoryRead}
import org.hadoopmpsr.spark.source.{PlanSource, SparkTypes}

/**
 * Gives a read the columns of the dataset where Spark cannot learn them: Spark takes the columns of a directory from the
 * footer of the first file, before MPSR decides what is read, and this file may be lost while other groups have the records.
 * Spark finds the columns of directories as usual. Other reads stay unchanged.
 */
private[spark] final class LostFooterRule(session: SparkSession, source: PlanSource) extends Rule[LogicalPlan]
    with PrintableLogging {
  import LostFooterRule._

  override val ruleName: String = "org.hadoopmpsr.spark.LostFooterRule"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!ConfKeys.enabled(conf)) plan
    else plan.resolveOperatorsUp {
      case read @ UnresolvedDataSource(format, None, options, false, paths) if isParquet(format) =>
        withColumns(read, options.get("path").toSeq ++ paths).getOrElse(read)
      case relation: UnresolvedRelation if conf.runSQLonFile && !relation.isStreaming =>
        relation.multipartIdentifier match {
          case Seq(format, path) if isParquet(format) && path.contains("/") =>
            val options = CaseInsensitiveMap(relation.options.asCaseSensitiveMap.asScala.toMap)
            withColumns(UnresolvedDataSource(format, None, options, isStreaming = false, Seq(path)), Seq(path)).getOrElse(relation)
          case _ => relation
        }
    }

  /** The read with the columns of the dataset, where the footer is lost. */
  private def withColumns(read: UnresolvedDataSource, paths: Seq[String]): Option[UnresolvedDataSource] = paths match {
    case Seq(path) if !path.exists(Wildcards.contains(_)) && readsFirstFooter(read.options) =>
      try columns(DirectoryRead.qualified(new Path(path), session)).map(c => read.copy(userSpecifiedSchema = Some(c)))
      catch {
        case e @ (NonFatal(_) | _: LinkageError) =>
          DecisionMetrics.countFailure()
          logWarning(s"MPSR does not know whether the columns of $path can be read, because looking for them failed: $e", e)
          None
      }
    case _ => None
  }

  private def readsFirstFooter(options: CaseInsensitiveMap[String]): Boolean =
    RelationChecks.reason(options, conf).isEmpty && (options.contains("mergeSchema") || !conf.isParquetSchemaMergingEnabled)

  private def columns(root: Path): Option[StructType] =
    source.plan(root, hadoopConf, PlanSource.NoRecords, None) match {
      case PlanSource.DatasetPlan(plan) if !plan.stock =>
        firstFile(root.getFileSystem(hadoopConf), root).filter(file => isLost(file) || isSilent(root, file)).map { file =>
          DecisionMetrics.register()
          DecisionMetrics.countSchema()
          logWarning(s"${file.getPath}, from which Spark would take the columns of $root, cannot be read. " +
            "MPSR takes the columns from the dataset, and reads the records from the groups that have them")
          SparkTypes.structType(plan.groups.physicalColumns(plan.groups.defaultName, plan.schema).asScala.toSeq)
        }
      case _ => None
    }

  /** The NameNode learns late that a DataNode is gone. A stock read would wait for the DataNode, and fail. */
  private def isSilent(root: Path, file: LocatedFileStatus): Boolean =
    root.toUri.getScheme == "hdfs" && ConfKeys.degraded(conf) &&
      !FileEnds.canBeRead(file, hadoopConf, ConfKeys.degradedTimeoutMs(conf))

  private def hadoopConf: Configuration = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()
}

private object LostFooterRule {
  private val Wildcards = "{}[]*?\\"

  private def isParquet(format: String): Boolean = format.equalsIgnoreCase("parquet")

  /** The first file of a directory by path, as Spark lists files. */
  private def firstFile(fs: FileSystem, directory: Path): Option[LocatedFileStatus] =
    listed(fs.listLocatedStatus(directory))
      .filterNot(s => PathNames.isHidden(s.getPath.getName))
      .sortBy(s => if (s.isDirectory) s.getPath.toString + "/" else s.getPath.toString)
      .iterator
      .flatMap(s => if (s.isDirectory) firstFile(fs, s.getPath) else Some(s))
      .nextOption()

  private def listed(statuses: RemoteIterator[LocatedFileStatus]): Seq[LocatedFileStatus] =
    Iterator.continually(statuses).takeWhile(_.hasNext).map(_.next()).toSeq

  private def isLost(file: LocatedFileStatus): Boolean =
    file.getBlockLocations.exists(block => block.isCorrupt || block.getHosts.isEmpty)
}
