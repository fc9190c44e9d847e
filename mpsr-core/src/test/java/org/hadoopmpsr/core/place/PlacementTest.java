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
package org.hadoopmpsr.core.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Costs are computed by hand. */
class PlacementTest {
    private static final long MB = 1_000_000;
    private static final long GB = 1000 * MB;
    /** 16 cores beside disks that give 1.6 GB/s together; 8 s until executors run. */
    private static final PlaceState STORAGE = new PlaceState(Place.STORAGE, 8, 1600 * MB, 0.01, 16, 100 * MB, 16 * GB);

    /** 2 cores. */
    private static PlaceState reader(double bytesPerSecond) {
        return new PlaceState(Place.READER, 0, bytesPerSecond, 0.01, 2, Double.POSITIVE_INFINITY, 2 * GB);
    }

    /** A microsecond for a record, 10 MB for a core, 64 kB from a file. */
    private static ReductionProfile profile(long files, long bytes, long records) {
        return new ReductionProfile(files, bytes, records, 64_000, 1e-6, 10 * MB);
    }

    private static Place chosen(ReductionProfile profile, PlaceState... states) {
        return Placement.choose(profile, false, List.of(states)).place();
    }

    @Test
    void costsAreThoseOfTheEquations() {
        ReductionProfile profile = profile(40, 800 * MB, 20_000_000);
        PlaceCost storage = Placement.cost(profile, STORAGE);
        // 8 + 800/1600 + 40 · 0.064/100
        assertThat(storage.moveSeconds()).isCloseTo(8 + 0.5 + 0.0256, within(1e-9));
        // (40 · 0.01 + 20) / 16
        assertThat(storage.computeSeconds()).isCloseTo(1.275, within(1e-9));
        PlaceCost reader = Placement.cost(profile, reader(20 * MB));
        assertThat(reader.moveSeconds()).isCloseTo(40, within(1e-9));
        assertThat(reader.computeSeconds()).isCloseTo(10.2, within(1e-9));
        assertThat(reader.seconds()).isCloseTo(50.2, within(1e-9));
        // one file is read by one core
        assertThat(Placement.cost(profile(1, MB, 100_000), STORAGE).computeSeconds())
                .isCloseTo(0.11, within(1e-9));
    }

    @Test
    void aSmallReadIsMadeAtTheReader() {
        ReductionProfile small = profile(3, 18_748, 17_000);
        for (long rate : new long[] {4 * MB, 20 * MB, 120 * MB}) {
            assertThat(chosen(small, STORAGE, reader(rate))).isEqualTo(Place.READER);
        }
        // executors that run already are no slower for it: (0.03 + 0.017) / 3 and 0.002 s for results, or 0.0235 s and
        // 0.005 s for bytes
        PlaceState running = new PlaceState(Place.STORAGE, 0, 1600 * MB, 0.01, 16, 100 * MB, 16 * GB);
        assertThat(chosen(small, running, reader(4 * MB))).isEqualTo(Place.STORAGE);
    }

    @Test
    void aLargeReadIsMadeAtStorage() {
        // at the reader 800 MB take 200, 40 and 6.7 s and the records 10.2 s, and all takes 9.8 s at storage
        for (long rate : new long[] {4 * MB, 20 * MB, 120 * MB}) {
            assertThat(chosen(profile(40, 800 * MB, 20_000_000), STORAGE, reader(rate)))
                    .isEqualTo(Place.STORAGE);
        }
        // 40 MB: 10 s + 0.7 s at 4 MB/s, 2 s + 0.7 s at 20 MB/s, and 8.14 s at storage
        ReductionProfile some = profile(40, 40 * MB, 1_000_000);
        assertThat(chosen(some, STORAGE, reader(4 * MB))).isEqualTo(Place.STORAGE);
        assertThat(chosen(some, STORAGE, reader(20 * MB))).isEqualTo(Place.READER);
    }

