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
package org.hadoopmpsr.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class SamplingTest {
    private static final int REPETITIONS = 500;
    private static final double Z = 1.959964; // 95 %
    private static final double T_999 = 1.962341;

    private final long seed = Long.getLong("mpsr.test.seed", 1);

    /** Files of an archive: few are very large, and these are of another kind. */
    private record Thing(long size, boolean special, long packed) {}

    private List<Thing> things(int count) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Thing> things = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double normal = 0;
            for (int k = 0; k < 12; k++) {
                normal += random.nextDouble() - 0.5;
            }
            long size = (long) Math.exp(10 + 2.2 * normal);
            boolean special = random.nextDouble() < (size > 1_000_000 ? 0.9 : 0.02);
            things.add(new Thing(
                    size, special, (long) (size * (special ? 0.3 : 0.8) * (0.8 + 0.4 * random.nextDouble()))));
        }
        return things;
    }

    @Test
    void intervalsHoldTheTruthAsOftenAsTheySay() {
        List<Thing> things = things(50_000);
        double special = things.stream().filter(Thing::special).count() / 50_000.0;
        double bytes = things.stream().mapToDouble(Thing::size).sum();
        double specialBytes =
                things.stream().filter(Thing::special).mapToDouble(Thing::size).sum() / bytes;
        double packed = things.stream().mapToDouble(Thing::packed).sum() / bytes;
        int byCount = 0;
        int bySize = 0;
        int ratios = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            UniformSample<Thing> sample = new UniformSample<>(1000, seed + i);
            SizeSample<Thing> draws = new SizeSample<>(1000, seed + i);
            things.forEach(thing -> {
                sample.add(thing);
                draws.add(thing, thing.size());
            });
            byCount += holds(Estimates.share(count(sample.items()), 1000, 50_000, Z), special);
            bySize += holds(Estimates.shareOfSize(count(draws.items()), 1000, Z), specialBytes);
            double[] ofDraws = draws.items().stream()
                    .mapToDouble(thing -> (double) thing.packed() / thing.size())
                    .toArray();
            ratios += holds(Estimates.ratio(ofDraws, T_999), packed);
        }
        System.out.printf("intervals of 95 %% held the truth in %d, %d and %d of 500%n", byCount, bySize, ratios);
        // 95 % of 500, within three and a half deviations
        assertThat(List.of(byCount, bySize, ratios))
                .as("seed %d", seed)
                .allSatisfy(held -> assertThat(held).isBetween(458, 492));
    }

    @Test
    void drawsBySizeTellOfBytesWhereSamplesByNumberDoNot() {
        ErrorsOfSamples errors = errors(1_000, 100);
        assertThat(errors.bySize()).as("seed %d", seed).isLessThan(errors.byNumber() / 3);
    }

    /** The figure of docs/survey.md: {@code -Dmpsr.sampling.figure=FILE} writes it. */
    @Test
    @EnabledIfSystemProperty(named = "mpsr.sampling.figure", matches = ".+")
    void theFigureIsDrawn() throws IOException {
        List<ErrorsOfSamples> all = new ArrayList<>();
        for (int size : new int[] {30, 100, 300, 1_000, 3_000, 10_000}) {
            all.add(errors(size, 100));
        }
        Files.writeString(Path.of(System.getProperty("mpsr.sampling.figure")), ErrorsOfSamples.svg(all));
    }

    /** The errors of the share of bytes that are of a kind, in an archive of 50,000 files. */
    private ErrorsOfSamples errors(int size, int repetitions) {
        List<Thing> things = things(50_000);
        double bytes = things.stream().mapToDouble(Thing::size).sum();
        double truth =
                things.stream().filter(Thing::special).mapToDouble(Thing::size).sum() / bytes;
        double errorByNumber = 0;
        double errorBySize = 0;
        for (int i = 0; i < repetitions; i++) {
            UniformSample<Thing> sample = new UniformSample<>(size, seed + i);
            SizeSample<Thing> draws = new SizeSample<>(size, seed + i);
            things.forEach(thing -> {
                sample.add(thing);
                draws.add(thing, thing.size());
            });
            double all = sample.items().stream().mapToDouble(Thing::size).sum();
            double special = sample.items().stream()
                    .filter(Thing::special)
                    .mapToDouble(Thing::size)
                    .sum();
            errorByNumber += Math.pow(special / all - truth, 2);
            errorBySize += Math.pow(count(draws.items()) / (double) size - truth, 2);
        }
        return new ErrorsOfSamples(size, Math.sqrt(errorByNumber / repetitions), Math.sqrt(errorBySize / repetitions));
    }

    @Test
    void eachThingIsInASampleAsOftenAsAnyOther() {
        int[] found = new int[20];
        for (int i = 0; i < 20_000; i++) {
            UniformSample<Integer> sample = new UniformSample<>(5, seed + i);
            for (int k = 0; k < 20; k++) {
                sample.add(k);
            }
            assertThat(new HashSet<>(sample.items())).hasSize(5);
            sample.items().forEach(k -> found[k]++);
        }
        for (int times : found) {
            assertThat(times).as("seed %d", seed).isBetween(4_750, 5_250);
        }
    }

    @Test
    void eachThingIsDrawnAsOftenAsItIsLarge() {
        int[] found = new int[6];
        SizeSample<Integer> draws = new SizeSample<>(200_000, seed);
        int[] sizes = {1, 0, 4, 2, 3, 10};
        for (int k = 0; k < sizes.length; k++) {
            draws.add(k, sizes[k]);
        }
        draws.items().forEach(k -> found[k]++);
        assertThat(draws.sum()).isEqualTo(20);
        for (int k = 0; k < sizes.length; k++) {
            assertThat(found[k] / 10_000.0).as("seed %d, %d", seed, k).isCloseTo(sizes[k], within(0.2));
        }
    }

    @Test
    void smallArchivesAreSampledWhole() {
        UniformSample<String> sample = new UniformSample<>(3, seed);
        sample.add("a");
        sample.add("b");
        assertThat(sample.items()).containsExactly("a", "b");
        assertThat(sample.seen()).isEqualTo(2);
        assertThat(new SizeSample<String>(4, seed).items()).isEmpty();
        assertThat(Estimates.share(2, 5, 5, Z)).isEqualTo(new Interval(0.4, 0.4, 0.4));
    }

    @Test
    void sizesForAPrecision() {
        // Cochran's own examples: 5 % of a large number of things, and of 4,000
        assertThat(Estimates.sizeForShare(0.05, 2, 1L << 40)).isEqualTo(400);
        assertThat(Estimates.sizeForShare(0.05, 2, 4_000)).isEqualTo(364);
        assertThat(Estimates.sizeForShare(0.01, Z, 50)).isEqualTo(50);
        assertThat(Estimates.sizeForShare(0.9, Z, 50)).isEqualTo(2);
        assertThat(Estimates.sizeForShare(0.9, Z, 0)).isZero();
        assertThatThrownBy(() -> Estimates.sizeForShare(0, Z, 5)).hasMessage("a precision of 0.0");
    }

    @Test
    void intervalsAtTheEnds() {
        Interval none = Estimates.share(0, 100, 100_000, Z);
        assertThat(none.low()).isZero();
        assertThat(none.high()).isBetween(0.03, 0.04);
        Interval all = Estimates.shareOfSize(100, 100, Z);
        assertThat(all.high()).isEqualTo(1);
        assertThat(all.low()).isBetween(0.96, 0.97);
        assertThat(Estimates.ratio(new double[] {0.5}, 12).high()).isInfinite();
        assertThat(Estimates.ratio(new double[] {0.4, 0.6}, 12.7062).margin()).isCloseTo(1.27062, within(1e-9));
        assertThat(new Interval(2, 1, 4).times(3)).isEqualTo(new Interval(6, 3, 12));
        assertThat(new Interval(2, 1, 4).margin()).isEqualTo(2);
    }

    private static long count(List<Thing> things) {
        return things.stream().filter(Thing::special).count();
    }

    private static int holds(Interval interval, double truth) {
        return interval.low() <= truth && truth <= interval.high() ? 1 : 0;
    }
}
