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
package org.hadoopmpsr.spark.relation

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.text.PrintableText

/** What a query reads for one relation that is a dataset. */
private[spark] sealed trait Decision {
  /** Empty where the read is stock. */
  def plan: Option[ReadPlan]

  /** One line for EXPLAIN and the log, in printable form. */
  def text: String

  /**
   * One line for the scan of a part of the plan, in printable form.
   *
   * @param part of one group
   */
  def textOf(part: ReadPlan): String = text
}

private[spark] object Decision {

  /** The planned files of a replica group. */
  final case class Group(chosen: ReadPlan, note: Option[String]) extends Decision {
    override def plan: Option[ReadPlan] = Some(chosen)
    override def text: String = planText(chosen, note)
  }

  /** The planned files of the default representation, because this is the cheapest. */
  final case class DefaultGroup(chosen: ReadPlan, note: Option[String]) extends Decision {
    override def plan: Option[ReadPlan] = Some(chosen)
    override def text: String = planText(chosen, note)
  }

  /** The planned files of several groups, because none of them can give all records at the least cost. */
  final case class Union(chosen: ReadPlan, note: Option[String]) extends Decision {
    override def plan: Option[ReadPlan] = Some(chosen)
    override def text: String = planText(chosen, note)
    override def textOf(part: ReadPlan): String =
      line(s"part from ${part.group}, ${part.files.size} files of ${part.parts.get(0).segments} segments; ") + text
  }

  /** The default representation as Spark reads it, because files of another group might give another answer. */
  final case class Stock(reason: StockReason) extends Decision {
    override def plan: Option[ReadPlan] = None
    override def text: String = line(s"stock: ${reason.text}")
  }

  private def planText(plan: ReadPlan, note: Option[String]): String = {
    val (chosen, others) = plan.candidates.asScala.toSeq.partition(_.group == plan.group)
    line(((chosen ++ others).map(_.text) ++ Seq(plan.reason) ++ note).mkString("; "))
  }

  private def line(text: String): String = PrintableText.of(text.replaceAll("\\s+", " "))
}
