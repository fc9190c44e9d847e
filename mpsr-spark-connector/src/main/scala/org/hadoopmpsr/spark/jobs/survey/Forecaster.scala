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
package org.hadoopmpsr.spark.jobs.survey

import java.util.UUID
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkContext
import org.hadoopmpsr.core.adopt.{AdoptionForecast, AdoptionPlanner, AdoptionRules, AdoptionTrial, TrialPlanner, UntrackedFile}
import org.hadoopmpsr.spark.jobs.adopt.{OtherGroups, ReadFile, Reader}
import org.hadoopmpsr.spark.jobs.run.BegunChange
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Foretells an adoption: does a part of it, and throws away what comes out.
 *
 * @param others its files go nowhere
 * @param sampleBytes how many bytes are read, at most
 */
private[jobs] final class Forecaster(
    context: SparkContext,
    reader: Reader,
    others: OtherGroups,
    rules: AdoptionRules,
    sampleBytes: Long) {
  import Forecaster._

  /**
   * Foretells the adoption of some files.
   *
   * @param files those that can be adopted
   * @return none if no file could be read
   * @throws java.io.IOException if a file could be read, but its records not be written in a group
   */
  def of(files: Seq[FoundFile]): Option[AdoptionForecast] = {
    val untracked = files.zipWithIndex.map { case (file, id) =>
      new UntrackedFile(file.path, id, file.length, file.modificationTime, Long.MaxValue, 0, 0, null)
    }
    val changes = AdoptionPlanner.plan(untracked.asJava, rules)
    val chosen = TrialPlanner.choose(changes, sampleBytes).asScala.map(_.asScala.toSeq).toSeq
    chosen.headOption.foreach(some => trial(some.take(1))) // classes are loaded, and compiled
    val trials = chosen.flatMap(trial)
    Option.when(trials.nonEmpty)(
      AdoptionForecast.of(changes, trials.asJava, context.defaultParallelism, PublishMsOfFile))
  }

  private def trial(files: Seq[UntrackedFile]): Option[AdoptionTrial] = {
    val begun = System.nanoTime()
    val ((read, written), busyMs) = TaskTime.of(context) {
      val read = reader.read(files, () => ()).filter(_.statistics.isDefined)
      read -> (if (read.isEmpty) Map.empty[String, java.lang.Long] else others.names.map(group => group -> write(group, read)).toMap)
    }
    val wallMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)
    Option.when(read.nonEmpty)(
      new AdoptionTrial(read.size, read.map(_.file.length).sum, wallMs, busyMs, written.asJava))
  }

  private def write(group: String, read: Seq[ReadFile]): java.lang.Long = {
    val change = BegunChange(s"adopt-${UUID.randomUUID}", Nowhere, Int.MaxValue)
    others.write(change, group, read, _ => (), () => ()).flatMap(_.files).map(_.length).sum
  }
}

private object Forecaster {

  /** The directory of files that are not written. */
  private val Nowhere = "/"

  /** Each file gets an empty one that stands for it, and an entry of a commit: what `bench adoption` has measured beside the trials. */
  private val PublishMsOfFile = 4.0
}
