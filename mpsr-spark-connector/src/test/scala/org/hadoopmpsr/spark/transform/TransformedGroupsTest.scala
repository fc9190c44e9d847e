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

import java.time.Instant
import java.util.Random

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{Row, SaveMode}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.core.group.{ColumnTransforms, ReplicaGroups, WantedGroup}
import org.hadoopmpsr.core.plan.{Filter, ReadRequest}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.transform.TransformRegistry
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture}
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{Tag, Test}

/** Groups that hold columns in transforms are written, read, merged and written anew as others are, with the same records. */
class TransformedGroupsTest extends TransformedSuite(TestPlanes) {
  import SparkFixture._
  import TransformedGroupsTest._
  import TransformedSuite.Interpreted

  private def columns(file: String): Seq[String] =
    footer(file).getFileMetaData.getSchema.getFields.asScala.map(_.getName).toSeq

  /** Whether queries have the same answers as on stock. */
  private def check(dataset: SinkDataset, groups: Seq[String] = Seq("signal")): Unit = withConf(Interpreted: _*) {
    Filters.foreach { filter =>
      val expected = stock(bits(read(dataset).where(filter)))
      groups.foreach { group =>
        val asked = read(dataset).hint("mpsr", group).where(filter)
        // conditions that Parquet's own reader takes otherwise than Spark stay on stock
        assertThat(explain(asked)).containsAnyOf(s"parquet[mpsr $group: ", "parquet[mpsr stock: Parquet's reader takes -0.0")
        assertThat(bits(asked).asJava).as(s"seed $seed: $filter in $group").isEqualTo(expected.asJava)
      }
    }
    val sums = "SELECT count(*), count(value), min(value), max(value), min(small), max(small), count(DISTINCT value) FROM "
    val expected = stock(rows(session.sql(s"$sums parquet.`${dataset.root}`")))
    read(dataset).hint("mpsr", "signal").createOrReplaceTempView("planes_view")
    assertThat(rows(session.sql(s"$sums planes_view")).asJava).isEqualTo(expected.asJava)
  }

  @Test
  def filesHoldPlanesAndQueriesGetTheSameNumbers(): Unit = {
    val dataset = committed("/cals/read")
    val held = files(dataset, "signal").head
    assertThat(columns(held).asJava).contains("value$0-16", "value$16-32", "value$32-64", "small$0-16", "small$16-32")
    assertThat(columns(held).asJava).doesNotContain("value", "small")
    assertThat(footer(held).getFileMetaData.getKeyValueMetaData)
      .containsEntry("mpsr.transform.value", "planes:16,16,32;v=1")
      .containsEntry("mpsr.transform.small", "planes:16,16;v=1")
    assertThat(columns(files(dataset, "device").head).asJava).contains("value", "small")
    check(dataset, TestPlanes.groups.names.asScala.toSeq)
    withConf("spark.sql.parquet.enableVectorizedReader" -> "false")(check(dataset))
    withConf("spark.sql.columnVector.offheap.enabled" -> "true")(check(dataset))
    withConf("spark.sql.sources.useV1SourceList" -> "")(check(dataset))
    val compiled = read(dataset).hint("mpsr", "signal").where("value > 2 OR small < 0")
    assertThat(bits(compiled).asJava).isEqualTo(stock(bits(compiled)).asJava)
    checkSound(dataset)
  }

  @Test
  def whoDoesNotKnowATransformIsGivenOtherGroups(): Unit = {
    val dataset = committed("/cals/unknown")
    val all = new ReadRequest(Filter.ALL, null).inParts()
    def planned(request: ReadRequest, group: String) = client(_.plan(path(dataset), request, group, java.util.List.of())).get
    assertThat(planned(all.knowing(TransformRegistry.known()), "signal").group).isEqualTo("signal")
    for (known <- Seq(java.util.Set.of[String](), java.util.Set.of("planes:0", "other:9"))) {
      val plan = planned(all.knowing(known), "signal")
      assertThat(plan.group).isNotEqualTo("signal")
      assertThat(plan.reason).contains("group signal, which the reader asked for, cannot be read: holds column 'small' as" +
        " planes:16,16, which this reader does not know")
    }
  }

  @Test
  @Tag("long")
  def changesKeepTheNumbers(): Unit = {
    val dataset = committed("/cals/changed")
    val written = session.createDataFrame(TestPlanes.rows(seed, 3, 200).asJava, SparkTypes.structType(TestPlanes.schema.columns.asScala.toSeq))
    written.write.mode(SaveMode.Append).parquet(dataset.root.toString)
    check(dataset)
    writeAsStock(dataset, written.selectExpr("id + 5000000 AS id", "at", "signal", "value", "small", "CAST(at AS DATE) AS day"))
    assertThat(bits(read(dataset)).asJava).isEqualTo(stock(bits(read(dataset))).asJava)
    adopt(dataset)
    check(dataset)
    assertThat(delete(dataset, "value > 3 OR signal = 'S2'").problem).isNull()
    check(dataset)
    checkSound(dataset)
    compact(dataset)
    assertThat(columns(files(dataset, "signal").head).asJava).contains("value$0-16")
    check(dataset)
    checkSound(dataset)
  }

