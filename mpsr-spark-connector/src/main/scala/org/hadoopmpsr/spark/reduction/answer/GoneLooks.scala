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
package org.hadoopmpsr.spark.reduction.answer

import java.util.concurrent.{ConcurrentHashMap, LinkedBlockingQueue, ThreadPoolExecutor, TimeoutException, TimeUnit}

import scala.util.control.NonFatal

import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * Looks for answers whose files are gone, beside the queries: no query waits for one. One look at a time, in a thread that ends when
 * there is nothing to do and does not keep the process. Safe for use by several threads.
 */
private[spark] object GoneLooks extends PrintableLogging {

  /** No look is begun sooner after the last one. */
  private[answer] val BetweenMs: Long = TimeUnit.MINUTES.toMillis(1)

  private val begun = new ConcurrentHashMap[String, java.lang.Long]

  private[answer] val thread = {
    val pool = new ThreadPoolExecutor(
      1,
      1,
      1,
      TimeUnit.SECONDS,
      new LinkedBlockingQueue[Runnable],
      (look: Runnable) => {
        val thread = new Thread(look, "mpsr answers of files that are gone")
        thread.setDaemon(true)
        thread
      })
    pool.allowCoreThreadTimeOut(true)
    pool
  }

  /** Looks soon, unless this process has looked for the same less than a minute ago. A look that fails drops nothing more. */
  private[answer] def soon(what: String)(look: => Unit): Unit =
    if (isDue(what)) thread.execute { () =>
      try look
      catch { case NonFatal(e) => logInfo(s"Answers of files that are gone are not looked for: $e") }
    }

  private def isDue(what: String): Boolean = {
    val now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime())
    var due = false
    begun.compute(
      what,
      (_: String, last: java.lang.Long) => {
        due = last == null || now - last >= BetweenMs
        if (due) java.lang.Long.valueOf(now) else last
      })
    due
  }

  /**
   * Waits until the looks that were asked for have ended: for a process that ends after its query.
   *
   * @param mostMs that it waits
   */
  def finish(mostMs: Long): Unit =
    try thread.submit((() => ()): Runnable).get(mostMs, TimeUnit.MILLISECONDS)
    catch { case _: TimeoutException => logInfo("Answers of files that are gone are looked for with the next query") }

  /** As if nothing had been looked for, for tests. */
  private[answer] def forget(): Unit = begun.clear()
}
