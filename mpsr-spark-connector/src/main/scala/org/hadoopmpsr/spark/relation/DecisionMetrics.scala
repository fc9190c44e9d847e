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

import com.codahale.metrics.MetricRegistry
import org.apache.spark.sql.mpsr.MetricsRegistration

/**
 * Counts decisions, for this process: `plans`, `redirected.<group>`, `default`, `stock.<kind of reason>`, `failures`,
 * `unavailable`: reads of which it could not be learned whether they are of a dataset, `schemas`: those that were told
 * their columns, `answered`: aggregates that no data was read for, and `gone`: tasks that failed because a planned file
 * could not be read any more. The counters are Spark's metrics source `mpsr`.
 */
private[spark] object DecisionMetrics {
  private val registry = new MetricRegistry

  /** Makes the counters known to the running application's metrics system; again without effect. */
  def register(): Unit = MetricsRegistration.register("mpsr", registry)

  def count(decision: Decision): Unit = {
    registry.counter("plans").inc()
    registry.counter(decision match {
      case Decision.Group(plan, _) => s"redirected.${plan.group}"
      case Decision.DefaultGroup(_, _) => "default"
      case Decision.Stock(reason) => s"stock.${reason.cause.counter}"
    }).inc()
  }

  def countAnswer(): Unit = registry.counter("answered").inc()

  def countFailure(): Unit = registry.counter("failures").inc()

  def countUnavailable(): Unit = registry.counter("unavailable").inc()

  def countGone(): Unit = registry.counter("gone").inc()

  def countSchema(): Unit = registry.counter("schemas").inc()

  /** The sum of the counters of that name or with that prefix and a dot. */
  def sum(name: String): Long = {
    var sum = 0L
    registry.getCounters.forEach((key, counter) => if (key == name || key.startsWith(name + ".")) sum += counter.getCount)
    sum
  }
}
