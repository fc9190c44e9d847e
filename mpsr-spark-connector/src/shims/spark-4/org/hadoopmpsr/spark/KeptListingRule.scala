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

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.security.UserGroupInformation
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnresolvedDataSource}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.hadoopmpsr.spark.check.PlanChecks
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{ConfKeys, KeptListings, ListedRead, Listing}
import org.hadoopmpsr.spark.source.PlanSource

/**
 * Lists no dataset again that is as this session has listed it: the NameNode tells by the fingerprint of the files. Spark would list
 * each directory, by a job where they are many, and read a footer. For sessions that keep answers, and reads without options or a
 * schema; others are resolved by Spark as usual. Runs before Spark resolves relations.
 */
private[spark] final class KeptListingRule(session: SparkSession, source: PlanSource) extends Rule[LogicalPlan] with PrintableLogging {
  import KeptListingRule._

  private val kept = KeptListings.of(session)

  override val ruleName: String = "org.hadoopmpsr.spark.KeptListingRule"

  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case UnresolvedDataSource(format, None, options, false, paths) if format.equalsIgnoreCase("parquet") && isOn =>
      val read = (options.get("path").toSeq ++ paths) match {
        case Seq(path) if options.keys.forall(_.equalsIgnoreCase("path")) && !path.exists(Wildcards.contains(_)) => listed(path)
        case _ => None
      }
      val found = read.flatMap(present)
      kept.await(if (found.isEmpty) read else None)
      found.getOrElse(plan)
    case _ =>
      kept.await(None)
      plan
  }

  private def isOn: Boolean = ConfKeys.enabled(conf) && ConfKeys.answersBytes(conf) > 0

  private def listed(path: String): Option[ListedRead] = {
    val root = new Path(path)
    val settings = conf.getAllConfs.filter(_._1.startsWith("spark.sql."))
    if (root.toUri.getScheme != "hdfs" || root.toUri.getAuthority == null) None
    else Some(ListedRead(root, UserGroupInformation.getCurrentUser.getUserName, settings))
  }

  /** The read as it was resolved before, with columns of its own, if the directory has the files that it had then. */
  private def present(read: ListedRead): Option[LogicalPlan] =
    try kept.get(read).collect { case (relation, index) if isPresent(read.root, new Listing(index)) => relation.newInstance() }
    catch {
      case e @ (NonFatal(_) | _: LinkageError) =>
        logWarning(s"${read.root} is listed again, because asking whether it has changed failed: $e", e)
        None
    }

  private def isPresent(root: Path, listing: Listing): Boolean =
    source.plan(root, hadoopConf, PlanSource.NoRecords.withUntracked(), None) match {
      case PlanSource.DatasetPlan(plan) => PlanChecks.isPresent(listing, plan, hadoopConf)
      case _ => false
    }

  private def hadoopConf: Configuration = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()
}

private object KeptListingRule {
  private val Wildcards = "{}[]*?\\"
}

/** Keeps what Spark has resolved for [[KeptListingRule]]. Runs after Spark resolves relations, before other rules change them. */
private[spark] final class KeepListingRule(session: SparkSession) extends Rule[LogicalPlan] {
  private val kept = KeptListings.of(session)

  override val ruleName: String = "org.hadoopmpsr.spark.KeepListingRule"

  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan match {
      case relation: LogicalRelation => kept.put(relation)
      case _ =>
    }
    plan
  }
}
