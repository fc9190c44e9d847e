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
package org.hadoopmpsr.spark.jobs.query

import java.io.File

import org.apache.hadoop.conf.Configuration
import org.apache.spark.SparkConf
import org.apache.spark.network.util.JavaUtils
import org.hadoopmpsr.core.config.{ConfigKey, ConfigKeys}
import org.hadoopmpsr.core.place.{Place, PlaceState}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What is known of the places where a query may read, from Spark's settings and the costs that `hdfs mpsr calibrate` measures.
 *
 * @param conf of Spark, as the query was started with it
 */
private[jobs] final class PlaceStates(conf: SparkConf) {
  import PlaceStates._

  private val master = conf.get("spark.master", "local[*]")

  /** Whether executors are other processes than that of the query, so that there are two places. */
  def areTwo: Boolean =
    !(master == "local" || master.startsWith("local[")) && conf.get("spark.submit.deployMode", "client") == "client"

  private def cost(hadoop: Configuration, key: ConfigKey): Double = hadoop.getDouble(key.name, key.defaultValue.toDouble)

  /** The jars that go from this process to executors: to each, or on YARN to HDFS. */
  private def shippedBytes: Double =
    conf.get("spark.jars", "").split(",").map(_.trim.stripPrefix("file:")).filter(_.nonEmpty).map(new File(_).length.toDouble).sum

  /** The executors of Spark's master, which does not run yet. */
  def storage(hadoop: Configuration): PlaceState = {
    val instances = Seq("spark.executor.instances", "spark.dynamicAllocation.maxExecutors")
      .flatMap(key => conf.getOption(key).toSeq)
      .flatMap(_.trim.toIntOption.toSeq)
      .find(_ > 0)
      .getOrElse(UsualExecutors)
    val start = conf.getDouble(StartSeconds, Starts.collectFirst { case (prefix, seconds) if master.startsWith(prefix) => seconds }.getOrElse(UsualStart))
    val copies = if (master.startsWith("yarn")) 1 else instances
    val network = cost(hadoop, ConfigKeys.COST_NETWORK_RATE) * Mega
    new PlaceState(
      Place.STORAGE,
      start + copies * shippedBytes / network,
      instances * cost(hadoop, ConfigKeys.COST_DISK_RATE) * Mega,
      cost(hadoop, ConfigKeys.COST_OPEN) / 1000,
      instances * Math.max(1, conf.getInt("spark.executor.cores", 1)),
      network,
      instances.toLong * JavaUtils.byteStringAsBytes(conf.get("spark.executor.memory", "1g")))
  }

  /** This process. */
  def reader(hadoop: Configuration): PlaceState = {
    val runtime = Runtime.getRuntime
    new PlaceState(
      Place.READER,
      0,
      cost(hadoop, ConfigKeys.COST_NETWORK_RATE) * Mega,
      (cost(hadoop, ConfigKeys.COST_OPEN) + cost(hadoop, ConfigKeys.COST_NETWORK_PREPARE)) / 1000,
      runtime.availableProcessors,
      Double.PositiveInfinity,
      runtime.maxMemory)
  }
}

private[jobs] object PlaceStates {
  /** How long it takes until executors run, in seconds. */
  val StartSeconds = "spark.mpsr.place.start.seconds"

  private val Mega = 1e6
  private val UsualExecutors = 2
  private val Starts = Seq("yarn" -> 12.0, "k8s" -> 15.0, "spark:" -> 4.0)
  private val UsualStart = 10.0
}
