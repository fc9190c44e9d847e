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
package org.hadoopmpsr.spark.accuracy

import java.util.Locale

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.plans.logical.{AnalysisHelper, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.hadoopmpsr.core.transform.Accuracy
import org.hadoopmpsr.spark.relation.{ConfKeys, FileRelation, TableRelation}

/**
 * Makes options of relations of what the session says about columns. What is cached under one accuracy is thus no answer to a query with
 * another one, and a view or frame has the accuracy of when it was made. Accuracies that options of a read name are checked.
 */
private[spark] object SessionAccuracy extends Rule[LogicalPlan] {
  override val ruleName: String = "org.hadoopmpsr.spark.accuracy.SessionAccuracy"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!ConfKeys.enabled(conf)) plan
    else {
      val stated = ConfKeys.sessionAccuracies(conf)
      plan.resolveOperatorsUp {
        case l @ FileRelation(r) if !l.isStreaming && r.fileFormat.isInstanceOf[ParquetFileFormat] =>
          val more = missing(stated, r.options, l.output.map(_.name))
          if (more.isEmpty) l
          else AnalysisHelper.allowInvokingTransformsInAnalyzer(l.copy(relation = r.copy(options = r.options ++ more)(r.sparkSession)))
        case d @ TableRelation(_) =>
          val own = d.options.asCaseSensitiveMap.asScala.toMap
          val more = missing(stated, own, d.output.map(_.name))
          if (more.isEmpty) d else d.copy(options = new CaseInsensitiveStringMap((own ++ more).asJava))
      }
    }

  private def missing(stated: Map[String, String], options: Map[String, String], columns: Seq[String]): Map[String, String] = {
    val known = ConfKeys.accuracies(options)
    known.values.foreach(Accuracy.parse)
    val names = columns.map(_.toLowerCase(Locale.ROOT)).toSet
    stated.filter { case (column, _) => names(column) && !known.contains(column) }.map { case (column, text) =>
      ConfKeys.AccuracyOption + column -> Accuracy.parse(text).text
    }
  }
}
