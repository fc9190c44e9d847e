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

import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.core.schema.ColumnType
import org.junit.jupiter.api.Test

class TimeAxisTest {
  private val nanos = TimeAxis("t", ColumnType.TIMESTAMP_NS)
  private val micros = TimeAxis("t", ColumnType.TIMESTAMP)
  private val local = TimeAxis("t", ColumnType.TIMESTAMP_NTZ)
  private val days = TimeAxis("t", ColumnType.DATE)
  private val numbers = TimeAxis("n", ColumnType.LONG)

  @Test
  def timesAreInTheUnitOfTheColumn(): Unit = {
    assertThat(nanos.units("--from", "2014-05-01")).isEqualTo(1398902400000000000L)
    assertThat(nanos.units("--from", "2014-05-01T00:00:00.000000001Z")).isEqualTo(1398902400000000001L)
    assertThat(nanos.units("--from", "2014-05-01T02:00:00+02:00")).isEqualTo(1398902400000000000L)
    assertThat(micros.units("--from", "1969-12-31T23:59:59.5")).isEqualTo(-500000L)
    assertThat(local.units("--from", "2014-05-01T06:00:00")).isEqualTo(1398924000000000L)
    assertThat(days.units("--from", "2014-05-01")).isEqualTo(16191L)
    assertThat(numbers.units("--from", "-5")).isEqualTo(-5L)
    assertThat(days.units("--from", "7")).isEqualTo(7L)
  }

  /** A range has the same records as if its ends were compared exactly. */
  @Test
  def timesBetweenTwoUnitsAreTheLaterOne(): Unit = {
    assertThat(micros.units("--to", "1970-01-01T00:00:00.000001001")).isEqualTo(2L)
    assertThat(micros.units("--to", "1969-12-31T23:59:59.999999999")).isEqualTo(0L)
    assertThat(days.units("--to", "2014-05-01T00:00:01")).isEqualTo(16192L)
  }

  @Test
  def lengthsAreWholeUnits(): Unit = {
    assertThat(nanos.length("50ns")).isEqualTo(50L)
    assertThat(micros.length("1h")).isEqualTo(3600000000L)
    assertThat(days.length("7d")).isEqualTo(7L)
    assertThat(days.length("48h")).isEqualTo(2L)
    assertThat(numbers.length("12")).isEqualTo(12L)
    Seq(micros -> "50ns", days -> "12h", numbers -> "1h", nanos -> "0s", nanos -> "-1", nanos -> "1w", nanos -> "999999999999999999d").foreach {
      case (axis, text) =>
        assertThatThrownBy(() => axis.length(text)).hasMessageStartingWith(s"the option --interval has the value '$text', which is no length")
    }
  }

  @Test
  def whatIsNoTimeIsNamed(): Unit = {
    assertThatThrownBy(() => nanos.units("--from", "yesterday"))
      .hasMessage("the option --from has the value 'yesterday', which is no time of the column 't'; give a day such as 2014-05-01," +
        " a time in UTC such as 2014-05-01T06:00:00, or a whole number of its unit")
    assertThatThrownBy(() => numbers.units("--to", "2014-05-01")).hasMessageEndingWith("of the column 'n'; give a whole number of its unit")
    assertThatThrownBy(() => nanos.units("--to", "2400-01-01")).hasMessageContaining("is no time of the column")
    assertThatThrownBy(() => local.units("--to", "2014-05-01T00:00:00Z")).hasMessageContaining("is no time of the column")
  }

  @Test
  def timesArePrintedAsTheyAreRead(): Unit = {
    assertThat(nanos.text(1398902400000000001L)).isEqualTo("2014-05-01T00:00:00.000000001Z")
    assertThat(numbers.text(5L)).isEqualTo("5")
    assertThat(nanos.units("--from", nanos.text(-1L))).isEqualTo(-1L)
  }
}
