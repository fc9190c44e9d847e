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
package org.apache.spark.sql.mpsr

import com.codahale.metrics.MetricRegistry
import org.apache.spark.SparkEnv
import org.apache.spark.metrics.source.Source

/** Adds counters to Spark's metrics system, which only Spark's own packages may. */
object MetricsRegistration {
  private var registeredIn: Option[SparkEnv] = None

  /** Registers the source once for each application in this process. Safe for use by several threads. */
  def register(name: String, registry: MetricRegistry): Unit = synchronized {
    val env = Option(SparkEnv.get)
    if (env.isDefined && env != registeredIn) {
      env.get.metricsSystem.registerSource(new NamedSource(name, registry))
      registeredIn = env
    }
  }

  private final class NamedSource(override val sourceName: String, override val metricRegistry: MetricRegistry)
      extends Source
}
