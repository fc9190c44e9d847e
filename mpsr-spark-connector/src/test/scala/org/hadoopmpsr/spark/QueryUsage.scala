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

import org.apache.hadoop.fs.FileSystem
import org.apache.spark.sql.{classic, DataFrame}

/** What running a query takes: bytes that the local file system delivers, and milliseconds on the clock, without planning. */
private[spark] final case class QueryUsage(bytes: Long, ms: Double)

private[spark] object QueryUsage {

  def of(frame: => DataFrame): QueryUsage = {
    def bytes = FileSystem.getGlobalStorageStatistics.get("file").getLong("bytesRead").longValue
    val planned = frame.asInstanceOf[classic.DataFrame].queryExecution
    planned.executedPlan
    val before = bytes
    val start = System.nanoTime()
    planned.toRdd.foreachPartition((rows: Iterator[_]) => rows.foreach(_ => ()))
    QueryUsage(bytes - before, (System.nanoTime() - start) / 1e6)
  }

  /** Turns before those that count: the first ones take up to twice as long, until the code is compiled. */
  private val WarmTurns = 4
  private val Turns = 8

  /** Of each the least of eight runs. All take turns, each time in another order. */
  def least[K](each: Seq[K], seed: Long)(run: K => QueryUsage): Map[K, QueryUsage] = {
    val random = new Random(seed)
    def turn() = random.shuffle(each).map(k => k -> run(k))
    Seq.fill(WarmTurns)(turn())
    Seq.fill(Turns)(turn().toMap).reduce(less[K])
  }

  /** Of each the run that took less time; both have the same keys. */
  private def less[K](some: Map[K, QueryUsage], others: Map[K, QueryUsage]): Map[K, QueryUsage] =
    some.map { case (k, a) => k -> Seq(a, others(k)).minBy(_.ms) }
}
