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

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.core.plan.{Filter => CoreFilter}
import org.hadoopmpsr.spark.versions.TestVersions
import org.junit.jupiter.api.{DynamicTest, Test, TestFactory}

class FilterTranslationTest {
  private val signal = AttributeReference("signal", StringType)()
  private val ns = AttributeReference("timestamp_ns", LongType)()
  private val value = AttributeReference("value", DoubleType)()
  private val reading = AttributeReference("reading", FloatType)()
  private val quality = AttributeReference("quality", IntegerType)()
  private val ok = AttributeReference("ok", BooleanType)()
  private val day = AttributeReference("day", DateType)()
  private val seen = AttributeReference("seen", TimestampType)()
  private val elsewhere = AttributeReference("elsewhere", LongType)()
  private val collated = TestVersions.caseless.map(AttributeReference("name", _)())
  private val within = StructType(Seq(StructField("at", TimestampType), StructField("n", LongType)))
  private val pos = AttributeReference("pos", StructType(Seq(StructField("x", DoubleType), StructField("in", within))))()
  private val at = GetStructField(GetStructField(pos, 1, None), 0, Some("at"))
  private val columns = Seq(signal, ns, value, reading, quality, ok, day, seen, pos) ++ collated

  private def translated(filters: Expression*): String = new FilterTranslation(columns).translate(filters).toString

  private def noString = Literal(null, StringType)

  @TestFactory
  def table(): java.util.List[DynamicTest] = {
    def row(filter: Expression, expected: String): DynamicTest =
      DynamicTest.dynamicTest(expected + " <- " + filter, () => {
        assertThat(translated(filter)).isEqualTo(expected)
        ()
      })
    val rows = Seq(
      row(EqualTo(signal, Literal("A")), "signal = A"),
      row(EqualTo(Literal("A"), signal), "signal = A"),
      row(EqualTo(signal, noString), "signal = null"),
      row(LessThan(ns, Literal(7L)), "timestamp_ns < 7"),
      row(LessThan(Literal(7L), ns), "timestamp_ns > 7"),
      row(LessThanOrEqual(Literal(7L), ns), "timestamp_ns >= 7"),
      row(GreaterThan(Literal(7L), ns), "timestamp_ns < 7"),
      row(GreaterThanOrEqual(ns, Literal(7L)), "timestamp_ns >= 7"),
      row(EqualNullSafe(quality, Literal(3)), "(NOT quality IS NULL AND quality = 3)"),
      row(EqualNullSafe(Literal(3), quality), "(NOT quality IS NULL AND quality = 3)"),
      row(EqualNullSafe(signal, noString), "signal IS NULL"),
      row(GreaterThan(value, Literal(1.5)), "value > 1.5"),
      row(EqualTo(value, Literal(Double.NaN)), "value = NaN"),
      row(EqualTo(reading, Literal(0.5f)), "reading = 0.5"),
      row(EqualTo(day, Literal(16191, DateType)), "day = 16191"),
      row(LessThan(seen, Literal(5L, TimestampType)), "seen < 5"),
      row(In(signal, Seq(Literal("A"), Literal("B"))), "signal IN [A, B]"),
      row(In(signal, Seq(Literal("A"), noString)), "(signal IN [A] OR signal = null)"),
      row(InSet(quality, Set(4)), "quality IN [4]"),
      row(InSet(quality, Set(4, null)), "(quality IN [4] OR quality = null)"),
      row(IsNull(signal), "signal IS NULL"),
      row(IsNull(pos), "pos IS NULL"),
      row(EqualTo(GetStructField(pos, 0, Some("x")), Literal(1.5)), "pos\u001fx = 1.5"),
      row(LessThan(Literal(5L, TimestampType), at), "pos\u001fin\u001fat > 5"),
      row(Not(IsNotNull(at)), "NOT NOT pos\u001fin\u001fat IS NULL"),
      row(IsNull(GetStructField(pos, 1, None)), "pos\u001fin IS NULL"),
      row(
        GreaterThan(Cast(at, DateType, Some("UTC")), Literal(16191, DateType)),
        s"((pos\u001fin\u001fat >= ${16192 * 86400000000L}) AND ?)"),
      row(IsNotNull(signal), "NOT signal IS NULL"),
      row(Not(EqualTo(ok, Literal(true))), "NOT ok = true"),
      row(ok, "ok = true"),
      row(StartsWith(signal, Literal("AB")), "signal LIKE 'AB%'"),
      row(StartsWith(signal, noString), "?"),
      row(Like(signal, Literal("VAC!_1_%x"), '!'), "(signal LIKE 'VAC_1%' AND signal > VAC_1 AND ?)"),
      row(Like(signal, Literal("VAC%"), '!'), "(signal LIKE 'VAC%' AND ?)"),
      row(Not(Like(signal, Literal("a_b"), '!')), "NOT (signal LIKE 'a%' AND signal > a AND ?)"),
      row(Like(signal, Literal("_b"), '!'), "?"),
      row(Like(signal, Literal("a_!b"), '!'), "?"),
      row(Like(signal, Literal("a!"), '!'), "?"),
      row(Like(signal, noString, '!'), "?"),
      row(And(EqualTo(signal, Literal("A")), Or(IsNull(value), LessThan(ns, Literal(1L)))),
        "(signal = A AND (value IS NULL OR timestamp_ns < 1))"),
      row(Or(Or(ok, IsNull(ok)), IsNull(day)), "(ok = true OR ok IS NULL OR day IS NULL)"),
      row(EqualTo(Cast(quality, LongType), Literal(7L)), "?"),
      row(EqualTo(elsewhere, Literal(7L)), "?"),
      row(EqualTo(ns, elsewhere), "?"),
      row(Contains(signal, Literal("A")), "?"),
      row(IsNaN(value), "?"),
      row(And(GreaterThan(Rand(1), Literal(0.5)), ok), "?"),
      row(EqualTo(signal, Literal(UTF8String.fromBytes(Array(0xc3.toByte, 0x28.toByte)), StringType)), "?"),
      row(And(Contains(signal, Literal("A")), ok), "(? AND ok = true)"))
    (rows ++ collated.map(c => row(EqualTo(c, Literal.create("a", c.dataType)), "?"))).asJava
  }

