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
package org.hadoopmpsr.spark.jobs.survey

import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.{AtomicLong, AtomicReference}

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobEnd, SparkListenerJobStart, SparkListenerTaskEnd}

/** Measures how long tasks of a Spark application work. For one thread. */
private[survey] object TaskTime {

  /** The name of a job's property. */
  private val Last = "mpsr.task.time.last"

  /**
   * Does some work with Spark.
   *
   * @return the result, and the milliseconds that all tasks of the application took together meanwhile
   */
  def of[T](context: SparkContext)(work: => T): (T, Long) = {
    val listener = new Listener
    context.addSparkListener(listener)
    try {
      val result = work
      awaitEvents(context, listener)
      (result, listener.busyMs.get)
    } finally context.removeSparkListener(listener)
  }

  /** Listeners are told in order: who hears of the end of a last job has heard of all tasks before it. */
  private def awaitEvents(context: SparkContext, listener: Listener): Unit = {
    val before = context.getLocalProperty(Last)
    context.setLocalProperty(Last, listener.id)
    try context.parallelize(Seq(0), 1).count()
    finally context.setLocalProperty(Last, before)
    listener.ended.await()
  }

  private final class Listener extends SparkListener {
    val id: String = java.util.UUID.randomUUID.toString
    val busyMs = new AtomicLong
    val ended = new CountDownLatch(1)
    private val last = new AtomicReference[Option[Int]](None)

    override def onJobStart(event: SparkListenerJobStart): Unit =
      if (event.properties != null && event.properties.getProperty(Last) == id) last.set(Some(event.jobId))

    override def onJobEnd(event: SparkListenerJobEnd): Unit = if (last.get.contains(event.jobId)) ended.countDown()

    override def onTaskEnd(event: SparkListenerTaskEnd): Unit =
      if (event.taskMetrics != null) busyMs.addAndGet(event.taskMetrics.executorRunTime)
  }
}
