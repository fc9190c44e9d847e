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
package org.hadoopmpsr.spark.jobs.rebuild

import java.util.UUID
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.commit.{Rebuild, Refusal}
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.rebuild.{Damage, RebuildPlan, RebuildPlanner, RebuildRules, RebuildTries, RebuildUnit}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BegunChange, JobDataset, JobException, Publisher, RunReporter, SparkTasks}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Rebuilds what is damaged in one dataset, the most endangered first, each unit as a change of its own, until nothing is left
 * that can be rebuilt. What is published stays, whatever happens later; the change underway is given up when the run ends
 * early. A unit that fails is tried from another group. What is lost meanwhile has its turn after a minute and the unit underway.
 *
 * @param wanted says which damage is rebuilt
 * @param clock milliseconds since any moment
 */
private[jobs] final class RebuildRun(
    schema: Schema,
    groups: ReplicaGroups,
    store: RebuildStore,
    deriver: Deriver,
    reporter: RunReporter,
    rules: RebuildRules,
    wanted: Damage => Boolean,
    clock: () => Long)
    extends PrintableLogging {
  import RebuildRun._

  private val tries = new RebuildTries
  private val publisher = new Publisher(store)
  private val derivationOf =
    new DerivationOf(schema, groups, store, (group, files) => deriver.count(group, files, () => reporter.pulse()))
  private var left: Seq[RebuildPlan.Left] = Nil
  private var fenced = 0

  /**
   * Runs to the end.
   *
   * @return the record of the run, as it is kept; its problem names what could not be rebuilt
   * @throws java.io.IOException after a failure that the next run may not have, with the record kept
   */
  def run(): RunRecord = reporter.run(publisher.discard) {
    rebuildAll()
    problem
  }

  /**
   * Does the same within a run that there is.
   *
   * @return what could not be rebuilt
   * @throws java.io.IOException after a failure that the next run may not have
   */
  def rebuildAll(): Seq[RebuildPlan.Left] = {
    while (round()) {}
    left
  }

  private def problem: Option[String] = left.headOption.map { first =>
    val of = first.damage
    val more = if (left.size == 1) "" else s"; ${left.size - 1} more segments of groups stay damaged"
    s"segment ${of.segment} in group ${of.group} stays damaged: ${first.reason}$more"
  }

  /** Does the units of one plan, until one fails or the plan is old; false if there is none. */
  private def round(): Boolean = {
    val began = clock()
    val plan = RebuildPlanner.plan(store.damages().filter(wanted).asJava, rules, tries)
    val units = plan.units.asScala.toSeq
    left = plan.left.asScala.toSeq
    reporter.planned(units.map(progress).foldLeft(Progress.NONE)(_.plus(_)))
    units.forall(unit => rebuild(unit) && clock() - began < OldAfterMs)
    units.nonEmpty
  }

  /** False if what is damaged must be asked for again. */
  private def rebuild(unit: RebuildUnit): Boolean = {
    reporter.pulse()
    val id = s"rebuild-${UUID.randomUUID}"
    reporter.changeBegins(id)
    var published = false
    try {
      val begun = store.begin(id, unit.scope)
      derive(unit, begun).foreach { parts =>
        published = publish(unit, begun, parts)
      }
    } finally {
      if (!published) publisher.discard(id)
      reporter.changeEnds(Option.when(published)(new Progress(1, unit.segments.size, 0, 0, 0, 0)))
    }
    published
  }

  private def derive(unit: RebuildUnit, begun: BegunChange): Option[Seq[DerivedPart]] =
    try Some(deriver.derive(derivationOf(unit), begun, part => reporter.partDone(part.progress), () => reporter.pulse()))
    catch {
      case e: JobException =>
        failed(unit, e.getMessage)
        None
    }

  private def publish(unit: RebuildUnit, begun: BegunChange, parts: Seq[DerivedPart]): Boolean = {
    val files = parts.flatMap(_.files)
    val change = new Rebuild(unit.group, unit.segments, unit.replaces, false, unit.hasFalseFiles)
    val result = publisher.publish(begun, files)(store.publish(begun.id, change, files))
    result.outcome match {
      case Outcome.COMMITTED | Outcome.ALREADY_COMMITTED =>
        tries.rebuilt(unit)
        true
      case Outcome.FENCED =>
        fenced += 1
        logWarning(s"change ${begun.id} is fenced: ${result.reason}")
        if (fenced >= MostFenced) {
          throw new JobException(
            s"$fenced changes were fenced, the last one because ${result.reason}; other changes of the dataset run at the" +
              " same time: let one of them end, and start the rebuild again")
        }
        false
      case Outcome.REFUSED if OfUnit(result.refusal.kind) =>
        failed(unit, result.reason)
        false
      case Outcome.REFUSED => throw new JobException(result.reason)
    }
  }

  private def failed(unit: RebuildUnit, reason: String): Unit = {
    logWarning(s"segments ${unit.segments.asScala.mkString(", ")} of group ${unit.group} could not be rebuilt: $reason")
    tries.failed(unit, reason)
  }
}

private[jobs] object RebuildRun {

  /**
   * That of a job: Spark derives the files, in changes as large as its tasks and the limits of changes allow.
   *
   * @param wanted says which damage is rebuilt
   */
  def of(
      session: SparkSession,
      job: JobDataset,
      tasks: SparkTasks,
      store: RebuildStore,
      wanted: Damage => Boolean): RebuildRun =
    new RebuildRun(
      job.dataset.schema,
      job.dataset.writtenGroups,
      store,
      SparkDeriver.of(session, job, tasks),
      job.reporter,
      RebuildRules.of(job.blockBytes, job.maxFiles, tasks.count),
      wanted,
      () => TimeUnit.NANOSECONDS.toMillis(System.nanoTime()))

  private val MostFenced = 10
  private val OldAfterMs = 60000L

  /** Refusals that another source, or fewer segments in a change, may avoid. */
  private val OfUnit =
    Set(Refusal.Kind.NOT_REPLACEABLE, Refusal.Kind.INVALID, Refusal.Kind.TOO_MANY_FILES, Refusal.Kind.NOT_STAGED)

  private def progress(unit: RebuildUnit): Progress = {
    val files = unit.replaces.size
    new Progress(1, unit.segments.size, files, unit.bytes, files, 0)
  }
}
