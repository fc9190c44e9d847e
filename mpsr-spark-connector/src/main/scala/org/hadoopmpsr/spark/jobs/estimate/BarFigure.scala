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

/**
 * A bar of a figure.
 *
 * @param name to the left of it
 * @param from where it begins, and `to` where it ends, from 0 to 1 of the width
 * @param bounds the interval that is drawn as a line
 * @param text to the right of it
 */
private[jobs] final case class Bar(name: String, from: Double, to: Double, bounds: Option[(Double, Double)], text: String)

/** Figures of bars in SVG, and the page around them, which needs nothing else. */
private[jobs] object BarFigure {
  private val Width = 720
  private val Left = 190
  private val Row = 22

  /**
   * A page.
   *
   * @param note below the heading
   * @param figures their titles and their bars; those without bars are left out
   * @param words below the figures, as they are
   */
  def page(title: String, heading: String, note: String, figures: Seq[(String, Seq[Bar])], words: Seq[String]): String =
    s"""<!DOCTYPE html>
       |<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
       |<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}pre{white-space:pre-wrap}text{font-size:12px}</style></head><body>
       |<h1>${escaped(heading)}</h1>
       |<p>${escaped(note)}</p>
       |${figures.filter(_._2.nonEmpty).map { case (title, bars) => figure(title, bars) }.mkString("\n")}
       |<pre>${escaped(words.mkString("\n"))}</pre>
       |</body></html>
       |""".stripMargin

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