    @Test
    void aPlaceNeedsTheMemory() {
        ReductionProfile wide = new ReductionProfile(10, MB, 1000, 0, 1e-6, 3 * GB);
        // two cores take 6 GB, and there are 2; ten take 30, and there are 16
        PlaceState large = new PlaceState(Place.STORAGE, 8, 1600 * MB, 0.01, 5, 100 * MB, 16 * GB);
        PlaceChoice choice = Placement.choose(wide, false, List.of(reader(120 * MB), large));
        assertThat(choice.place()).isEqualTo(Place.STORAGE);
        assertThat(choice.text())
                .isEqualTo(
                        "made at the storage: storage 8.021 s (moves 8.001, computes 0.020); reader not: it takes"
                                + " 6000000000 bytes of memory, and 2000000000 are free; it has the answer soonest of 2 places");
        PlaceChoice none = Placement.choose(wide, false, List.of(STORAGE, reader(MB)));
        assertThat(none.place()).isEqualTo(Place.STORAGE);
        assertThat(none.reason()).startsWith("no place has the memory");
    }

    @Test
    void whatIsKnownIsNotRead() {
        PlaceChoice choice = Placement.choose(profile(40, GB, 1000), true, List.of(STORAGE));
        assertThat(choice.place()).isEqualTo(Place.SOURCE);
        assertThat(choice.text()).isEqualTo("made at the source: what is known of the files tells the answer");
    }

    @Test
    void theRestIsWhatWasDoneGoesOn() {
        // a quarter in 10 s: 30 s more
        assertThat(Placement.remaining(10, 0.25)).hasValue(30);
        assertThat(Placement.remaining(10, 1)).hasValue(0);
        assertThat(Placement.remaining(10, 0)).isEmpty();
    }

    @Test
    void itMovesWhenTheRestTakesLonger() {
        ReductionProfile profile = profile(40, 800 * MB, 20_000_000);
        // 9.8006 s elsewhere
        assertThat(Placement.move(profile, 9.8, List.of(STORAGE))).isEmpty();
        PlaceChoice moved = Placement.move(profile, 9.9, List.of(STORAGE)).orElseThrow();
        assertThat(moved.place()).isEqualTo(Place.STORAGE);
        assertThat(moved.reason()).isEqualTo("where it is, the rest takes 9.900 s more");
        PlaceState full = new PlaceState(Place.STORAGE, 0, GB, 0, 16, GB, MB);
        assertThat(Placement.move(profile, 1000, List.of(full))).isEmpty();
        assertThat(Placement.move(profile, 1000, List.of())).isEmpty();
    }

    /** The chosen place is within 10 % of the best where rates turn out up to 5 % off; and it is the best if they do not. */
    @Test
    void theChosenPlaceIsNearTheBest() {
        Random random = new Random(36);
        int near = 0;
        for (int i = 0; i < 1000; i++) {
            long files = 1 + random.nextInt(500);
            long bytes = files * (10_000 + (long) (Math.pow(10, random.nextDouble() * 4) * 5000));
            ReductionProfile profile = profile(files, bytes, bytes / 40);
            PlaceState reader = reader(new long[] {4 * MB, 20 * MB, 120 * MB}[random.nextInt(3)]);
            Place place = chosen(profile, STORAGE, reader);
            double storage = Placement.cost(profile, STORAGE).seconds();
            double own = Placement.cost(profile, reader).seconds();
            assertThat(place == Place.STORAGE ? storage : own).isEqualTo(Math.min(storage, own));
            double truly = storage * (0.95 + 0.1 * random.nextDouble());
            double ownTruly = own * (0.95 + 0.1 * random.nextDouble());
            near += (place == Place.STORAGE ? truly : ownTruly) <= 1.1 * Math.min(truly, ownTruly) ? 1 : 0;
        }
        assertThat(near).isGreaterThanOrEqualTo(900);
    }

    @Test
    void whatMakesNoSenseIsNamed() {
        assertThatThrownBy(() -> profile(-1, 0, 0))
                .hasMessageContaining("a profile has no number below 0, and -1 files");
        assertThatThrownBy(() -> reader(0)).hasMessageContaining("the place reader starts in 0.0 s, gets 0.0 bytes/s");
    }
}
