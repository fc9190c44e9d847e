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
package org.hadoopmpsr.spark.columns

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.DataSource
import org.apache.spark.sql.execution.streaming.runtime.StreamingRelation
import org.hadoopmpsr.spark.relation.ConfKeys

/** A stream of files with the columns that they have. */
private[columns] object StoredStream {

  /** The stream below a projection to the columns that somebody has stated for it. */
  def showing(stream: StreamingRelation, columns: KnownColumns): LogicalPlan = {
    val output = stream.output.collect { case a: AttributeReference => a }
    val found = columns.shown.stated(output.map(_.name).asJava).asScala.toSeq
    StoredRead.showing(found, output) { (names, below) =>
      val of = stream.dataSource
      stream.copy(
        dataSource = new DataSource(
          of.sparkSession,
          of.className,
          of.paths,
          of.userSpecifiedSchema.map(StoredRead.renamed(_, names)),
          of.partitionColumns,
          of.bucketSpec,
          of.options + ConfKeys.StoredColumns,
          of.catalogTable),
        output = below)
    }
  }
}
