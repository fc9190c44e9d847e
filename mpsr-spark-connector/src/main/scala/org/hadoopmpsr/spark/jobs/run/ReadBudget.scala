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
package org.hadoopmpsr.spark.jobs.run

import java.util.concurrent.TimeUnit

import org.apache.spark.{TaskContext, TaskKilledException}
import org.hadoopmpsr.core.alloc.Throttle

/** What a task may still read: so many bytes in a second, and nothing once it is ended. For one thread. */
private[jobs] trait ReadBudget {

  /** Waits until so many bytes, which were read, are within the limit. */
  def read(bytes: Long): Unit
}

private[jobs] object ReadBudget {

  /**
   * The budget of a task.
   *
   * @param bytesPerSecond 0 for no limit
   */
  def ofTask(context: TaskContext, bytesPerSecond: Long): ReadBudget = new ReadBudget {
    private val throttle = new Throttle(bytesPerSecond, System.nanoTime())

    override def read(bytes: Long): Unit = {
      throttle.begin(bytes, System.nanoTime())
      check()
      while (!throttle.isOpen(System.nanoTime())) {
        TimeUnit.MILLISECONDS.sleep(PauseMs)
        check()
      }
    }

    private def check(): Unit = if (context.isInterrupted()) {
      throw new TaskKilledException("the task was ended")
    }
  }

  private val PauseMs = 20L
}
