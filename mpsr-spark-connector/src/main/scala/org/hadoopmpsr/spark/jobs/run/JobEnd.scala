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

import org.hadoopmpsr.core.text.PrintableText

/** How the program of a job ends that cannot do what it is asked: a message for the user on standard error, and the exit code. */
private[jobs] object JobEnd {

  /** The arguments make no sense. */
  def wrong(problem: String, usage: String): Nothing = {
    say(s"$problem\n$usage")
    sys.exit(2)
  }

  def failed(problem: String): Nothing = {
    say(problem)
    sys.exit(1)
  }

  /** Prints a message, and goes on. */
  def say(message: String): Unit = System.err.println(PrintableText.ofMessage(s"mpsr: $message"))
}
