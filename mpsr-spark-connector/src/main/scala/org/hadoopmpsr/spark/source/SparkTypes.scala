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

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.core.schema.{Column, ColumnType, DecimalType => DecimalColumn, ListType, SimpleType}
import org.hadoopmpsr.core.schema.{MapType => MapColumn, StructType => StructColumn}

/** The types that Spark's Parquet reader gives a dataset's columns. */
private[spark] object SparkTypes {
  def of(columnType: ColumnType): DataType = columnType match {
    case decimal: DecimalColumn => DecimalType(decimal.precision, decimal.scale)
    case list: ListType => ArrayType(of(list.element), containsNull = true)
    case map: MapColumn => MapType(of(map.key), of(map.value), valueContainsNull = true)
    case struct: StructColumn =>
      StructType(struct.fields.asScala.map(f => StructField(f.name, of(f.`type`), nullable = true)).toSeq)
    case simple: SimpleType =>
      simple match {
        case SimpleType.STRING => StringType
        case SimpleType.BINARY => BinaryType
        case SimpleType.TINYINT => ByteType
        case SimpleType.SMALLINT => ShortType
        case SimpleType.INT => IntegerType
        case SimpleType.LONG | SimpleType.TIMESTAMP_NS | SimpleType.TIME_NS => LongType
        case SimpleType.FLOAT => FloatType
        case SimpleType.DOUBLE => DoubleType
        case SimpleType.BOOLEAN => BooleanType
        case SimpleType.DATE => DateType
        case SimpleType.TIMESTAMP => TimestampType
        case SimpleType.TIMESTAMP_NTZ => TimestampNTZType
      }
  }

  /** Whether a read of some type has the values of the column's type, or of structs some of the fields. */
  def isPartOf(read: DataType, whole: DataType): Boolean = (read, whole) match {
    case (some: StructType, all: StructType) =>
      some.forall(f => all.exists(a => a.name == f.name && a.nullable == f.nullable && isPartOf(f.dataType, a.dataType)))
    case (ArrayType(some, someNull), ArrayType(all, allNull)) => someNull == allNull && isPartOf(some, all)
    case (MapType(someKey, some, someNull), MapType(allKey, all, allNull)) =>
      someNull == allNull && someKey == allKey && isPartOf(some, all)
    case _ => read == whole
  }

  /** A value of a column of this type in the form that rows of Spark have. */
  def internal(dataType: DataType, value: AnyRef): Any = (dataType, value) match {
    case (ByteType, v: java.lang.Long) => v.byteValue
    case (ShortType, v: java.lang.Long) => v.shortValue
    case (IntegerType | DateType, v: java.lang.Long) => v.intValue
    case (t: DecimalType, v: java.lang.Long) => Decimal(BigDecimal(BigInt(v), t.scale), t.precision, t.scale)
    case (FloatType, v: java.lang.Double) => v.floatValue
    case (_, v: String) => UTF8String.fromString(v)
    case (_, v) => v
  }

  /** All columns are nullable, as Spark has the columns of files. */
  def structType(columns: Seq[Column]): StructType =
    StructType(columns.map(c => StructField(c.name, of(c.`type`), nullable = true)))

  /** True if two types are equal but for what may be null: columns of files are nullable at every level. */
  def isSame(one: DataType, other: DataType): Boolean = (one, other) match {
    case (a: StructType, b: StructType) =>
      a.size == b.size && a.zip(b).forall { case (x, y) => x.name == y.name && isSame(x.dataType, y.dataType) }
    case (a: ArrayType, b: ArrayType) => isSame(a.elementType, b.elementType)
    case (a: MapType, b: MapType) => isSame(a.keyType, b.keyType) && isSame(a.valueType, b.valueType)
    case _ => one == other
  }
}