  @Test
  @Tag("long")
  def lostFilesAreWrittenAnewFromAndToTransforms(): Unit = {
    val dataset = committed("/cals/lost")
    for (group <- Seq("signal", "device")) {
      val lost = files(dataset, group).head
      LostFiles.lose(dfs, lost)
      awaitDamage(dataset)
      Filters.take(3).foreach { filter =>
        assertThat(bits(read(dataset).where(filter)).asJava).isEqualTo(stock(bits(read(dataset).where(filter))).asJava)
      }
      rebuild(dataset)
      check(dataset)
    }
    checkSound(dataset)
  }

  @Tag("long")
  @Test
  def aGroupIsSetToOtherTransforms(): Unit = {
    val dataset = committed("/cals/set")
    def set(group: String, transforms: String*) =
      client(_.alterations.set(
        path(dataset), null, new WantedGroup(group, java.util.List.of(), java.util.List.of(), null, ColumnTransforms.parse(transforms.asJava))))
    assertThatThrownBy(() => set("time", "value=planes:16,16,32")).hasMessageContaining("other readers and writers see the files")
    assertThatThrownBy(() => set("device", "signal=planes:16,16,32")).hasMessageContaining("columns of type string are held as they are")
    assertThatThrownBy(() => set("device", "id=identity", "lacking=planes:32,32")).hasMessageContaining("lacking")
    assertThatThrownBy(() => set("device", "value=other:1")).hasMessageContaining("there is no transform 'other', only [approximate, decimal, identity, lossy, planes")
    assertThatThrownBy(() => client(_.alterations.widenColumn(path(dataset), null, "small double")))
      .hasMessageContaining("group 'signal' holds column 'small' as planes:16,16, which fits its type")
    assertThatThrownBy(() => set("signal", "small=planes:16,16", "value=planes:16,16,32")).hasMessageContaining("is like this already")

    set("device", "value=decimal:1")
    rebuild(dataset)
    awaitAlterations(dataset)
    assertThat(columns(files(dataset, "device.2").head).asJava).contains("value$e1", "value$e1-off", "small")
    set("signal", "value=identity")
    rebuild(dataset)
    awaitAlterations(dataset)
    assertThat(columns(files(dataset, "signal.2").head).asJava).contains("value", "small")
    for (group <- Seq("device", "signal"); filter <- Filters) {
      assertThat(bits(read(dataset).hint("mpsr", group).where(filter)).asJava).isEqualTo(stock(bits(read(dataset).where(filter))).asJava)
    }
    checkSound(dataset)
  }
}

private object TransformedGroupsTest {

  private val Filters = Seq(
    "true",
    "value > 2",
    "value <= -1.5 AND signal = 'S1'",
    "value = 0",
    "value IN (0.0D, double('NaN'))",
    "isnan(value)",
    "value >= double('Infinity') OR small < -1",
    "value BETWEEN -1 AND 1 AND small IS NOT NULL",
    "value IS NULL OR small = float('0.5')",
    "small > 0.1 AND NOT (value < 0)")
}

/** Its signal group holds numbers in planes. */
object TestPlanes extends TransformedTable {
  override val name = "planes"
  override val schema: Schema =
    Schema.parse("id bigint not null, at timestamp not null, signal string not null, value double, small float")
  override val groups: ReplicaGroups =
    new ReplicaGroups(
      java.util.List.of(
        group("time", "day(at)"),
        group("signal", "bucket(3, signal)", "value=planes:16,16,32", "small=planes:16,16"),
        group("device", "truncate(1, signal)")),
      "time")
  override val key = "id"

  private val Odd = Seq(0L, Long.MinValue, 0x7ff0000000000000L, 0xfff0000000000000L, 0x7ff8000000000000L, 0x7ff80000deadbeefL,
    0xfff8000000000001L, 1L, 0x800fffffffffffffL, 0x7fefffffffffffffL, 0xffefffffffffffffL)

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 41 + commit)
    Seq.tabulate(count) { i =>
      Row(
        commit * 1000000L + i,
        Instant.ofEpochSecond(1398902400L + random.nextInt(3 * 86400)),
        s"S${random.nextInt(6)}",
        sometimesNull(random,
          if (random.nextInt(4) == 0) java.lang.Double.longBitsToDouble(Odd(random.nextInt(Odd.size))) else random.nextGaussian() * 2),
        sometimesNull(random, if (random.nextInt(4) == 0) 0.5f else random.nextGaussian().toFloat))
    }
  }
}
