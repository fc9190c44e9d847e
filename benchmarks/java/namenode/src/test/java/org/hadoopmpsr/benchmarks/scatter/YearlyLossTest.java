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
package org.hadoopmpsr.benchmarks.scatter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.hadoopmpsr.core.alloc.ScatterWidth;
import org.junit.jupiter.api.Test;

/** The simulation of losses, compared with what can be computed by hand. */
class YearlyLossTest {
    private static final double YEAR = 365.25 * 86_400;
    private static final long SEED = 7;

    /** Three nodes, each with a copy of everything; what is repaired takes a time with a given mean, or exactly that. */
    private record ThreeNodes(double meanYears, boolean exponential) implements Copies {
        @Override
        public int nodes() {
            return 3;
        }

        @Override
        public int rack(int node) {
            return 0;
        }

        @Override
        public int racks() {
            return 1;
        }

        @Override
        public double delay() {
            return 0;
        }

        @Override
        public double whole(Random random) {
            return meanYears * YEAR * (exponential ? -Math.log(1 - random.nextDouble()) : 1);
        }

        @Override
        public double shared(int a, int b) {
            return 1e30; // never before all is written anew
        }

        @Override
        public double chance(int a, int b, int c, double share) {
            return 1;
        }
    }

    @Test
    void theMeanTimeToALossIsThatOfTheMarkovChain() {
        for (double repairs : new double[] {20, 1_000}) {
            double rate = 0.5;
            YearlyLoss loss = new YearlyLoss(new ThreeNodes(1 / repairs, true), rate, 0, SEED);

            // three nodes alive, two, one, none: deaths at the rates a, b, c, one repair at a time
            double a = 3 * rate;
            double b = 2 * rate;
            double c = rate;
            double expected =
                    1 / a + 1 / b + 1 / c + repairs / (a * b) + repairs / (b * c) + repairs * repairs / (a * b * c);
            YearlyLoss.Estimate found = loss.estimate(200_000);
            assertThat(found.error()).isLessThan(0.02);
            assertThat(found.meanYears() / expected).as("repairs %s", repairs).isCloseTo(1, within(4 * found.error()));
        }
    }

    @Test
    void withRepairsOfAFixedTimeTwoMoreMustDieWithinIt() {
        double rate = 0.5;
        double years = 1e-5;
        YearlyLoss.Estimate found = new YearlyLoss(new ThreeNodes(years, false), rate, 0, SEED).estimate(200_000);

        // the first at 3 x rate, then the second and the third, in any order, within the time
        double expected = 3 * rate * (2 * rate * years) * (rate * years) / 2;
        assertThat(1 / found.meanYears() / expected).isCloseTo(1, within(4 * found.error()));
        assertThat(found.chance()).isCloseTo(expected, within(5 * found.error() * expected));
    }

    @Test
    void aRackThatDiesWithAllCopiesIsALoss() {
        YearlyLoss.Estimate found = new YearlyLoss(new ThreeNodes(1e-6, false), 1e-9, 0.25, SEED).estimate(1_000);

        assertThat(found.meanYears()).isCloseTo(4, within(0.01));
    }

    @Test
    void blocksLieOnTwoRacks() {
        BlockCopies copies = new BlockCopies(30, 3, 1_000_000, 0, 900);

        assertThat(copies.chance(0, 1, 2, 1)).isZero();
        assertThat(copies.chance(0, 10, 20, 1)).isZero();
        assertThat(copies.chance(0, 1, 10, 1)).isCloseTo(1, within(1e-9));
        // every node shares its blocks with others, each block with two
        double shared = 0;
        for (int node = 1; node < 30; node++) {
            shared += copies.shared(0, node);
        }
        assertThat(shared).isCloseTo(2 * 900, within(1e-6));
    }

    @Test
    void segmentsAreLostWithOneHomeInEachGroup() {
        Archive archive = new Archive(10, 40 * 3_600, Archive.DAY, SEED);
        Layout layout = new Layout(archive, 30, 4, SEED);
        SegmentCopies copies = new SegmentCopies(archive, layout, new ScatterWidth(1), 3, 0, 1_000);
        Archive.Segment segment = archive.all().get(0);
        int time = layout.homes(segment, Group.TIME)[0];
        int signal = 10 + layout.homes(segment, Group.SIGNAL)[0];
        int device = 20 + layout.homes(segment, Group.DEVICE)[0];

        assertThat(copies.chance(device, time, signal, 1)).isEqualTo(1);
        assertThat(copies.chance(time, (time + 1) % 10, signal, 1)).isZero();
        assertThat(copies.shared(time, signal)).isEqualTo(100);
        assertThat(copies.shared(time, (time + 1) % 10)).isZero();
    }

    @Test
    void aRebuildWithOneHomeReadsWhatWasLost() {
        Archive archive = new Archive(10, 40 * 3_600, Archive.DAY, SEED);
        Layout layout = new Layout(archive, 30, 4, SEED);
        SegmentRecovery recovery = new SegmentRecovery(archive, layout, new ScatterWidth(1), 1, 1);

        double lost = 0;
        for (int node = 0; node < 10; node++) {
            Recovery found = recovery.of(Group.SIGNAL, node, new Random(SEED));
            assertThat(found.read()).isCloseTo(found.lost(), within(1e-6 * found.lost()));
            assertThat(found.seconds()).isGreaterThan(found.lost() / Recovery.BYTES_PER_SECOND);
            lost += found.lost();
        }
        double all = archive.all().stream().mapToDouble(Archive.Segment::bytes).sum();
        assertThat(lost).isCloseTo(all, within(1e-6 * all));
    }
}
