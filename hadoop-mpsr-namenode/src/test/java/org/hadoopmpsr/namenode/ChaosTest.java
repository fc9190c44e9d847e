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

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Many things happen to a cluster, in an order that a seed chooses, and after each of them all is as it should be.
 * {@code -Dmpsr.seed=N} replays one seed, {@code -Dmpsr.seeds=N} runs so many from there.
 */
class ChaosTest {
    private static final int STEPS = 7;
    private static final int SEEDS = 3;
    /** After a failure the cluster is started anew, to see whether other seeds fail too. */
    private static final int MAX_FAILURES = 5;
    /** Then the cluster is started anew, for NameNodes that have ended are not all garbage before it is closed. */
    private static final int SEEDS_PER_CLUSTER = 15;

    @Test
    void theInvariantsHoldAfterEveryStep() throws Exception {
        Long first = Long.getLong("mpsr.seed");
        long from = first == null ? 0 : first;
        long to = from + Integer.getInteger("mpsr.seeds", first == null ? SEEDS : 1);
        List<AssertionError> failures = new ArrayList<>();
        for (long seed = from; seed < to && failures.size() < MAX_FAILURES; ) {
            try (Chaos chaos = Chaos.start()) {
                boolean sound = true;
                long last = Math.min(to, seed + SEEDS_PER_CLUSTER);
                for (; seed < last && sound; seed++) {
                    sound = run(chaos, seed, failures);
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    private static boolean run(Chaos chaos, long seed, List<AssertionError> failures) {
        long start = System.nanoTime();
        try {
            run(chaos, seed);
            System.out.printf(
                    "seed %d passed in %d ms%n", seed, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            return true;
        } catch (Exception | AssertionError e) {
            failures.add(new AssertionError(
                    "seed " + seed + " (replay with -Dmpsr.seed=" + seed + ") failed after\n  "
                            + String.join("\n  ", chaos.log()) + "\n" + e,
                    e));
            failures.get(failures.size() - 1).printStackTrace(System.out);
            return false;
        }
    }

    private static void run(Chaos chaos, long seed) throws Exception {
        chaos.begin(seed);
        List<ChaosStep> steps = ChaosStep.all(chaos);
        ChaosCheck check = new ChaosCheck(chaos);
        try (ChaosReader reader = new ChaosReader(chaos.observing(), chaos.datasets(), seed)) {
            new ChaosCommits(chaos).create();
            for (int done = 0; done < STEPS; ) {
                if (ChaosStep.any(steps, chaos.random()).action().run()) {
                    check.settled();
                    assertThat(reader.wrong()).isEmpty();
                    done++;
                }
            }
            if (!chaos.datasets().isEmpty()) {
                await().atMost(Chaos.LONG).until(() -> reader.plans() > 0);
            }
            chaos.reset();
        }
    }
}
