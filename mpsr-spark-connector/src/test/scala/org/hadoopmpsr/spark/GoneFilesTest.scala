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

import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.SparkException
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.junit.jupiter.api.{Tag, Test}

/** Files that are deleted between plan and read. */
@Tag("long")
class GoneFilesTest {
  import SparkFixture._

  @Test
  def whatIsDroppedAtOnceFailsWithACounterAndIsReadAnewByTheNextQuery(): Unit =
    Using.resource(TestCluster.withDataset()) { cluster =>
      def read = session.read.parquet(cluster.url).where("signal = 'SIG3'")
      val expected = stock(rows(read))
      val planned = read
      assertThat(explain(planned)).contains("parquet[mpsr signal: ")
      val before = DecisionMetrics.sum("gone")
      Using.resource(MpsrClient.create(new Configuration(cluster.dfs.getConfiguration(0)), cluster.dfs.getURI)) { client =>
        val id = client.getDataset("/cals/meas").id
        client.dropDataset("/cals/meas", true)
        // Spark's relocated Jetty lacks what these take of the web server; all else runs
        assertThat(client.status().getWarningList.asScala.map(_.takeWhile(_ != ',')).asJava)
          .contains("MPSR works without the check of WebHDFS calls", "MPSR works without the page in the web UI")
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() =>
          assertThat(cluster.dfs.getFileSystem.exists(new Path(s"/.mpsr/datasets/$id"))).isFalse())
      }
      assertThatThrownBy(() => planned.collect()).isInstanceOf(classOf[SparkException])
      await().untilAsserted(() => assertThat(DecisionMetrics.sum("gone")).isGreaterThan(before))
      assertThat(rows(read)).isEqualTo(expected)
    }
}
