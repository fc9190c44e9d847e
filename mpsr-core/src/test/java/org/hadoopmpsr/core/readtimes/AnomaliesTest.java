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
import static org.hadoopmpsr.core.readtimes.GeneratedReads.BEGIN_MS;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.CACHED;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.DISK;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.THROTTLED;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnomaliesTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final long[] SIZES = {64 << 10, 256 << 10, 1 << 20};

    /** Reads of nine hosts with two disks each for two minutes, half of them cached. */
    private static GeneratedReads run(long seed, Slow slow) {
        GeneratedReads generated = new GeneratedReads(seed, 0.3);
        for (int i = 0; i < 6_000; i++) {
            String host = "dn" + generated.random().nextInt(9);
            String disk = "disk" + generated.random().nextInt(2);
            long at = BEGIN_MS + i * 20L;
            boolean cached = generated.random().nextBoolean();
            LinearTime time = slow.is(host, disk, at) ? THROTTLED : cached ? CACHED : DISK;
            generated.add(0, time, host, disk, "", at, SIZES[generated.random().nextInt(3)]);
        }
        return generated;
    }

    private interface Slow {
        boolean is(String host, String disk, long atMs);
    }

    @Test
    void aNodeThatIsThrottledInTheMiddleIsNamedWithItsTime() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            List<Anomaly> found =
                    Anomalies.of(run(seed, (host, disk, at) -> host.equals("dn3") && at >= BEGIN_MS + 60_000).reads);
            assertThat(found).as(what).hasSize(1);
            Anomaly node = found.get(0);
            assertThat(node.host()).isEqualTo("dn3");
            assertThat(node.disk()).isEmpty();
            assertThat((double) node.fromMs()).as(what).isCloseTo(BEGIN_MS + 60_000, within(20_000.0));
            assertThat((double) node.toMs()).as(what).isCloseTo(BEGIN_MS + 120_000, within(20_000.0));
            assertThat(node.factor()).as(what).isGreaterThan(10);
            assertThat(node.sure()).as(what).isBetween(0.99, 1.0);
        }
    }

    @Test
    void aSlowDiskIsNamedAndNotItsHost() {
        List<Anomaly> found =
                Anomalies.of(run(SEED, (host, disk, at) -> host.equals("dn3") && disk.equals("disk1")).reads);
        assertThat(found).as("-Dmpsr.seed=" + SEED).isNotEmpty().allSatisfy(a -> {
            assertThat(a.host()).isEqualTo("dn3");
            assertThat(a.disk()).isEqualTo("disk1");
        });
    }

    @Test
    void aTimeInWhichAllAreSlowIsNamedOnce() {
        List<Anomaly> found =
                Anomalies.of(run(SEED, (host, disk, at) -> at >= BEGIN_MS + 40_000 && at < BEGIN_MS + 60_000).reads);
        assertThat(found).as("-Dmpsr.seed=" + SEED).hasSize(1);
        assertThat(found.get(0).host()).isEmpty();
        assertThat((double) found.get(0).fromMs()).isCloseTo(BEGIN_MS + 40_000, within(10_000.0));
    }

    @Test
    void nothingIsNamedWhereAllAreAlike() {
        int named = 0;
        for (long seed = SEED; seed < SEED + 20; seed++) {
            named += Anomalies.of(run(seed, (host, disk, at) -> false).reads).isEmpty() ? 0 : 1;
        }
        assertThat(named).as("of 20 runs from -Dmpsr.seed=" + SEED).isLessThanOrEqualTo(1);
    }

    @Test
    void withoutTimesAndDisksTheHostIsNamed() {
        GeneratedReads generated = new GeneratedReads(SEED, 0.3);
        for (int i = 0; i < 600; i++) {
            String host = "dn" + i % 6;
            generated.add(0, host.equals("dn5") ? THROTTLED : DISK, host, "", "", 0, 256 << 10);
        }
        assertThat(Anomalies.of(generated.reads)).singleElement().satisfies(a -> {
            assertThat(a.host()).isEqualTo("dn5");
            assertThat(a.fromMs()).isZero();
            assertThat(a.reads()).isEqualTo(100);
            assertThat(a.factor()).isCloseTo(10, within(1.0));
        });
    }

    @Test
    void hostsThatAreReadOneAfterTheOtherAreComparedAllTheSame() {
        GeneratedReads generated = new GeneratedReads(SEED, 0.3);
        for (int i = 0; i < 600; i++) {
            String host = "dn" + (1 + i / 200);
            boolean slow = host.equals("dn3");
            generated.add(0, slow ? THROTTLED : DISK, host, "", host, BEGIN_MS + i * 100L, SIZES[i % 3]);
        }
        assertThat(Anomalies.of(generated.reads))
                .as("-Dmpsr.seed=" + SEED)
                .singleElement()
                .satisfies(a -> {
                    assertThat(a.host()).isEqualTo("dn3");
                    assertThat(a.fromMs()).isZero();
                });
    }

    @Test
    void aHostIsNotSlowBecauseItIsReadFromAnother() {
        GeneratedReads generated = new GeneratedReads(SEED, 0.3);
        for (int i = 0; i < 600; i++) {
            boolean remote = i % 2 == 0;
            LinearTime time = remote ? DISK.times(2) : DISK;
            generated.add(0, time, remote ? "dn2" : "dn1", "", "dn1", BEGIN_MS + i * 100L, SIZES[i % 3]);
        }
        assertThat(Anomalies.of(generated.reads)).as("-Dmpsr.seed=" + SEED).isEmpty();
    }

    @Test
    void theTailOfTheNormalDistributionIsRight() {
        assertThat(RankSum.upperTail(0)).isCloseTo(0.5, within(1e-7));
        assertThat(RankSum.upperTail(1.959964)).isCloseTo(0.025, within(1e-7));
        assertThat(RankSum.upperTail(-1.959964)).isCloseTo(0.975, within(1e-7));
        assertThat(RankSum.upperTail(6)).isCloseTo(9.865876e-10, within(1e-15));
    }
}
