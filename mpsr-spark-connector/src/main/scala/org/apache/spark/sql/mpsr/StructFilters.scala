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
package org.apache.spark.sql.mpsr

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.{Expression, GetStructField}
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.execution.datasources.DataSourceStrategy
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.Filter

/**
 * Conditions on fields of structs as Spark hands them to the reader of formats that have the name `parquet`. The formats of decided reads have
 * other names.
 */
object StructFilters {

  /** What Spark hands to the reader of the conditions that look at a field of a struct, if it hands them to readers of Parquet. */
  def of(conditions: Seq[Expression], conf: SQLConf): Seq[Filter] =
    if (!arePushed(conf)) Nil
    else
      conditions
        .filter(c => c.deterministic && c.exists(_.isInstanceOf[GetStructField]))
        .flatMap(DataSourceStrategy.translateFilter(_, supportNestedPredicatePushdown = true))

  /** Whether a filter looks at columns with these names only, or at what is within them. */
  def isOf(filter: Filter, columns: Set[String]): Boolean =
    filter.references.forall(name => columns(CatalystSqlParser.parseMultipartIdentifier(name).head))

  private def arePushed(conf: SQLConf): Boolean =
    conf.getConf(SQLConf.NESTED_PREDICATE_PUSHDOWN_FILE_SOURCE_LIST).toLowerCase(Locale.ROOT).split(",").exists(_.trim == "parquet")
}
