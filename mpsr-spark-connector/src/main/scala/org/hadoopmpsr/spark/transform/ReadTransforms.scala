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
package org.hadoopmpsr.spark.transform

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.{StructField, StructType}
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.transform.{Accuracy, ReadLevel, TransformName, TransformRegistry, TransformedColumn}
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.spark.versions.OptionConverters._
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * A column that files hold in a transform. Serializable.
 *
 * @param ddl the column with its type, as a schema has it
 * @param transform as files name it
 * @param place the place of the level that is read among those of the transform
 */
private[spark] final case class HeldColumn(ddl: String, transform: String, place: Int) {
  @transient private lazy val column = Schema.parse(ddl).columns.get(0)

  @transient lazy val transformed: TransformedColumn = TransformRegistry.of(TransformName.parse(transform), column.`type`)

  @transient lazy val level: ReadLevel = transformed.levels.get(place)

  def name: String = column.name

  def isExact: Boolean = level.kind == ReadLevel.Kind.EXACT

  /** This with exact values. */
  def exact: HeldColumn = copy(place = transformed.levels.indexOf(transformed.exact))

  /** Whether files hold the column itself, and its values are read from other columns all the same. */
  def isBeside: Boolean = transformed.isPlain && !level.columns.asScala.exists(transformed.columns.get(_).isColumn)

  /** Whether its values are read from the column itself. */
  def isItself: Boolean = transformed.isPlain && !isBeside

  /**
   * The columns of files that the level needs. Where files also hold the column itself, which is not read, a file without one of them must not be
   * taken for one with nulls: Spark fails for columns without nulls that a file lacks.
   */
  @transient lazy val parts: Seq[StructField] = level.columns.asScala.toSeq.map(part(_))

  /** A column of files. */
  def part(number: Int): StructField = {
    val part = transformed.columns.get(number)
    StructField(part.name(column.name), SparkTypes.of(part.`type`), nullable = !isBeside)
  }

  /** Whether a read names it. */
  def is(field: String, caseSensitive: Boolean): Boolean = if (caseSensitive) field == name else field.equalsIgnoreCase(name)

  /** As EXPLAIN shows it. */
  def error: String = {
    val of = if (level.kind == ReadLevel.Kind.RELATIVE) " of the value" else ""
    s"error ≤ ${level.error}$of in $name"
  }
}

/**
 * In what form the files of a group hold some columns, where they do not hold these themselves, or where other columns are read for them.
 *
 * @param unread the columns of which files have rounded values, and which the query does not look at
 */
private[spark] final case class ReadTransforms(held: Seq[HeldColumn], unread: Set[String] = Set.empty) {

  /** Fails if a read wants a column that must not be read from these files. */
  def check(required: StructType): Unit = required.fieldNames.find(field => unread.exists(_.equalsIgnoreCase(field))).foreach { field =>
    throw new IllegalStateException(
      s"the files have rounded values of '$field', and the plan was made for a query that does not look at it; set" +
        s" spark.mpsr.enabled to false for this query, and report this")
  }

  /** Whether some column that is read has rounded values, which statistics of the files are of. */
  def isRounded: Boolean = held.exists(_.transformed.isLossy)

  /** What a read of some columns needs. */
  def needed(required: StructType, caseSensitive: Boolean): NeededParts = {
    val apart = held.filterNot(_.isItself)
    NeededParts(
      apart.flatMap { column =>
        val place = required.fieldNames.indexWhere(column.is(_, caseSensitive))
        Option.when(place >= 0)(NeededColumn(column, place))
      },
      apart.filterNot(_.isBeside).map(new PushedRanges(_, caseSensitive)))
  }

  private def approximate: Seq[HeldColumn] = held.filterNot(_.isExact)

  def isApproximate: Boolean = approximate.nonEmpty

  /** These with exact values. */
  def exact: ReadTransforms = copy(held = held.map(_.exact))

  /** What EXPLAIN says of values that are not exact. */
  def note: Option[String] = if (isApproximate) Some(approximate.map(_.error).mkString("approximate, ", ", ", "")) else None

  /** Makes relations differ to Spark that read the same files with other errors: it may take one read for another that is equal. */
  def options: Map[String, String] = note.map(ReadTransforms.Approximate -> _).toMap
}

private[spark] object ReadTransforms {
  val None: ReadTransforms = ReadTransforms(Nil)

  private val Approximate = "mpsr.approximate"

  /**
   * @param plan of one group
   * @param accuracies how far off columns may be, by their names
   * @param used the columns that the query looks at
   */
  def of(plan: ReadPlan, accuracies: Map[String, Accuracy], used: AttributeSet): ReadTransforms = {
    val transforms = plan.groups.find(plan.group).orElseThrow().transforms
    val unread = transforms.lossy.ofColumns.keySet.asScala.filterNot(name => used.exists(_.name.equalsIgnoreCase(name))).toSet
    val held = plan.schema.columns.asScala.toSeq.filterNot(column => unread.exists(_.equalsIgnoreCase(column.name))).flatMap { column =>
      transforms.transformed(column).toScala.map { transformed =>
        val accuracy = accuracies.collectFirst { case (name, limits) if name.equalsIgnoreCase(column.name) => limits }.getOrElse(Accuracy.EXACT)
        if (transformed.isLossy && !accuracy.isMetBy(transformed.exact, Double.PositiveInfinity)) {
          throw new IllegalStateException(
            s"group ${plan.group} was planned, which has values of '${column.name}' that are farther off than the query allows")
        }
        val level = transformed.level(accuracy, if (accuracy.isExact) Double.PositiveInfinity else magnitude(plan, column.name))
        HeldColumn(column.ddl, transforms.find(column.name).get.recorded, transformed.levels.indexOf(level))
      }
    }
    ReadTransforms(held, unread)
  }

  /** No value in the planned files has a greater magnitude. */
  private def magnitude(plan: ReadPlan, column: String): Double =
    plan.files.asScala.iterator.map(_.statistics.column(column).magnitude).foldLeft(0.0)(math.max)
}

/**
 * A column that a read needs.
 *
 * @param place its place among the columns that the read needs of files
 */
private[spark] final case class NeededColumn(column: HeldColumn, place: Int)

/**
 * What a read needs of files that hold columns in transforms. Files may also hold the columns themselves.
 *
 * @param ranges of the columns that are held so, for filters
 */
private[spark] final case class NeededParts(columns: Seq[NeededColumn], ranges: Seq[PushedRanges]) {
  def isEmpty: Boolean = columns.isEmpty

  /** Whether a file without a part must end the read. */
  def mustHaveParts: Boolean = columns.exists(_.column.isBeside)

  /** The columns of files that are read besides. */
  def parts: Seq[StructField] = columns.flatMap(_.column.parts)

  /** The columns to ask for: a name that no file has in place of a column that is not to be read. */
  def required(schema: StructType): StructType = {
    val beside = columns.collect { case NeededColumn(column, place) if column.isBeside => place }.toSet
    StructType(schema.fields.zipWithIndex.map { case (field, i) =>
      if (beside(i)) field.copy(name = NeededParts.NotRead + field.name, nullable = true) else field
    })
  }

  /** Filters on these columns that leave no record out that passes the filters. */
  def pushed(filters: Seq[Filter]): Seq[Filter] = ranges.flatMap(range => filters.flatMap(range.of))
}

private[transform] object NeededParts {
  /** No column has a control character in its name. */
  val NotRead = "\u001e"
}
