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
package org.hadoopmpsr.core.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FileHeatTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final long HOUR = 3_600_000;

    private static long[] files(long... ids) {
        return ids;
    }

    @Test
    void aReadCountsHalfAfterAHalfLife() {
        FileHeat heat = new FileHeat(100, HOUR);
        heat.read(files(1, 2), 0);
        heat.read(files(1), 0);
        heat.read(files(1), HOUR);

        assertThat(heat.of(1, HOUR)).isEqualTo(2);
        assertThat(heat.of(2, HOUR)).isEqualTo(0.5);
        assertThat(heat.of(2, 3 * HOUR)).isEqualTo(0.125);
        assertThat(heat.of(3, HOUR)).isZero();
        assertThat(heat.hotter(1, HOUR)).containsOnlyKeys(1L);
    }

    @Test
    void countsAreThoseOfAllReadsForYears() {
        Random random = new Random(SEED);
        FileHeat heat = new FileHeat(50, HOUR);
        List<long[]> reads = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 3_000; i++) {
            now += random.nextInt((int) (10 * HOUR));
            long file = random.nextInt(20);
            heat.read(files(file), now);
            reads.add(files(file, now));
        }
        long end = now;
        for (long file = 0; file < 20; file++) {
            long of = file;
            double all = reads.stream()
                    .filter(read -> read[0] == of)
                    .mapToDouble(read -> Math.pow(2, -(double) (end - read[1]) / HOUR))
                    .sum();
            assertThat(heat.of(file, end)).as("-Dmpsr.seed=" + SEED).isCloseTo(all, within(1e-9));
        }
    }

    @Test
    void memoryIsBoundedAndTheFilesThatAreReadMostStay() {
        Random random = new Random(SEED);
        FileHeat heat = new FileHeat(100, HOUR);
        Map<Long, Integer> counts = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            // 20 files get half of the reads, and 100,000 the rest
            long file = random.nextBoolean() ? random.nextInt(20) : 20 + random.nextInt(100_000);
            counts.merge(file, 1, Integer::sum);
            heat.read(files(file), 0);
            assertThat(heat.size()).isLessThanOrEqualTo(200);
        }
        Map<Long, Double> hot = heat.hotter(500, 0);
        for (long file = 0; file < 20; file++) {
            assertThat(hot.get(file))
                    .as("-Dmpsr.seed=" + SEED)
                    .isEqualTo(counts.get(file).doubleValue());
        }
        assertThat(hot).hasSize(20);
    }

    @Test
    void countsAreNeverAboveWhatIsTrue() {
        FileHeat heat = new FileHeat(1, HOUR);
        for (long file = 0; file < 10; file++) {
            heat.read(files(file), 0);
            heat.read(files(file), 0);
        }
        for (long file = 0; file < 10; file++) {
            assertThat(heat.of(file, 0)).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aLongScanIsNotCounted() {
        FileHeat heat = new FileHeat(10_000, HOUR);
        heat.read(new long[FileHeat.MOST_FILES_OF_QUERY + 1], 0);
        assertThat(heat.size()).isZero();
    }

    @Test
    void aCountIsRaisedAndNeverLowered() {
        FileHeat heat = new FileHeat(100, HOUR);
        heat.atLeast(1, 8, 0);
        heat.atLeast(1, 2, HOUR);
        assertThat(heat.of(1, HOUR)).isEqualTo(4);
        heat.forget(List.of(1L));
        assertThat(heat.of(1, HOUR)).isZero();
    }

    @Test
    void nothingIsCountedWhereItIsOff() {
        FileHeat heat = new FileHeat(0, HOUR);
        heat.read(files(1), 0);
        heat.atLeast(1, 5, 0);
        assertThat(heat.isOn()).isFalse();
        assertThat(heat.size()).isZero();
    }
}
