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
  private val Width = 720
  private val Left = 190
  private val Row = 22

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
      })).filter(_._2.nonEmpty)
    s"""<!DOCTYPE html>
       |<html lang="en"><head><meta charset="utf-8"><title>Survey</title>
       |<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}pre{white-space:pre-wrap}text{font-size:12px}</style></head><body>
       |<h1>Survey of ${escaped(report.roots.mkString(", "))}</h1>
       |<p>Bars are estimates; lines show the intervals.</p>
       |${figures.map { case (title, bars) => figure(title, bars) }.mkString("\n")}
       |<pre>${escaped(TreeText.lines(report).mkString("\n"))}</pre>
       |</body></html>
       |""".stripMargin
  }

  /** A bar of a figure: its name, from where to where of the width it goes, its interval, and what it says. */
  private final case class Bar(name: String, from: Double, to: Double, bounds: Option[(Double, Double)], text: String)

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

  private def figure(title: String, bars: Seq[Bar]): String = {
    val scale = Width - Left - 200
    def x(share: Double): String = String.format(Locale.ROOT, "%.1f", Double.box(Left + share * scale))
    def width(share: Double): String = String.format(Locale.ROOT, "%.1f", Double.box(math.max(0.5, share * scale)))
    val rows = bars.zipWithIndex.map { case (bar, i) =>
      val y = i * Row
      val line = bar.bounds.fold("") { case (low, high) =>
        s"""<line x1="${x(low)}" x2="${x(high)}" y1="${y + 10}" y2="${y + 10}" stroke="#222" stroke-width="1.5"/>"""
      }
      s"""<text x="${Left - 8}" y="${y + 14}" text-anchor="end">${escaped(bar.name)}</text>""" +
        s"""<rect x="${x(bar.from)}" y="${y + 3}" width="${width(bar.to - bar.from)}" height="14" fill="#7aa6c2"/>$line""" +
        s"""<text x="${Left + scale + 8}" y="${y + 14}">${escaped(bar.text)}</text>"""
    }
    s"""<h2>${escaped(title)}</h2><svg role="img" aria-label="${escaped(title)}" width="$Width" height="${bars.size * Row}">${rows.mkString}</svg>"""
  }

  private def escaped(text: String): String =
    text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
}
