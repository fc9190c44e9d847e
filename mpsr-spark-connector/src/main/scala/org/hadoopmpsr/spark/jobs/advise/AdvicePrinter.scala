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

import java.util.{List => JList}

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.advise.AdviceView
import org.hadoopmpsr.core.text.PrintableText

/** Prints advice as lines. */
private[jobs] final class AdvicePrinter(print: String => Unit) extends AdviceView.Printer {
  override def line(text: String): Unit = print(text)

  override def table(rows: JList[JList[String]]): Unit = {
    val cells = rows.asScala.toSeq.map(_.asScala.toSeq.map(PrintableText.of(_)))
    val widths = cells.transpose.map(_.map(_.length).max)
    cells.foreach(row => print(row.zip(widths).map { case (cell, width) => cell.padTo(width, ' ') }.mkString("  ").stripTrailing))
  }
}
