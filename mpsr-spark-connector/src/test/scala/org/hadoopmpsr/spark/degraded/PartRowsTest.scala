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
package org.hadoopmpsr.spark.degraded

import java.io.{FileNotFoundException, InterruptedIOException, IOException}
import java.net.URI
import java.util.{List => JList, Set => JSet, UUID}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.security.AccessControlException
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.degraded.{OtherGroup, PartReads, PartRecords}
import org.junit.jupiter.api.Test

/** When a part of a file fails: which way is tried next, and that no row is doubled or missing. */
class PartRowsTest {
  private val rows: Seq[AnyRef] = (0 until 5).map(i => new GenericInternalRow(Array[Any](i)))
  private val lost = new FileNotFoundException("lost")

  /** Gives some rows, then fails; all of them if `until` is none. */
  private def reading(until: Option[Int], failure: Exception = lost): PartRecords[AnyRef] =
    new PartRecords[AnyRef] {
      private var next0 = 0
      override def hasNext: Boolean = if (until.contains(next0)) throw failure else next0 < rows.size
      override def next(): AnyRef = {
        next0 += 1
        rows(next0 - 1)
      }
      override def close(): Unit = ()
    }

  private class Reads(soon: Option[Int], patiently: Option[Int], other: Option[Int], on: Seq[Set[String]] = Nil)
      extends PartReads[AnyRef] {
    var asked: Seq[String] = Nil
    override def failingSoon(): PartRecords[AnyRef] = { asked :+= "soon"; reading(soon) }
    override def nodes: JList[JSet[String]] = on.map(_.asJava).asJava
    override def patient(): PartRecords[AnyRef] = { asked :+= "patient"; reading(patiently) }
    override def fromOtherGroup(careful: Boolean): OtherGroup[AnyRef] = {
      asked :+= s"other, careful $careful"
      if (other.contains(0)) throw new IOException("no other group")
      new OtherGroup("other", reading(other))
    }
  }

  private def newPath = s"/cals/${UUID.randomUUID}"

  private def read(reads: PartReads[AnyRef], mostFailures: Int, path: String = newPath, timeoutMs: Int = 60000): Seq[AnyRef] = {
    val part = new PartRows(reads, path, URI.create("hdfs://nn/cals"), Limits(timeoutMs, mostFailures))
    part.begin()
    part.toSeq
  }

  @Test
  def aSoundFileIsReadOnce(): Unit = {
    val reads = new Reads(None, Some(0), Some(0))
    assertThat(read(reads, 4)).isEqualTo(rows)
    assertThat(reads.asked).isEqualTo(Seq("soon"))
  }

  @Test
  def whileNothingWasGivenAnotherGroupTakesOver(): Unit = {
    val path = newPath
    val reads = new Reads(Some(0), Some(0), None)
    assertThat(read(reads, 4, path)).isEqualTo(rows)
    assertThat(read(reads, 4, path)).as("the file is known").isEqualTo(rows)
    assertThat(reads.asked).isEqualTo(Seq("soon", "other, careful false", "other, careful false"))
  }

  @Test
  def filesOfADataNodeThatDoesNotAnswerComeFromAnotherGroupAtOnce(): Unit = {
    val Seq(silent, other) = Seq.fill(2)(UUID.randomUUID.toString)
    assertThat(read(new Reads(Some(0), Some(0), None, Seq(Set(silent), Set(silent))), 4, timeoutMs = 0)).isEqualTo(rows)
    val onSilent = new Reads(None, None, None, Seq(Set(other), Set(silent)))
    assertThat(read(onSilent, 4)).isEqualTo(rows)
    assertThat(onSilent.asked).isEqualTo(Seq("other, careful false"))
    val onBoth = new Reads(None, None, None, Seq(Set(silent, other)))
    assertThat(read(onBoth, 4)).isEqualTo(rows)
    assertThat(onBoth.asked).isEqualTo(Seq("soon"))
  }

  @Test
  def withoutAnotherGroupTheFileIsReadAsOnStock(): Unit = {
    val reads = new Reads(Some(0), None, Some(0))
    assertThat(read(reads, 4)).isEqualTo(rows)
    assertThat(reads.asked).isEqualTo(Seq("soon", "other, careful false", "patient"))
    assertThatThrownBy(() => read(new Reads(Some(0), Some(0), Some(0)), 4)).isSameAs(lost)
  }

  @Test
  def afterTheFirstRowTheTaskFailsIfItMay(): Unit = {
    val path = newPath
    assertThatThrownBy(() => read(new Reads(Some(3), None, None), 4, path))
      .hasMessageContaining("the task starts again")
      .hasCause(lost)
    val again = new Reads(Some(3), None, None)
    assertThat(read(again, 4, path)).isEqualTo(rows)
    assertThat(again.asked).isEqualTo(Seq("other, careful false"))
  }

  @Test
  def ifItMayNotTheFileIsReadOnAsOnStock(): Unit = {
    val reads = new Reads(Some(3), None, Some(0))
    assertThat(read(reads, 1)).isEqualTo(rows)
    assertThat(reads.asked).isEqualTo(Seq("soon", "patient"))
    assertThatThrownBy(() => read(new Reads(Some(3), Some(2), None), 1)).isSameAs(lost)
  }

  @Test
  def aSourceThatFailsAfterItsFirstRowsEndsTheTask(): Unit =
    for (failures <- Seq(1, 4))
      assertThatThrownBy(() => read(new Reads(Some(0), None, Some(2)), failures)).isSameAs(lost)

  @Test
  def aFileThatIsNoParquetAnyMoreIsALoss(): Unit = {
    val reads = new Reads(None, Some(0), None) {
      override def failingSoon(): PartRecords[AnyRef] = reading(Some(0), new RuntimeException("not a Parquet file"))
    }
    assertThat(read(reads, 4)).isEqualTo(rows)
    assertThat(reads.asked).isEqualTo(Seq("other, careful false"))
  }

  @Test
  def whatIsNoLossIsLeftAlone(): Unit =
    for (failure <- Seq(new InterruptedIOException, new AccessControlException("no"))) {
      val reads = new Reads(None, None, None) {
        override def failingSoon(): PartRecords[AnyRef] = reading(Some(2), failure)
      }
      assertThatThrownBy(() => read(reads, 4)).isSameAs(failure)
      assertThat(reads.asked).isEqualTo(Nil)
    }
}
