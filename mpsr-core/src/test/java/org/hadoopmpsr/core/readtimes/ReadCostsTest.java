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
import static org.hadoopmpsr.core.readtimes.GeneratedReads.CACHED;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.COST;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.DISK;
import static org.hadoopmpsr.core.readtimes.GeneratedReads.THROTTLED;

import java.util.List;
import org.assertj.core.data.Percentage;
import org.hadoopmpsr.core.readtimes.ReadCosts.Expected;
import org.hadoopmpsr.core.readtimes.ReadCosts.Part;
import org.junit.jupiter.api.Test;

class ReadCostsTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261129);
    private static final long KIB = 1024;
    private static final long[] SIZES = {64 * KIB, 128 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB};
    private static final LinearTime REMOTE_DISK = Cause.REMOTE_DISK.expected(COST);
    private static final Percentage ABOUT = Percentage.withPercentage(25);

    private static void assertAlike(LinearTime found, LinearTime truth, String what) {
        for (long size : SIZES) {
            assertThat(found.of(size)).as(what).isCloseTo(truth.of(size), ABOUT);
        }
    }

    private static Part part(ReadCosts costs, Cause cause) {
        return costs.parts().stream()
                .filter(part -> part.cause() == cause)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void classesOfReadsTellWhatToExpect() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            GeneratedReads generated = new GeneratedReads(seed, 0.2);
            generated.add(3_000, 0, CACHED, "a", "", "a", SIZES);
            generated.add(1_000, 1, DISK, "a", "", "a", SIZES);
            generated.add(2_000, 2, REMOTE_DISK, "b", "", "a", SIZES);
            generated.add(500, 3, THROTTLED, "a", "", "a", SIZES);
            ReadCosts costs = ReadCosts.of(ReadClasses.of(generated.reads, COST));
            assertThat(costs.parts())
                    .as(what)
                    .extracting(Part::cause)
                    .containsExactly(Cause.MEMORY, Cause.DISK, Cause.REMOTE_DISK, Cause.SLOW_DISK);
            assertThat(costs.share(part(costs, Cause.MEMORY))).as(what).isCloseTo(3.0 / 6.5, within(0.02));
            assertAlike(costs.local(Expected.CACHED).orElseThrow(), CACHED, what);
            assertAlike(costs.local(Expected.DISK).orElseThrow(), DISK, what);
            LinearTime mixed = new LinearTime(
                    0.75 * CACHED.nanos() + 0.25 * DISK.nanos(),
                    0.75 * CACHED.nanosPerByte() + 0.25 * DISK.nanosPerByte());
            assertAlike(costs.local(Expected.MIXED).orElseThrow(), mixed, what);
            assertThat(costs.remote(Expected.CACHED)).as(what).isEmpty();
            assertAlike(costs.remote(Expected.MIXED).orElseThrow(), REMOTE_DISK, what);
            assertThat(costs.slowFactor().orElseThrow()).as(what).isCloseTo(10, ABOUT);
        }
    }

    @Test
    void theNetworkIsWhatRemoteReadsTakeMore() {
        ReadCosts costs = new ReadCosts(List.of(
                new Part(Cause.MEMORY, new LinearTime(100, 1), 10, 10),
                new Part(Cause.REMOTE_MEMORY, new LinearTime(400, 3), 30, 30),
                new Part(Cause.DISK, new LinearTime(1000, 10), 10, 10),
                new Part(Cause.REMOTE_DISK, new LinearTime(2000, 9), 10, 10)));
        assertThat(costs.network()).contains(new LinearTime((3 * 300 + 1000) / 4.0, (3 * 2) / 4.0));
        assertThat(new ReadCosts(costs.parts().subList(0, 1)).network()).isEmpty();
        assertThat(new ReadCosts(costs.parts().subList(1, 3)).network()).isEmpty();
        assertThat(costs.slowFactor()).isEmpty();
    }

    /** Pieces that are read twice, of which some are in memory already. */
    private static ReadCosts twice(long seed, int cached, int read) {
        GeneratedReads once = new GeneratedReads(seed, 0.2);
        once.add(cached, 0, CACHED, "a", "", "a", SIZES);
        once.add(read, 1, DISK, "a", "", "a", SIZES);
        GeneratedReads again = new GeneratedReads(seed + 1000, 0.2);
        again.add(cached + read, 0, CACHED, "a", "", "a", SIZES);
        return ReadCosts.ofTwice(once.reads, again.reads);
    }

    @Test
    void piecesThatAreReadTwiceTellWhatWasInMemory() {
        for (long seed = SEED; seed < SEED + 20; seed++) {
            String what = "-Dmpsr.seed=" + seed;
            ReadCosts some = twice(seed, 30, 90);
            assertThat(some.share(part(some, Cause.MEMORY))).as(what).isCloseTo(0.25, within(0.02));
            assertAlike(some.local(Expected.CACHED).orElseThrow(), CACHED, what);
            assertAlike(some.local(Expected.DISK).orElseThrow(), DISK, what);

            ReadCosts cold = twice(seed, 0, 100);
            assertThat(part(cold, Cause.DISK).reads()).as(what).isEqualTo(100);
            assertAlike(cold.local(Expected.MIXED).orElseThrow(), DISK, what);
            assertAlike(cold.local(Expected.CACHED).orElseThrow(), CACHED, what);

            ReadCosts warm = twice(seed, 100, 0);
            assertThat(warm.parts()).as(what).extracting(Part::cause).containsExactly(Cause.MEMORY);
            assertThat(warm.local(Expected.DISK)).as(what).isEmpty();
        }
        assertThat(ReadCosts.ofTwice(List.of(), List.of()).parts()).isEmpty();
    }
}
