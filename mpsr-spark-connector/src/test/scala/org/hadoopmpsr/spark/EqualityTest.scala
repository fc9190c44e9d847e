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

import scala.util.Random

import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.hadoopmpsr.spark.versions.Scala213._
import org.junit.jupiter.api.{AfterAll, BeforeAll}

/**
 * Over local files that Spark has written, with plans of the test. During every second query, groups cannot serve some
 * segments, and each segment can be served by one group at least.
 */
class EqualityTest extends EqualitySuite(queriesByDefault = 30, queriesForAllGroups = 150) {
  private var damages = 0
  private var unionsBefore = 0L

  override protected def open(): Seq[QueriedDataset] = SparkFixture.datasets

  override protected def damaged[T](dataset: QueriedDataset, random: Random)(body: => T): T = dataset match {
    case dataset: TestDataset if random.nextBoolean() =>
      val groups = dataset.table.groups.names.toArray(Array.empty[String])
      val lost = for {
        segment <- dataset.segmentIds
        kept = groups(random.nextInt(groups.length))
        group <- groups
        if group != kept && random.nextInt(3) == 0
      } yield group -> segment
      damages += 1
      SparkFixture.source.without(dataset, lost.groupMap(_._1)(_._2).view.mapValues(_.toSet).toMap)(body)
    case _ => body
  }

  @BeforeAll
  def countUnions(): Unit = unionsBefore = DecisionMetrics.sum("unions")

  @AfterAll
  def checkUnions(): Unit =
    if (damages > 40) assertThat(DecisionMetrics.sum("unions") - unionsBefore).isGreaterThan(damages / 20L)
}
