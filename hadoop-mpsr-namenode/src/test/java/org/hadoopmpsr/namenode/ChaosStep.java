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
package org.hadoopmpsr.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Something that happens to the cluster.
 *
 * @param weight how often it is chosen
 */
record ChaosStep(String name, int weight, Action action) {

    /** What is done. */
    interface Action {
        /** Returns false, with nothing done, where it cannot happen now. */
        boolean run() throws Exception;
    }

    /** All that can happen. */
    static List<ChaosStep> all(Chaos chaos) {
        List<ChaosStep> steps = new ArrayList<>();
        steps.addAll(new ChaosCommits(chaos).steps());
        steps.addAll(new ChaosFences(chaos).steps());
        steps.addAll(new ChaosRewrites(chaos).steps());
        steps.addAll(new ChaosRebuilds(chaos).steps());
        steps.addAll(new ChaosFiles(chaos).steps());
        steps.addAll(new ChaosDirectories(chaos).steps());
        steps.addAll(new ChaosNodes(chaos).steps());
        steps.addAll(new ChaosNameNodes(chaos).steps());
        steps.addAll(new ChaosRebalance(chaos).steps());
        return steps;
    }

    /** One of them, by weight. */
    static ChaosStep any(List<ChaosStep> steps, Random random) {
        int left = random.nextInt(steps.stream().mapToInt(ChaosStep::weight).sum());
        for (ChaosStep step : steps) {
            left -= step.weight();
            if (left < 0) {
                return step;
            }
        }
        throw new IllegalStateException("no step has a weight");
    }
}
