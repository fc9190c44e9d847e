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
package org.hadoopmpsr.spark.jobs.advise

import java.util.Locale

import scala.jdk.CollectionConverters._

import org.apache.hadoop.util.StringUtils
import org.hadoopmpsr.client.advise.AdviceTrial
import org.hadoopmpsr.spark.jobs.estimate.{Bar, BarFigure}

/** What a trial has measured, as a page that needs nothing else. */
private[jobs] object TrialPage {

  /**
   * The page.
   *
   * @param path of the dataset or directory
   * @param words the report as text
   */
  def html(path: String, trial: AdviceTrial, words: Seq[String]): String = {
    val classes = trial.classes.asScala.toSeq
    val all = trial.sides.asScala.toSeq.map(side => (side, trial.predictedBytes(side), trial.measuredBytes(side)))
    val figures = ("All queries" -> bars(all)) +: classes.map { one =>
      val title = s"${one.queries.shape.conditions}: ${one.queries.tally.queries} queries, bytes of one"
      title -> bars(one.sides.asScala.toSeq.map(side => (side.name, side.predicted.bytes, side.measured.bytes)))
    }
    BarFigure.page(
      s"Advice for $path",
      s"Advised groups of $path",
      "Bars show the bytes that queries read by measurement, and the bytes that were predicted for them.",
      figures,
      words)
  }

  private def bars(sides: Seq[(String, Double, Double)]): Seq[Bar] = {
    val most = math.max(1, sides.flatMap { case (_, predicted, measured) => Seq(predicted, measured) }.foldLeft(0.0)(math.max))
    sides.flatMap { case (name, predicted, measured) =>
      Seq(bar(s"$name, predicted", predicted, most), bar(s"$name, measured", measured, most))
    }
  }

  private def bar(name: String, bytes: Double, most: Double): Bar =
    Bar(
      name,
      0,
      bytes / most,
      None,
      String.format(Locale.ROOT, "%s (%.0f %%)", StringUtils.byteDesc(math.round(bytes)), Double.box(100 * bytes / most)))
}
