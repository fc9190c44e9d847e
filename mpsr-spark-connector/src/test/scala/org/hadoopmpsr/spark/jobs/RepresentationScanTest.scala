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
package org.hadoopmpsr.spark.jobs

import scala.jdk.CollectionConverters._

import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.core.hash.{ContentHash, ContentHashes, HashKind}
import org.hadoopmpsr.spark.{SparkFixture, TestDataset, TestDirectories, TestRecords}
import org.junit.jupiter.api.Test

class RepresentationScanTest {
  import TestRecords.{groups, schema}

  private def contents(dataset: TestDataset, kinds: Map[String, HashKind] = Map.empty): Seq[RepresentationContent] = {
    val scan = new RepresentationScan(SparkFixture.session, schema, groups)
    groups.names.asScala.toSeq.map(g => scan.read(g, dataset.rootOf(g), kinds))
  }

  private def newDataset(): TestDataset =
    new TestDataset(SparkFixture.session, TestDirectories.create("mpsr-verify"))

  @Test
  def everyRepresentationHoldsTheRecords(): Unit = SparkFixture.stock {
    val rows = TestRecords.rows(5, 0, 300)
    val dataset = newDataset()
    dataset.write(rows)
    val expected = TestDataset.hash(rows, HashKind.CURRENT)
    val report = VerifyReport("/cals/meas", contents(dataset))
    report.contents.foreach(c => assertThat(c.content).isEqualTo(expected))
    assertThat(report.equal).isTrue
    assertThat(report.contents.map(_.files).asJava).isEqualTo(dataset.groupFiles().asScala.map(_.files.size.toLong).asJava)
    assertThat(report.json).contains("\"equal\" : true", s"\"contentHash\" : \"${expected.hex}\"", "\"records\" : 300")
  }

  @Test
  def aLostFileIsADifference(): Unit = SparkFixture.stock {
    val dataset = newDataset()
    dataset.write(TestRecords.rows(6, 0, 50))
    val lost = dataset.groupFiles().get(1).files.get(0)
    java.nio.file.Files.delete(java.nio.file.Path.of(lost.path))
    assertThat(VerifyReport("/cals/meas", contents(dataset)).equal).isFalse
  }

  /** As in a dataset that an older version began. */
  @Test
  def filesOfBothKindsOfHashesAreCompared(): Unit = SparkFixture.stock {
    val rows = TestRecords.rows(7, 0, 200)
    val dataset = newDataset()
    dataset.write(rows)
    val older = dataset.groupFiles().asScala.flatMap(_.files.asScala).map(_.path)
    val report = VerifyReport("/cals/meas", contents(dataset, older.map(_ -> HashKind.SHA_256).toMap))
    report.contents.foreach { c =>
      assertThat(c.content).isEqualTo(TestDataset.hash(rows, HashKind.CURRENT))
      assertThat(c.stated).isEqualTo(ContentHashes.of(TestDataset.hash(rows, HashKind.SHA_256)))
    }
    assertThat(report.equal).isTrue
    assertThat(report.json).contains(s"\"contentHash\" : \"${TestDataset.hash(rows, HashKind.SHA_256).hex}\"")
  }

  @Test
  def anEmptyDatasetIsEqual(): Unit = {
    val report = VerifyReport("/cals/meas", contents(newDataset()))
    report.contents.foreach(c => assertThat(c.content).isEqualTo(ContentHash.EMPTY))
    assertThat(report.equal).isTrue
  }
}
