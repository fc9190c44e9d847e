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
package org.hadoopmpsr.spark.jobs.query

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.types._
import org.hadoopmpsr.client.Dataset
import org.hadoopmpsr.core.schema.{Column, ColumnName, ColumnType}
import org.hadoopmpsr.spark.jobs.run.JobException
import org.hadoopmpsr.spark.source.SparkTypes

/**
 * The columns of a dataset, under the names that readers see.
 *
 * @param schema of the frame that reads the dataset
 */
private[query] final class QueriedColumns(dataset: Dataset, schema: StructType) {
  import QueriedColumns._

  private def named(name: String): StructField = schema
    .find(_.name == name)
    .orElse(schema.find(_.name.equalsIgnoreCase(name)))
    .getOrElse(throw new JobException(s"there is no column '$name'; the columns are ${list(schema.map(_.name))}"))

  /** A column by its name. */
  def any(name: String): String = named(name).name

  /** The type of a column of numbers, and its name. */
  def numbers(name: String): StructField = {
    val found = named(name)
    if (!isNumber(found)) {
      throw new JobException(
        s"the column '${found.name}' is of type ${found.dataType.sql}, and reductions are of numbers; columns of numbers are " +
          list(schema.filter(isNumber).map(_.name)))
    }
    found
  }

  private def isNumber(field: StructField): Boolean = field.dataType match {
    case ByteType | ShortType | IntegerType | LongType | FloatType | DoubleType | _: DecimalType => true
    case _ => false
  }

  /** The column of times: the one of this name, or without a name the only one. */
  def times(name: Option[String]): TimeAxis = name.map(named) match {
    case None if known.size == 1 => TimeAxis(known.head._1, known.head._2)
    case None => throw new JobException(
        s"it is not known which column has the time of a record: the columns with times are ${list(known.map(_._1))}; name one with" +
          " --time")
    case Some(found) =>
      val of = known.toMap.get(found.name).orElse(if (found.dataType == LongType) Some(ColumnType.LONG) else None)
      TimeAxis(
        found.name,
        of.getOrElse(throw new JobException(s"the column '${found.name}' has no times; those of times are ${list(known.map(_._1))}")))
  }

  private lazy val known: Seq[(String, ColumnType)] = shown(dataset).map(column => column.name -> column.`type`).filter { case (_, of) =>
    TimeAxis.Types.contains(of)
  }

  private def list(names: Seq[String]): String = if (names.isEmpty) "none" else ColumnName.list(names.asJava)
}

private[query] object QueriedColumns {

  /** The columns that readers see, under the names that they see. */
  private def shown(dataset: Dataset): Seq[Column] = dataset.columns.shown.columns.asScala.toSeq.flatMap { column =>
    dataset.schema.columns.asScala.find(_.name == column.stored).map(stored => new Column(column.name, stored.`type`, stored.nullable))
  }

  /** The types of these columns in Spark. */
  def types(dataset: Dataset): StructType = SparkTypes.structType(shown(dataset))
}
