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

import org.apache.hadoop.hdfs.MiniDFSCluster
import org.hadoopmpsr.spark.{EqualitySuite, QueriedDataset, SinkDataset, TestClusters}
import org.junit.jupiter.api.Tag

/** Over groups that hold numbers in planes, as decimals, with companions, and sorted by their bits. */
@Tag("long")
class TransformsEqualityTest extends EqualitySuite(queriesByDefault = 60, queriesForAllGroups = Int.MaxValue) {
  import org.hadoopmpsr.spark.SparkFixture.seed

  private var cluster: Option[MiniDFSCluster] = None

  override protected def open(): Seq[QueriedDataset] = {
    val started = TestClusters.of(TestTransforms.groups)
    cluster = Some(started)
    val dataset = new SinkDataset(started, "/cals/transformsequality", TestTransforms)
    dataset.commit(rows(TestTransforms))
    dataset.commit(TestTransforms.rows(seed, 1, 300))
    Seq(dataset)
  }

  override protected def close(): Unit = cluster.foreach(_.shutdown(true))
}
