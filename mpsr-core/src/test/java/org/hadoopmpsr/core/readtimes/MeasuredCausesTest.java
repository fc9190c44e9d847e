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
import static org.hadoopmpsr.core.readtimes.GeneratedReads.BEGIN_MS;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.COST;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Causes of reads where a calibration has measured them. */
class MeasuredCausesTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261129);
    private static final long[] SIZES = {64 << 10, 256 << 10, 1 << 20};
    /** A host whose memory takes as long as the default costs say of no cause. */
    private static final LinearTime MEMORY = new LinearTime(900_000, 1);

    private static final LinearTime DISK = MEMORY.times(8);
    private static final LinearTime SLOW = DISK.times(10);
    private static final List<Cause> CAUSES = List.of(Cause.MEMORY, Cause.DISK, Cause.SLOW_DISK);

    private static ExpectedTimes calibrated(long seed, LinearTime disk) {
        GeneratedReads first = new GeneratedReads(seed + 1_000, 0.3);
        first.add(150, 1, disk, "a", "", "a", SIZES);
        GeneratedReads again = new GeneratedReads(seed + 2_000, 0.3);
        again.add(150, 0, MEMORY, "a", "", "a", SIZES);
        return ExpectedTimes.of(first.reads, again.reads, COST);
    }

    private static List<ReadClass> classOfReads(GeneratedReads generated, ExpectedTimes expected) {
        ReadClasses found = ReadClasses.of(generated.reads, expected);
        return IntStream.of(found.classOf()).mapToObj(found.classes()::get).toList();
    }

    private static double share(GeneratedReads generated, List<ReadClass> of, boolean alone) {
        return IntStream.range(0, of.size())
                        .filter(i -> {
                            Cause truth = CAUSES.get(generated.truth.get(i));
                            boolean only = of.get(i).cause() == truth
                                    && of.get(i).others().isEmpty();
                            return only
                                    || !alone
                                            && (of.get(i).cause() == truth
                                                    || of.get(i).others().contains(truth));
                        })
                        .count()
                / (double) of.size();
    }

    @Test
    void aCalibrationNamesWhatDefaultCostsDoNot() {
        for (long seed = SEED; seed < SEED + 5; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            GeneratedReads generated = new GeneratedReads(seed, 0.3);
            generated.add(300, 0, MEMORY, "a", "", "a", SIZES);
            generated.add(200, 1, DISK, "a", "", "a", SIZES);
            generated.add(200, 0, MEMORY, "c", "", "c", SIZES);
            generated.add(100, 2, SLOW, "c", "", "c", SIZES);
            assertThat(share(generated, classOfReads(generated, calibrated(seed, DISK)), true))
                    .as(what)
                    .isGreaterThan(0.9);
            assertThat(share(generated, classOfReads(generated, ExpectedTimes.of(COST)), true))
                    .as(what)
                    .isLessThan(0.9);
        }
    }

    @Test
    void readsThatTimesDoNotTellApartGetBothCauses() {
        for (long seed = SEED; seed < SEED + 5; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            GeneratedReads generated = new GeneratedReads(seed, 0.3);
            LinearTime disk = MEMORY.times(1.6);
            generated.add(300, 0, MEMORY, "a", "", "a", SIZES);
            generated.add(300, 1, disk, "a", "", "a", SIZES);
            List<ReadClass> of = classOfReads(generated, calibrated(seed, disk));
            assertThat(of.stream()
                            .filter(its -> its.text().equals("cached or local disk"))
                            .count())
                    .as(what)
                    .isGreaterThan(300);
            assertThat(share(generated, of, false)).as(what).isGreaterThan(0.9);
        }
    }

    @Test
    void allUncachedReadsOfASlowDiskAreSlow() {
        for (long seed = SEED; seed < SEED + 5; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            GeneratedReads generated = new GeneratedReads(seed, 0.3);
            generated.add(200, 0, MEMORY, "a", "", "a", SIZES);
            generated.add(200, 1, DISK, "a", "", "a", SIZES);
            generated.add(200, 0, MEMORY, "c", "", "c", SIZES);
            generated.add(200, 2, SLOW, "c", "", "c", SIZES);
            generated.add(100, 2, DISK, "c", "", "c", SIZES); // let through at once
            assertThat(share(generated, classOfReads(generated, calibrated(seed, DISK)), false))
                    .as(what)
                    .isGreaterThan(0.95);
        }
    }

    @Test
    void aDiskIsSlowOnlyFromTheMomentOn() {
        GeneratedReads generated = new GeneratedReads(SEED, 0.3);
        for (int i = 0; i < 600; i++) {
            boolean slow = i >= 300;
            generated.add(slow ? 2 : 1, slow ? SLOW : DISK, "c", "", "c", BEGIN_MS + i * 100L, SIZES[i % 3]);
            generated.add(1, DISK, "a", "", "a", BEGIN_MS + i * 100L, SIZES[i % 3]);
        }
        assertThat(share(generated, classOfReads(generated, calibrated(SEED, DISK)), true))
                .as("-Dmpsr.seed=" + SEED)
                .isGreaterThan(0.9);
    }

    @Test
    void aCalibrationWithoutRemoteReadsExpectsTheNetworkBesides() {
        ExpectedTimes expected = calibrated(SEED, DISK);
        double size = 1 << 20;
        assertThat(expected.isMeasured()).isTrue();
        assertThat(expected.of(Cause.REMOTE_DISK).of(size))
                .isGreaterThan(expected.of(Cause.DISK).of(size));
        assertThat(expected.of(Cause.DISK).of(size) / DISK.of(size)).isBetween(0.85, 1.15);
        assertThat(expected.of(Cause.MEMORY).of(size) / MEMORY.of(size)).isBetween(0.85, 1.15);
        assertThat(expected.spreadOf(Cause.DISK)).isBetween(0.22, 0.38);
        assertThat(ExpectedTimes.of(COST).isMeasured()).isFalse();
    }
}
