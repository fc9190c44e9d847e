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
package org.hadoopmpsr.spark.jobs.tune

import java.util.Locale

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.core.tune.{Reach, Rule, Tuning}
import org.hadoopmpsr.spark.jobs.estimate.{Bar, BarFigure}

/** What trees of settings are worth, as a page that needs nothing else. */
private[jobs] object TunePage {

  /** @param words the report as text */
  def html(tuning: Tuning, words: Seq[String]): String = {
    val folds = tuning.folds.asScala.toSeq.zipWithIndex.flatMap { case (fold, i) =>
      Seq(bar(s"fold ${i + 1}, tree", fold.tree), bar(s"fold ${i + 1}, best single one", fold.standard))
    }
    val rules = Rule.of(tuning).asScala.toSeq.zipWithIndex.map { case (rule, i) => bar(s"rule ${i + 1}, ${rule.workloads} workloads", rule.reach) }
    BarFigure.page(
      "Settings",
      "Settings that fit workloads",
      "Bars show how much of the best configuration's speed workloads reach on average; lines end at the worst workload.",
      Seq(
        "Unseen workloads" -> (folds ++ Seq(bar("all folds, tree", tuning.validated), bar("all folds, best single one", tuning.validatedStandard))),
        "Rules, on the workloads that they were learnt from" -> rules),
      words)
  }

  private def bar(name: String, reach: Reach): Bar =
    Bar(
      name,
      0,
      reach.mean,
      Some((reach.worst, reach.mean)),
      String.format(Locale.ROOT, "%.1f %% (%.1f %%)", Double.box(100 * reach.mean), Double.box(100 * reach.worst)))
}