  @Test
  def constantsAreTheEmptyConjunctionAndDisjunction(): Unit = {
    val translation = new FilterTranslation(columns)
    assertThat(translation.translate(Seq(Literal.TrueLiteral)): Any).isEqualTo(CoreFilter.ALL)
    val never = new CoreFilter.Or(java.util.List.of())
    assertThat(translation.translate(Seq(Literal.FalseLiteral)): Any).isEqualTo(never)
    assertThat(translation.translate(Seq(In(quality, Nil))): Any).isEqualTo(never)
  }

  @Test
  def conjunctsBecomeOneConjunction(): Unit = {
    assertThat(translated(ok, IsNull(day))).isEqualTo("(ok = true AND day IS NULL)")
    assertThat(translated()).isEqualTo("()")
  }

  @Test
  def aLongListBecomesItsRange(): Unit =
    assertThat(translated(InSet(quality, (1 to 5000).toSet))).isEqualTo("(quality >= 1 AND quality <= 5000 AND ?)")

  @Test
  def hundredsOfAlternativesStayFlat(): Unit = {
    val alternatives = (1 to 500).map(i => EqualTo(quality, Literal(i)): Expression)
    assertThat(translated(alternatives.reduceLeft(Or))).startsWith("(quality = 1 OR quality = 2 OR ")
    assertThat(translated(alternatives.reduceRight(Or))).endsWith(" OR quality = 500)")
  }

  @Test
  def whatIsNestedTooDeepIsUnknown(): Unit = {
    val nested = (1 to 200).foldLeft(ok: Expression)((e, _) => Not(e))
    assertThat(translated(nested)).endsWith("NOT ?")
  }
}
