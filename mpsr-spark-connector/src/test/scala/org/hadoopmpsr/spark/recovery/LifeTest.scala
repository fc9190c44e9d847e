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

import org.junit.jupiter.api.Test

/**
 * All that an administrator does to a dataset, and what ordinary writers do: records come, are merged, deleted and expired, groups are
 * altered, states are tagged, read and brought back, while nodes are lost and NameNodes fail over. Each state is that of a model.
 */
class LifeTest extends SeededSteps(seedsByDefault = 1) {

  override protected def steps(
      recovery: Recovery,
      faults: RecoveryFaults,
      work: RecoveryWork,
      check: RecoveryCheck): Seq[RecoveryStep] = {
    val life = new LifeWork(recovery, work, check)
    work.writes ++ life.steps ++ faults.nodes ++ faults.nameNodes
  }

  @Test
  def allThatHappensToADatasetIsSeenByEachReader(): Unit = runSeeds()
}
