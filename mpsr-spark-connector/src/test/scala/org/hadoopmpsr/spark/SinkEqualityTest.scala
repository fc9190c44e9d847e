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

import org.apache.hadoop.hdfs.MiniDFSCluster

/** Over files that the sink's code has written and committed in HDFS, with plans of NameNodes. */
class SinkEqualityTest extends EqualitySuite(queriesByDefault = 60, queriesForAllGroups = 60) {
  import SparkFixture.seed

  private var clusters: Seq[MiniDFSCluster] = Nil

  override protected def open(): Seq[QueriedDataset] = Seq(TestRecords, TestEvents, TestShifts, TestTypes).map { table =>
    val cluster = TestClusters.of(table.groups)
    clusters :+= cluster
    val dataset = new SinkDataset(cluster, s"/cals/${table.name}", table)
    dataset.commit(rows(table))
    dataset.commit(table.rows(seed, 1, 400))
    dataset
  }

  override protected def close(): Unit = clusters.foreach(_.shutdown(true))
}
