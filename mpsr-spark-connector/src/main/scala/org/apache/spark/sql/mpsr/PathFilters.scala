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

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, GetStructField}
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.execution.datasources.DataSourceStrategy
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.Filter

/**
 * Conditions on paths that are no plain names, as Spark hands them to the reader of formats that have the name `parquet`: fields of structs, and
 * columns with names in backticks. The formats of decided reads have other names; to their readers Spark hands no conditions on fields, and
 * names without backticks, which the reader does not know, or takes for other columns.
 */
object PathFilters {

  /** What Spark hands to the reader of the conditions that look at such a path, if it hands them to readers of Parquet. */
  def of(conditions: Seq[Expression], conf: SQLConf): Seq[Filter] =
    if (!arePushed(conf)) Nil
    else
      conditions
        .filter(c => c.deterministic && c.exists { case _: GetStructField => true; case a: Attribute => !isPlain(a.name); case _ => false })
        .flatMap(DataSourceStrategy.translateFilter(_, supportNestedPredicatePushdown = true))

  /**
   * What a reader of files gets in the place of the filters that Spark hands to the reader of a decided read.
   *
   * @param ofPaths the result of [[of]] for all conditions on the records
   * @param columns the names of the files' columns
   */
  def completed(filters: Seq[Filter], ofPaths: Seq[Filter], columns: Set[String], conf: SQLConf): Seq[Filter] =
    if (!arePushed(conf)) filters
    else filters.filter(_.references.forall(isPlain)) ++ ofPaths.filter(isOf(_, columns))

  private def isPlain(name: String): Boolean = quoteIfNeeded(name) == name

  private def isOf(filter: Filter, columns: Set[String]): Boolean =
    filter.references.forall(name => columns(CatalystSqlParser.parseMultipartIdentifier(name).head))

  private def arePushed(conf: SQLConf): Boolean =
    conf.getConf(SQLConf.NESTED_PREDICATE_PUSHDOWN_FILE_SOURCE_LIST).toLowerCase(Locale.ROOT).split(",").exists(_.trim == "parquet")
}
