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
package org.hadoopmpsr.spark.relation

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.ReadPlan.PlannedFile
import org.hadoopmpsr.core.stats.FileTotals
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.junit.jupiter.api.Test

class ListingTest {
  import SparkFixture._

  private val root = new Path(TestDirectories.create("mpsr-listing").toUri)

  private def write(days: Int*): Unit =
    days.foreach(day => session.range(10 * day).selectExpr("id").coalesce(1).write.parquet(s"$root/day=$day"))

  private def index: InMemoryFileIndex = new InMemoryFileIndex(session, Seq(root), Map.empty, None)

  private def planned(file: FileStatus, length: Long): PlannedFile =
    new PlannedFile(file.getPath.toUri.getPath, length, 0, 0, java.util.List.of(), java.util.Map.of())

  private def totals(files: Seq[FileStatus]): FileTotals =
    files.foldLeft(FileTotals.EMPTY)((totals, f) => totals.plus(f.getPath.toUri.getPath, f.getLen))

  @Test
  def filesAreGoneThroughOnceUntilTheyAreListedAnew(): Unit = {
    write(1, 2)
    val listed = index
    val first = new Listing(listed)
    assertThat(first.totals).isEqualTo(totals(listed.allFiles()))
    assertThat(new Listing(listed).totals).isSameAs(first.totals)
    write(3)
    assertThat(new Listing(index).totals.files).as("another listing of the same directory").isEqualTo(3)
    assertThat(new Listing(listed).totals.files).isEqualTo(2)
    listed.refresh()
    assertThat(new Listing(listed).totals).isEqualTo(totals(listed.allFiles())).isNotEqualTo(first.totals)
  }

  /** Of directories as Spark escapes them; the dataset's paths are of Java's `URI`. */
  @Test
  def pathsAreThoseOfTheDataset(): Unit = {
    val values = Seq("a/b=c%", "ä b", "%41", "1:2", "{x}")
    val frame = session.createDataFrame(values.map(v => (1, v))).toDF("id", "p")
    frame.coalesce(1).write.mode("append").partitionBy("p").parquet(root.toString)
    val expected = index.allFiles().foldLeft(FileTotals.EMPTY) { (totals, f) =>
      val value = f.getPath.getParent.getName.stripPrefix("p=")
      assertThat(values.map(ExternalCatalogUtils.escapePathName).asJava).contains(value)
      val path = s"${root.toUri.getPath.stripSuffix("/")}/p=$value/${f.getPath.getName}"
      assertThat(f.getPath.toUri.getPath).isEqualTo(path)
      totals.plus(path, f.getLen)
    }
    assertThat(new Listing(index).totals).isEqualTo(expected)
  }

  @Test
  def namesThePlannedFilesThatItLacks(): Unit = {
    write(1, 2, 3)
    val listing = new Listing(index)
    val files = listing.index.allFiles().sortBy(_.getPath)
    val all = files.map(f => planned(f, f.getLen))
    assertThat(listing.lacking(all).toList.asJava).isEmpty()
    assertThat(listing.lacking(all.map(f => new PlannedFile(f.path, f.length + 1, 0, 0, f.blocks, f.columns))).toList.asJava)
      .containsExactly(all.head.path)
    files(1).getPath.getFileSystem(session.sessionState.newHadoopConf()).delete(files(1).getPath, false)
    assertThat(new Listing(index).lacking(all).toList.asJava).containsExactly(all(1).path)
    assertThat(new Listing(index).lacking(Nil).toList.asJava).isEmpty()
  }
}
