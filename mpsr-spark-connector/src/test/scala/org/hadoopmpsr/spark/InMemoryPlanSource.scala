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

import java.util.Collections.singletonList

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.client.wire.ReadRequestWire
import org.hadoopmpsr.core.config.MpsrConfig
import org.hadoopmpsr.core.cost.CostModel
import org.hadoopmpsr.core.files.{GroupFiles, MissingSegments}
import org.hadoopmpsr.core.plan.{Candidate, Planner, ReadRequest}
import org.hadoopmpsr.core.schema.ShownColumns
import org.hadoopmpsr.core.stats.{ColumnStatistics, DataFile, FileTotals}
import org.hadoopmpsr.spark.source.PlanSource

/** Plans as the NameNode does, over files that a test gives; filters pass through their messages. */
final class InMemoryPlanSource extends PlanSource {
  @volatile private var datasets: Map[String, (TestDataset, java.util.List[GroupFiles])] = Map.empty
  @volatile var failure: Option[Exception] = None
  /** Why no call is taken. */
  @volatile var busy: Option[String] = None
  @volatile var generation = 1L
  @volatile var costs: CostModel = MpsrConfig.read(_ => null).costs
  /** As a NameNode of before it was asked for columns. */
  @volatile var silent = false
  /** As of larger files. */
  @volatile var leadRows: Option[Long] = None
  @volatile var lastRequest: ReadRequest = _
  @volatile private var missing: Map[(String, String), Set[String]] = Map.empty
  @volatile var asked = 0
  @volatile var lastCandidates: Seq[Candidate] = Nil

  /** Takes the dataset up as it is now. */
  def publish(dataset: TestDataset): Unit =
    datasets = datasets.updated(dataset.root.toUri.getPath, (dataset, dataset.groupFiles()))

  /**
   * What `body` gives while groups of a dataset cannot serve some segments.
   *
   * @param segments by group
   */
  def without[T](dataset: TestDataset, segments: Map[String, Set[String]])(body: => T): T = {
    val before = missing
    missing = before ++ segments.map { case (group, ids) => (dataset.root.toUri.getPath, group) -> ids }
    generation += 1
    try body
    finally {
      missing = before
      generation += 1
    }
  }

  /** Of each representation what plans know. */
  def files(dataset: TestDataset): Seq[GroupFiles] = datasets(dataset.root.toUri.getPath)._2.asScala.toSeq

  override def plan(
      root: Path,
      conf: => Configuration,
      readRequest: ReadRequest,
      group: Option[String],
      statisticsColumns: Seq[String]): PlanSource.Answer =
    datasets.get(root.toUri.getPath) match {
      case Some((known, files)) =>
        failure.foreach(throw _)
        val received = ReadRequestWire.readRequest(ReadRequestWire.request(readRequest).setPath("/"))
        lastRequest = received
        asked += 1
        busy.map(PlanSource.Busy).getOrElse(
          PlanSource.DatasetPlan(plan(known, files, received, group, if (silent) Nil else statisticsColumns)))
      case _ => PlanSource.NotADataset
    }

  private def plan(
      dataset: TestDataset,
      files: java.util.List[GroupFiles],
      readRequest: ReadRequest,
      group: Option[String],
      statisticsColumns: Seq[String]): ReadPlan = {
    import dataset.table.{groups, schema}
    val offered = files.asScala.map(offer(dataset, _, readRequest)).asJava
    val plan = Planner.plan(schema, offered, groups.defaultName, readRequest, costs, group.orNull)
    lastCandidates = plan.candidates.asScala.toSeq
    val default = files.asScala.find(_.group.name == groups.defaultName).get.files.asScala
    val statistics = files.asScala.flatMap(_.files.asScala).map(f => f.path -> f.statistics).toMap
    def known(file: DataFile) = statisticsColumns.map(c => c -> statistics(file.path).column(c)).toMap
    new ReadPlan(
      plan.stock,
      plan.parts.asScala.map { part =>
        new ReadPlan.Part(
          part.group,
          dataset.rootOf(part.group).toUri.getPath,
          part.segmentCount,
          part.files.asScala.map(f => planned(f, known(f))).asJava,
          leadRows.getOrElse(part.leadRows))
      }.asJava,
      plan.candidates,
      plan.reason,
      // as the NameNode does: another one for each group
      generation * ReadPlan.MAX_GROUPS + files.asScala.indexWhere(_.group.name == plan.group),
      default.foldLeft(FileTotals.EMPTY)((totals, f) => totals.plus(f.path, f.length)),
      schema,
      groups,
      java.util.List.of(),
      ShownColumns.of(schema))
  }

  /** A reader of one group does not get one that lacks a segment. */
  private def offer(dataset: TestDataset, files: GroupFiles, readRequest: ReadRequest): GroupFiles = {
    val ids = missing.getOrElse((dataset.root.toUri.getPath, files.group.name), Set.empty)
    if (ids.isEmpty || readRequest.compared) files
    else if (readRequest.parts) files.without(new MissingSegments(ids.asJava, "degraded"))
    else new GroupFiles(files.group, files.partitions, "degraded")
  }

  private def planned(file: DataFile, columns: Map[String, ColumnStatistics]): ReadPlan.PlannedFile =
    new ReadPlan.PlannedFile(
      file.path,
      file.length,
      file.modificationTime,
      file.statistics.rows,
      singletonList(new ReadPlan.Block(0, file.length, singletonList("host1"))),
      columns.asJava)
}
