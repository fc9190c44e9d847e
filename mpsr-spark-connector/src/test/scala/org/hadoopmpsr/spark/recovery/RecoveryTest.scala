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
package org.hadoopmpsr.spark.recovery

import org.junit.jupiter.api.{Tag, Test}

/**
 * A cluster loses nodes, racks, blocks, files and room, while records are committed, merged and rebuilt: no answer changes, and what is
 * lost is rebuilt.
 */
class RecoveryTest extends SeededSteps(seedsByDefault = 1) {

  override protected def steps(
      recovery: Recovery,
      faults: RecoveryFaults,
      work: RecoveryWork,
      check: RecoveryCheck): Seq[RecoveryStep] = faults.steps ++ work.steps ++ faults.stepsUnder(check)

  @Test
  @Tag("long")
  def whatIsLostIsRebuiltAndNoAnswerChanges(): Unit = runSeeds()
}
