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
import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.core.group.Predicate
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.plan.Pruner
import org.hadoopmpsr.core.schema.{ColumnPath, Schema}
import org.hadoopmpsr.core.stats.{ColumnStatistics, FileStatistics}
import org.hadoopmpsr.spark.SparkFixture
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** A file of one record is never dropped when the record passes Spark's filter. */
class TranslationSoundnessTest {
  private val seed = SparkFixture.seed
  private val random = new Random(seed)
  private val schema = Schema.parse("s string, l bigint, d double, b boolean")
  private val columns = Seq(
    AttributeReference("s", StringType)(),
    AttributeReference("l", LongType)(),
    AttributeReference("d", DoubleType)(),
    AttributeReference("b", BooleanType)())
  private val bucket = Predicate.parse("bucket(3, s)")
  private val pruner = new Pruner(schema, java.util.List.of(bucket))

  private def pick[T](choices: T*): T = choices(random.nextInt(choices.size))

  private def value(column: AttributeReference): Any =
    if (random.nextInt(4) == 0) null
    else column.dataType match {
      case StringType => UTF8String.fromString(pick("", "a", "ab", "b", "ä", "🐘", "\uFFFD"))
      case LongType => pick(-1L, 0L, 1L, Long.MaxValue, Long.MinValue)
      case DoubleType => pick(-0.0, 0.0, 1.5, Double.NaN, Double.PositiveInfinity, Double.NegativeInfinity)
      case _ => random.nextBoolean()
    }

  private def literal(column: AttributeReference): Literal = Literal(value(column), column.dataType)

  private def expression(depth: Int): Expression = {
    val column = pick(columns: _*)
    random.nextInt(if (depth == 0) 8 else 12) match {
      case 0 => EqualTo(column, literal(column))
      case 1 => EqualNullSafe(literal(column), column)
      case 2 => pick(LessThan(column, literal(column)), GreaterThan(literal(column), column))
      case 3 => pick(LessThanOrEqual(literal(column), column), GreaterThanOrEqual(column, literal(column)))
      case 4 => In(column, Seq.fill(random.nextInt(3))(literal(column)))
      case 5 => pick(IsNull(column), IsNotNull(column))
      case 6 => pick(
          StartsWith(columns.head, literal(columns.head)),
          Like(columns.head, Literal(pick("a%", "a_", "ab", "a!_%", "🐘_", "_", "ä%%", "!!a")), '!'))
      case 7 => pick(columns(3), Literal.TrueLiteral, Literal.FalseLiteral, IsNaN(columns(2)))
      case 8 | 9 => And(expression(depth - 1), expression(depth - 1))
      case 10 => Or(expression(depth - 1), expression(depth - 1))
      case 11 => Not(expression(depth - 1))
    }
  }

  private val pos = AttributeReference("pos", StructType(columns.map(c => StructField(c.name, c.dataType))))()

  /** The expression on fields of a struct, in the places of columns of their names. */
  private def ofFields(e: Expression): Expression = e.transformUp { case a: AttributeReference =>
    GetStructField(pos, columns.indexWhere(_.exprId == a.exprId), Some(a.name))
  }

  private def fileOf(values: Seq[Any], nameOf: String => String = identity): FileStatistics = {
    val core = values.map {
      case s: UTF8String => s.toString
      case v => v.asInstanceOf[AnyRef]
    }
    val statistics = columns.map(c => nameOf(c.name)).zip(core.map {
      case null => new ColumnStatistics(null, null, 1)
      case d: java.lang.Double if d.isNaN => new ColumnStatistics(null, null, 0)
      case v => new ColumnStatistics(v, v, 0)
    })
    val tuple = if (core.head == null) null else bucket.transform.apply(schema.columns.get(0).`type`, core.head)
    new FileStatistics("c", new ContentHash(1, 0, 0), java.util.Arrays.asList(tuple), statistics.toMap.asJava)
  }

  @Test
  def whatPassesIsRead(): Unit = {
    println(s"expressions of seed $seed (-Dmpsr.test.seed)")
    val translation = new FilterTranslation(columns)
    var dropped = 0
    (1 to 20000).foreach { i =>
      val filter = expression(3)
      val values = columns.map(value)
      val passes = BindReferences.bindReference(filter, AttributeSeq(columns)).eval(InternalRow.fromSeq(values)) == true
      val translated = translation.translate(Seq(filter))
      val read = pruner.mayMatch(translated, fileOf(values))
      assertTrue(read || !passes, s"expression $i of seed $seed: $filter of $values became $translated")
      dropped += (if (read) 0 else 1)
    }
    assertThat(dropped).isGreaterThan(5000)
  }

  @Test
  def whatPassesIsReadByFields(): Unit = {
    val translation = new FilterTranslation(Seq(pos))
    val schema = Schema.parse("pos struct<s:string,l:bigint,d:double,b:boolean>")
    val pruner = new Pruner(schema, java.util.List.of(Predicate.parse("bucket(3, pos.s)")))
    var dropped = 0
    (1 to 20000).foreach { i =>
      val filter = ofFields(expression(3))
      val struct = Some(columns.map(value)).filter(_ => random.nextInt(8) > 0)
      val row = InternalRow(struct.map(InternalRow.fromSeq).orNull)
      val passes = BindReferences.bindReference(filter, AttributeSeq(Seq(pos))).eval(row) == true
      val translated = translation.translate(Seq(filter))
      val file = fileOf(struct.getOrElse(columns.map(_ => null)), name => ColumnPath.of(java.util.List.of("pos", name)))
      val read = pruner.mayMatch(translated, file)
      assertTrue(read || !passes, s"expression $i of seed $seed: $filter of $struct became $translated")
      dropped += (if (read) 0 else 1)
    }
    assertThat(dropped).isGreaterThan(5000)
  }
}
