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
package org.hadoopmpsr.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WriteMonitorTest {
    private static final long MS = 1_000_000;

    private final WriteMonitor monitor = new WriteMonitor();

    /** 10 MB of pages became a file; 20 ms of opening and closing are not counted. */
    private void file(long bytes, long elapsedMs, long waitedMs) {
        monitor.pages(10_000_000, 30 * MS);
        monitor.file(bytes, elapsedMs * MS, waitedMs * MS, 80 * MS);
    }

    private double mbPerSecond() {
        return 1_000 / monitor.rates().orElseThrow().transferNs();
    }

    @Test
    void thereAreNoRatesBeforeTheFirstFile() {
        assertThat(monitor.rates()).isEmpty();
        monitor.pages(1, 1);
        assertThat(monitor.rates()).isEmpty();
    }

    @Test
    void aThreadThatWaitsTellsTheBandwidth() {
        for (int i = 0; i < 20; i++) {
            file(4_000_000, 420, 320);
        }
        assertThat(mbPerSecond()).isEqualTo(10, within(0.01));
        WriteRates rates = monitor.rates().orElseThrow();
        assertThat(rates.cpuShare())
                .as("80 ms of the 100 ms that it did not wait")
                .isEqualTo(0.8, within(1e-9));
        assertThat(rates.encodeNs()).as("50 ms for 10 MB").isEqualTo(5, within(1e-9));
    }

    @Test
    void aThreadThatDoesNotWaitTriesOutMore() {
        file(4_000_000, 100, 5);
        double first = mbPerSecond();
        assertThat(first).isGreaterThan(40);
        for (int i = 0; i < 10; i++) {
            file(4_000_000, 100, 5);
        }
        assertThat(mbPerSecond()).isGreaterThan(first * 4);
    }

    @Test
    void afterAWaitStepsAreSmall() {
        file(4_000_000, 420, 320);
        double first = mbPerSecond();
        for (int i = 0; i < 10; i++) {
            file(400_000, 100, 20);
        }
        assertThat(mbPerSecond()).isBetween(first * 1.1, first * 1.3);
    }

    @Test
    void stepsThatWereInVainBecomeSmaller() {
        file(4_000_000, 420, 320);
        double first = growth();
        file(4_000_000, 420, 320);
        double second = growth();
        assertThat(second - 1).isBetween((first - 1) * 0.4, (first - 1) * 0.6);
        file(4_000_000, 100, 60); // four times as fast
        assertThat(growth()).isCloseTo(first, within(1e-9));
    }

    /** How much more the bandwidth is taken to be after some files that do not wait. */
    private double growth() {
        double before = mbPerSecond();
        for (int i = 0; i < 10; i++) {
            file(400_000, 100, 20);
        }
        return mbPerSecond() / before;
    }

    /** A file of few bytes takes time to open and close, which no codec makes shorter. */
    @Test
    void theTimeOfSmallFilesIsNotTheBandwidth() {
        for (int i = 0; i < 5; i++) {
            file(10_000, 25, 18);
        }
        assertThat(monitor.rates().orElseThrow().transferNs()).isLessThan(18 * MS / 10_000.0 / 2);
    }

    @Test
    void filesOfNothingAreLeftOut() {
        monitor.file(0, 5, 5, 5);
        monitor.file(5, 0, 0, 5);
        assertThat(monitor.rates()).isEmpty();
    }
}
