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
package org.hadoopmpsr.spark.source

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.core.schema.{Column, ColumnType}

/** The types that Spark's Parquet reader gives a dataset's columns. */
private[spark] object SparkTypes {
  def of(columnType: ColumnType): DataType = columnType match {
    case ColumnType.STRING => StringType
    case ColumnType.INT => IntegerType
    case ColumnType.LONG | ColumnType.TIMESTAMP_NS => LongType
    case ColumnType.FLOAT => FloatType
    case ColumnType.DOUBLE => DoubleType
    case ColumnType.BOOLEAN => BooleanType
    case ColumnType.DATE => DateType
    case ColumnType.TIMESTAMP => TimestampType
  }

  /** A value of a column of this type in the form that rows of Spark have. */
  def internal(dataType: DataType, value: AnyRef): Any = (dataType, value) match {
    case (IntegerType | DateType, v: java.lang.Long) => v.intValue
    case (FloatType, v: java.lang.Double) => v.floatValue
    case (_, v: String) => UTF8String.fromString(v)
    case (_, v) => v
  }

  /** All columns are nullable, as Spark has the columns of files. */
  def structType(columns: Seq[Column]): StructType =
    StructType(columns.map(c => StructField(c.name, of(c.`type`), nullable = true)))
}
