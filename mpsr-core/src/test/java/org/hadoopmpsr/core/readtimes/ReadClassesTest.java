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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.CACHED;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.COST;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.DISK;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.REMOTE_CACHED;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.THROTTLED;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReadClassesTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final String WHAT = "-Dmpsr.seed=" + SEED;
    private static final long KIB = 1024;

    /** The share of the reads that got the class that they have. */
    private static double right(GeneratedReads generated, ReadClasses found) {
        int right = 0;
        for (int i = 0; i < generated.reads.size(); i++) {
            right += found.classOf()[i] == generated.truth.get(i) ? 1 : 0;
        }
        return (double) right / generated.reads.size();
    }

    private static GeneratedReads four(long seed, double spread, long... sizes) {
        GeneratedReads generated = new GeneratedReads(seed, spread);
        generated.add(3_000, 0, CACHED, "a", "0", "a", sizes);
        generated.add(1_500, 1, REMOTE_CACHED, "b", "0", "a", sizes);
        generated.add(2_000, 2, DISK, "a", "0", "a", sizes);
        generated.add(300, 3, THROTTLED, "c", "0", "c", sizes);
        return generated;
    }

    @Test
    void readsOfOneSizeGetTheirClass() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            GeneratedReads generated = four(seed, 0.3, 256 * KIB);
            ReadClasses found = ReadClasses.of(generated.reads, COST);
            assertThat(found.classes()).as("-Dmpsr.seed=" + seed).hasSize(4);
            assertThat(right(generated, found)).as("-Dmpsr.seed=" + seed).isGreaterThan(0.95);
        }
    }

    @Test
    void readsOfManySizesGetTheirClassAndItsCost() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            GeneratedReads generated = four(seed, 0.25, 64 * KIB, 128 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB);
            ReadClasses found = ReadClasses.of(generated.reads, COST);
            assertThat(found.classes()).as(what).hasSize(4);
            assertThat(right(generated, found)).as(what).isGreaterThan(0.9);
            assertThat(found.classes())
                    .as(what)
                    .extracting(ReadClass::cause)
                    .containsExactly(Cause.MEMORY, Cause.REMOTE_MEMORY, Cause.DISK, Cause.SLOW_DISK);
            LinearTime disk = found.classes().get(2).time();
            assertThat(disk.nanos()).as(what).isCloseTo(DISK.nanos(), within(0.25 * DISK.nanos()));
            assertThat(disk.nanosPerByte()).as(what).isCloseTo(DISK.nanosPerByte(), within(0.25 * DISK.nanosPerByte()));
            assertThat(found.classes())
                    .as(what)
                    .allSatisfy(c -> assertThat(c.factor()).isBetween(0.7, 1.4));
        }
    }

    @Test
    void readsThatAreAlikeAreOneClass() {
        for (long seed = SEED; seed < SEED + 50; seed++) {
            GeneratedReads generated = new GeneratedReads(seed, 0.4);
            generated.add(2_000, 0, DISK, "a", "", "", 256 * KIB);
            ReadClasses found = ReadClasses.of(generated.reads, COST);
            assertThat(found.classes()).as("-Dmpsr.seed=" + seed).hasSize(1);
            assertThat(found.classes().get(0).reads()).isEqualTo(2_000);
        }
    }

    @Test
    void whoReadsDecidesBetweenCausesThatTakeAsLong() {
        GeneratedReads generated = new GeneratedReads(SEED, 0.1);
        generated.add(500, 0, DISK, "a", "", "b", 256 * KIB);
        assertThat(ReadClasses.of(generated.reads, COST).classes().get(0).cause())
                .as(WHAT)
                .isEqualTo(Cause.REMOTE_DISK);
    }

    @Test
    void fewReadsAreOneClass() {
        ReadTime read = new ReadTime("a", "", "", 1, 1, 0);
        ReadClasses found = ReadClasses.of(List.of(read), COST);
        assertThat(found.classes()).singleElement().satisfies(c -> {
            assertThat(c.reads()).isEqualTo(1);
            assertThat(c.time().of(1)).isEqualTo(1);
        });
        assertThatThrownBy(() -> ReadClasses.of(List.of(), COST))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give times of some");
        assertThatThrownBy(() -> new ReadTime("a", "", "", 0, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be");
    }

    @Test
    void readsOfManySizesAreDividedThoughNoneIsFrequent() {
        GeneratedReads generated = new GeneratedReads(SEED, 0.3);
        for (int i = 0; i < 400; i++) {
            long bytes = 4 * KIB << i % 12;
            generated.add(i % 2, i % 2 == 0 ? CACHED : DISK, "a", "0", "a", GeneratedReads.BEGIN_MS + i, bytes);
        }
        ReadClasses found = ReadClasses.of(generated.reads, COST);
        assertThat(found.classes()).as(WHAT).extracting(ReadClass::cause).containsExactly(Cause.MEMORY, Cause.DISK);
        assertThat(right(generated, found)).as(WHAT).isGreaterThan(0.95);
    }

    @Test
    void aLineIsFoundAgain() {
        GeneratedReads generated = new GeneratedReads(SEED, 0);
        generated.add(100, 0, new LinearTime(1e6, 5), "a", "", "", 1_000, 100_000, 10_000_000);
        LinearTime line = LinearTime.fit(generated.reads);
        assertThat(line.nanos()).isCloseTo(1e6, within(10.0));
        assertThat(line.nanosPerByte()).isCloseTo(5, within(1e-4));
    }

    @Test
    void aDensitySumsToOneAndIsHighestAtTheValues() {
        Density density = Density.of(new double[] {1, 1.1, 0.9, 1, 5, 5.1, 4.9, 5});
        double sum = 0;
        for (int i = 0; i < density.points(); i++) {
            sum += density.at(i);
        }
        assertThat(sum).isCloseTo(1, within(1e-9));
        assertThat(density.bandwidth()).isCloseTo(2.14 * Math.pow(8, -0.2), within(0.05));
    }
}
