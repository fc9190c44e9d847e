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
package org.hadoopmpsr.spark

import java.util.Collections.singletonList
import java.util.List

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.SaveMode
import org.apache.spark.sql.functions.lit
import org.hadoopmpsr.client.{DatasetAlterations, MpsrClient}
import org.hadoopmpsr.core.group.{Predicate, WantedGroup}

/**
 * Over files that the sink's code has written and committed in HDFS, with plans of NameNodes. One dataset also has files that came
 * without a commit, one has a group that is half written, and one has more columns than its first files.
 */
class SinkEqualityTest extends EqualitySuite(queriesByDefault = 15, queriesForAllGroups = 150) {
  import SparkFixture._

  private var clusters: Seq[MiniDFSCluster] = Nil

  override protected def open(): Seq[QueriedDataset] = Seq(TestRecords, TestEvents, TestShifts, TestTypes, TestPlaces).map { table =>
    val cluster = TestClusters.of(table.groups)
    clusters :+= cluster
    val dataset = new SinkDataset(cluster, s"/cals/${table.name}", table)
    val path = dataset.root.toUri.getPath
    def alter(change: DatasetAlterations => Any): Unit =
      Using.resource(MpsrClient.create(new Configuration(cluster.getConfiguration(0)), cluster.getURI))(c => change(c.alterations))
    dataset.commit(rows(table))
    if (table == TestEvents) {
      alter(_.set(path, null, new WantedGroup("name", singletonList(Predicate.parse("bucket(2, id)")), List.of(), null)))
    } else if (table == TestShifts) alter(_.addColumn(path, null, "more string"))
    dataset.commit(table.rows(seed, 1, 400))
    if (table == TestRecords) {
      val some = session.read.parquet(dataset.root.toString).where("signal IN ('SIG3', 'SIG4')")
      stock(some.withColumn("quality", lit(7)).write.mode(SaveMode.Append).partitionBy("day").parquet(dataset.root.toString))
    }
    dataset
  }

  /** Files that came without a commit are read besides the groups. */
  override protected def isReadAlone(dataset: QueriedDataset): Boolean = dataset.table != TestRecords

  override protected def close(): Unit = clusters.foreach(_.shutdown(true))
}
