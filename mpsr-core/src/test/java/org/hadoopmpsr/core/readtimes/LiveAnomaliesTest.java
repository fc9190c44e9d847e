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
package org.hadoopmpsr.core.readtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LiveAnomaliesTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261129);
    private static final long BEGIN_MS = 1_780_000_000_000L;
    private static final long BLOCK = 32 << 20;

    /** When what was named first. */
    private record Named(String host, long afterMs) {}

    /** Three hosts whose counters change every ten seconds; one is ten times as slow for a while. */
    private static List<Named> watched(long seed, int seconds, long slowFromMs, long slowToMs, LiveAnomalies watch) {
        Random random = new Random(seed);
        List<Named> named = new ArrayList<>();
        for (long at = 10_000; at <= seconds * 1_000L; at += 10_000) {
            List<ReadTime> latest = new ArrayList<>();
            for (int host = 1; host <= 3; host++) {
                double slow = host == 3 && at > slowFromMs && at <= slowToMs ? 10 : 1;
                long nanos = (long) (400e6 * slow * Math.exp(0.3 * random.nextGaussian()));
                latest.add(new ReadTime("dn" + host, "", "", BLOCK, nanos, BEGIN_MS + at));
            }
            long now = at;
            watch.look(latest).forEach(its -> named.add(new Named(its.host(), now)));
            assertThat(watch.look(List.of())).isEmpty();
        }
        return named;
    }

    @Test
    void aThrottledHostIsNamedWithinAMinuteAndNoOther() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            LiveAnomalies watch = new LiveAnomalies();
            List<Named> named = watched(seed, 180, 60_000, 180_000, watch);
            assertThat(named).as(what).extracting(Named::host).containsExactly("dn3");
            assertThat(named.get(0).afterMs() - 60_000).as(what).isLessThanOrEqualTo(50_000);
            Anomaly node = watch.all().get(0);
            assertThat(node.factor()).as(what).isGreaterThan(3);
            assertThat(node.sure()).as(what).isBetween(0.99, 1.0);
            assertThat((double) node.toMs()).isCloseTo(BEGIN_MS + 180_000.0, within(1.0));
        }
    }

    @Test
    void aHostThatHasRecoveredIsStillTold() {
        LiveAnomalies watch = new LiveAnomalies();
        assertThat(watched(SEED, 300, 60_000, 120_000, watch)).isNotEmpty();
        assertThat(watch.all()).isNotEmpty().allSatisfy(its -> {
            assertThat(its.host()).isEqualTo("dn3");
            assertThat(its.toMs()).isLessThan(BEGIN_MS + 200_000);
        });
    }

    @Test
    void nothingIsNamedWhereAllAreAlike() {
        int named = 0;
        for (long seed = SEED; seed < SEED + 20; seed++) {
            named += watched(seed, 600, 0, 0, new LiveAnomalies()).isEmpty() ? 0 : 1;
        }
        assertThat(named).as("of 20 runs from -Dmpsr.seed=" + SEED).isLessThanOrEqualTo(1);
    }

    @Test
    void theTailOfStudentsDistributionIsRight() {
        assertThat(StudentT.upperTail(0, 5)).isCloseTo(0.5, within(1e-9));
        assertThat(StudentT.upperTail(2.228139, 10)).isCloseTo(0.025, within(1e-6));
        assertThat(StudentT.upperTail(-2.228139, 10)).isCloseTo(0.975, within(1e-6));
        assertThat(StudentT.upperTail(4.540703, 3)).isCloseTo(0.01, within(1e-6));
        assertThat(StudentT.upperTail(1, 1)).isCloseTo(0.25, within(1e-9));
    }
}
