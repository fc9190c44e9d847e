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
package org.hadoopmpsr.spark.jobs.estimate

import java.util.Locale

import org.hadoopmpsr.core.sampling.Interval

/** A report as a page that needs nothing else: figures in SVG, and the words. */
private[jobs] object TreePage {
  def html(report: TreeReport): String = {
    val figures = Seq(
      "Share of files, by format" -> shares(report.formats.flatMap(share => share.files.map(share.format.toString -> _))),
      "Share of bytes, by format" -> shares(report.formats.flatMap(share => share.bytes.map(share.format.toString -> _))),
      "Share of bytes that a codec would save" -> shares(report.savings.map(saving => saving.codec -> saving.saved)),
      "Files by size" -> amounts(report.tree.sizes.toSeq.sortBy(_._1).map { case (power, amount) =>
        s"from ${TreeText.from(power)}" -> amount.files.toDouble
      }),
      "Bytes by size of file" -> amounts(report.tree.sizes.toSeq.sortBy(_._1).map { case (power, amount) =>
        s"from ${TreeText.from(power)}" -> amount.bytes.toDouble
      }))
    BarFigure.page(
      "Survey",
      s"Survey of ${report.roots.mkString(", ")}",
      "Bars are estimates; lines show the intervals.",
      figures,
      TreeText.lines(report))
  }

  private def shares(of: Seq[(String, Interval)]): Seq[Bar] = {
    def limited(value: Double): Double = math.max(-1, math.min(1, value))
    val least = of.map { case (_, share) => limited(share.low) }.foldLeft(0.0)(math.min)
    val span = math.max(0.01, of.map { case (_, share) => limited(share.high) }.foldLeft(0.0)(math.max) - least)
    def at(value: Double): Double = (limited(value) - least) / span
    of.map { case (name, share) =>
      val zero = at(0)
      Bar(name, math.min(zero, at(share.estimate)), math.max(zero, at(share.estimate)), Some((at(share.low), at(share.high))), TreeText.shown(share))
    }
  }

  private def amounts(of: Seq[(String, Double)]): Seq[Bar] = {
    val most = of.map(_._2).foldLeft(1.0)(math.max)
    of.map { case (name, amount) => Bar(name, 0, amount / most, None, String.format(Locale.ROOT, "%,.0f", Double.box(amount))) }
  }
}
