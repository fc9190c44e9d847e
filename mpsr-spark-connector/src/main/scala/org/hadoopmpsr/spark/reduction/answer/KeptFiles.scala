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
package org.hadoopmpsr.spark.reduction.answer

import java.net.URI
import java.nio.ByteOrder
import java.util.TimeZone

import org.apache.spark.sql.classic
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project, Union}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.core.answer.FileKey
import org.hadoopmpsr.spark.relation.{DecidedParquetFormat, FileRelation}
import org.hadoopmpsr.spark.scan.PlannedFiles

/**
 * A read of planned files that never change, each of which may be read by itself.
 *
 * @param plan after Spark has optimized it: projections, filters and unions above the files
 * @param files by their paths
 * @param records of the files, by their paths
 */
private[answer] final case class KeptFiles(plan: LogicalPlan, files: Map[String, FileKey], records: Map[String, Long]) {
  import KeptFiles._

  private def planned: Seq[PlannedFiles] = leaves(plan).map(_.location.asInstanceOf[PlannedFiles])

  /** Where the files lie, if that is one cluster. */
  def gone(session: classic.SparkSession): Option[GoneFiles] = {
    val conf = session.sessionState.newHadoopConf()
    leaves(plan).flatMap(_.location.rootPaths).map(_.getFileSystem(conf)).distinct match {
      case Seq(fs) => Some(new GoneFiles(fs))
      case _ => None
    }
  }

  /** What the answers depend on besides the request and the files. */
  def context(conf: SQLConf): String = {
    val settings = conf.getAllConfs.toSeq.filter(_._1.startsWith("spark.sql.")).sorted
    val all = Seq(org.apache.spark.SPARK_VERSION, ByteOrder.nativeOrder.toString, TimeZone.getDefault.getID) ++
      planned.map(_.state).distinct.sorted ++ settings.flatMap { case (key, value) => Seq(key, value) }
    all.map(text => s"${text.length}:$text").mkString
  }

  /** The replica groups that are read. */
  def groups: Seq[String] = leaves(plan).flatMap(_.fileFormat.asInstanceOf[DecidedParquetFormat].group).distinct

  /** The read of some of the files. A file that cannot be read ends it. */
  def only(paths: Set[String]): LogicalPlan = plan.transform { case l @ FileRelation(relation) =>
    val format = relation.fileFormat.asInstanceOf[DecidedParquetFormat].alone
    val location = relation.location.asInstanceOf[PlannedFiles].only(paths)
    l.copy(relation = relation.copy(location = location, fileFormat = format)(relation.sparkSession))
  }
}

private[answer] object KeptFiles {
  private val Lenient = Seq("ignoreMissingFiles", "ignoreCorruptFiles")

  /** The path of a file as `input_file_name` has it. */
  def path(inputFileName: String): String = new URI(inputFileName).getPath

  /** Empty where anything but planned files that are known by their ids is read, or values are not exact. */
  def of(optimized: LogicalPlan, conf: SQLConf): Option[KeptFiles] = {
    val relations = leaves(optimized)
    val simple = optimized.collectLeaves().size == relations.size && optimized.find(!isUnderstood(_)).isEmpty
    if (!simple || relations.isEmpty || conf.ignoreMissingFiles || conf.ignoreCorruptFiles || !relations.forall(isExact)) None
    else {
      val planned = relations.flatMap(_.location.asInstanceOf[PlannedFiles].planned)
      val files = planned.map(file => file.path -> new FileKey(file.fileId, file.length, file.modificationTime))
      val byPath = files.toMap
      if (byPath.isEmpty || byPath.size != files.size || !byPath.values.forall(_.isKnown)) None
      else Some(KeptFiles(optimized, byPath, planned.map(file => file.path -> file.rows).toMap))
    }
  }

  private def leaves(plan: LogicalPlan): Seq[HadoopFsRelation] = plan.collect { case FileRelationNode(relation) => relation }

  private def isUnderstood(node: LogicalPlan): Boolean = node match {
    case _: Project | _: Filter | _: Union | _: LogicalRelation => true
    case _ => false
  }

  private def isExact(relation: HadoopFsRelation): Boolean = (relation.fileFormat, relation.location) match {
    case (format: DecidedParquetFormat, files: PlannedFiles) =>
      format.group.isDefined && !format.transforms.isApproximate && !format.transforms.isRounded && files.besides == 0 &&
      !relation.options.keys.exists(option => Lenient.exists(_.equalsIgnoreCase(option)))
    case _ => false
  }

  private object FileRelationNode {
    def unapply(node: LogicalPlan): Option[HadoopFsRelation] = node match {
      case l: LogicalRelation => FileRelation.unapply(l)
      case _ => None
    }
  }
}
