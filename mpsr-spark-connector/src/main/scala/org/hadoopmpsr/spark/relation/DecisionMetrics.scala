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

import com.codahale.metrics.{Gauge, MetricRegistry}
import org.apache.spark.sql.mpsr.MetricsRegistration
import org.apache.spark.util.LongAccumulator

/**
 * Counters of the decisions in this process. They are Spark's metrics source `mpsr`:
 *
 *  - `plans`: all decisions, of which each is one of `redirected.<group>`, `default`, `unions` and `stock.<counter of the cause>`
 *  - `answered`: aggregates that read no data
 *  - `kept`: files of reductions that were not read, because their answers were kept
 *  - `approximate`: reads that give some column not exactly, within limits that the query states
 *  - `schemas`: reads that were given the columns of a lost footer
 *  - `unavailable`: reads of which nothing told whether they are of a dataset
 *  - `gone`: tasks that failed because a planned file could no longer be read
 *  - `degraded`: parts of planned files that tasks read from another group, because the file could not be read
 *  - `failures`: queries whose planning failed
 *  - `writes`: writes to datasets, of which each is one of `writes.groups` (to all groups in one commit), `writes.repeated` (a batch that
 *    was there already) and `writes.ordinary`
 */
private[spark] object DecisionMetrics {
  private val registry = new MetricRegistry
  @volatile private var degraded: Option[LongAccumulator] = None

  registry.gauge("degraded", () => (() => degraded.fold(0L)(_.sum)): Gauge[Long])

  /** Adds the counters to the metrics system of the running application. A second call has no effect. */
  def register(): Unit = MetricsRegistration.register("mpsr", registry)

  def count(decision: Decision): Unit = {
    registry.counter("plans").inc()
    registry.counter(decision match {
      case Decision.Group(plan, _) => s"redirected.${plan.group}"
      case Decision.DefaultGroup(_, _) => "default"
      case Decision.Union(_, _) => "unions"
      case Decision.Stock(reason) => s"stock.${reason.cause.counter}"
    }).inc()
  }

  def countApproximate(): Unit = registry.counter("approximate").inc()

  def countKept(files: Int): Unit = registry.counter("kept").inc(files.toLong)

  def countAnswer(): Unit = registry.counter("answered").inc()

  /** @param counter counts the parts of files of the running application */
  def showDegraded(counter: LongAccumulator): Unit = degraded = Some(counter)

  def countFailure(): Unit = registry.counter("failures").inc()

  def countUnavailable(): Unit = registry.counter("unavailable").inc()

  def countGone(): Unit = registry.counter("gone").inc()

  /** @param decision what a stream does with files that a rewrite has made or replaced */
  def countStreamed(decision: String): Unit = registry.counter(s"streamed.$decision").inc()

  /** @param how a write to a dataset goes */
  def countWrite(how: String): Unit = registry.counter(s"writes.$how").inc()

  def countSchema(): Unit = registry.counter("schemas").inc()

  /** The sum of the counter with this name and of those whose names go on with a dot. */
  def sum(name: String): Long = {
    var sum = 0L
    registry.getCounters.forEach((key, counter) => if (key == name || key.startsWith(name + ".")) sum += counter.getCount)
    sum
  }
}
