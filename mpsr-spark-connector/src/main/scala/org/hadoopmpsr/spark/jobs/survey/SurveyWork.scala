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

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.adopt.SurveyOptions
import org.hadoopmpsr.core.adopt.AdoptionForecast
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.adopt.{FileReader, OtherGroups}
import org.hadoopmpsr.spark.jobs.rebuild.{Output, SparkDeriver}
import org.hadoopmpsr.spark.jobs.run.{DatasetText, JobDataset, SparkTasks}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What a survey has Spark do.
 *
 * @param root the directory, with the scheme
 */
private[jobs] final class SurveyWork(session: SparkSession, fs: FileSystem, root: Path) {
  private val context = session.sparkContext
  private val conf = context.broadcast(new SerializableConfiguration(context.hadoopConfiguration))

  /** The ends of files, in any order. */
  def footers(files: Seq[FoundFile], tasks: SparkTasks): Seq[Footer] = new FooterReader(context, fs.getUri, conf, tasks).read(files)

  /** What the adoption of the files that fit is going to take; none if no file fits, or no sample is wanted. */
  def forecast(
      report: SurveyReport,
      files: Seq[FoundFile],
      groups: ReplicaGroups,
      options: SurveyOptions,
      tasks: SparkTasks): Option[AdoptionForecast] =
    report.schema.filter(_ => report.problems.isEmpty && report.fit.files > 0 && options.sampleBytes > 0).flatMap { columns =>
      val unfit = report.unfit.map(_.path).toSet
      val text = DatasetText.of(Schema.parse(columns), groups, Nil)
      val blockBytes = fs.getDefaultBlockSize(root)
      new Forecaster(
        context,
        new FileReader(session, root.toUri.getPath, text, fs.getUri, conf, tasks),
        new OtherGroups(groups, new SparkDeriver(session, text, fs.getUri, conf, tasks, blockBytes, Output.Nowhere)),
        options.adoption.rules(blockBytes, JobDataset.maxFiles(context.hadoopConfiguration)),
        options.sampleBytes).of(files.filterNot(file => unfit(file.path)))
    }
}
