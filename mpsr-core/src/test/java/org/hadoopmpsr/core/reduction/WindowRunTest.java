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
package org.hadoopmpsr.core.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class WindowRunTest {
    private static final int RUNS = Integer.getInteger("mpsr.reductions", 200);

    private static WindowRun of(ValuePattern pattern, int limit, long from, double... values) {
        WindowRun run = new WindowRun(pattern, limit);
        for (int i = 0; i < values.length; i++) {
            run.add(from + i, values[i]);
        }
        return run;
    }

    private static WindowRun sent(WindowRun run) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(run);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                return (WindowRun) in.readObject();
            }
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** Each window is looked at by itself. */
    private static List<WindowMatch> expected(ValuePattern pattern, int limit, double[] values) {
        List<WindowMatch> matches = new ArrayList<>();
        for (int i = 0; i + pattern.length() <= values.length; i++) {
            double distance = pattern.distance(values, i);
            if (!Double.isNaN(distance)) {
                matches.add(new WindowMatch(i, i + pattern.length() - 1, distance));
            }
        }
        return matches.stream().sorted().limit(limit).toList();
    }

    @Test
    void anySplitFindsTheSameWindows() {
        Seeds.forAll(RUNS, random -> {
            double[] values = random.doubles(random.nextInt(60), -2, 2).toArray();
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextInt(3) == 0 ? TestValues.any(random) : Math.rint(values[i]);
            }
            double[] wanted = random.doubles(2 + random.nextInt(6), -2, 2).toArray();
            ValuePattern pattern = new ValuePattern(wanted, random.nextBoolean(), random.nextInt(8) / 2.0);
            int limit = 1 + random.nextInt(20);
            List<WindowRun> runs = new ArrayList<>();
            for (int at = 0; at < values.length || runs.isEmpty(); ) {
                int length = Math.min(values.length - at, random.nextInt(12));
                double[] part = java.util.Arrays.copyOfRange(values, at, at + length);
                runs.add(of(pattern, limit, at, part));
                at += length;
            }
            assertThat(merged(random, runs).matches()).isEqualTo(expected(pattern, limit, values));
        });
    }

    /** Neighbours are merged in any order. */
    private static WindowRun merged(Random random, List<WindowRun> runs) {
        while (runs.size() > 1) {
            int at = random.nextInt(runs.size() - 1);
            WindowRun next = runs.remove(at + 1);
            runs.get(at).merge(random.nextBoolean() ? next : sent(next));
        }
        return runs.get(0);
    }

    @Test
    void shapesAreComparedWhateverTheirHeight() {
        ValuePattern shape = new ValuePattern(new double[] {0, 1, 0}, true, 1e-9);
        assertThat(of(shape, 5, 0, 10, 10, 30, 10, 10).matches())
                .singleElement()
                .satisfies(match -> {
                    assertThat(match.begin()).isEqualTo(1);
                    assertThat(match.end()).isEqualTo(3);
                    assertThat(match.distance()).isCloseTo(0, within(1e-9));
                });
        ValuePattern height = new ValuePattern(new double[] {0, 1, 0}, false, 1);
        assertThat(of(height, 5, 0, 10, 10, 30, 10, 10).matches()).isEmpty();
        assertThat(of(height, 5, 0, 0, 2, 0).matches()).containsExactly(new WindowMatch(0, 2, 1));
    }

    @Test
    void ofEqualValuesTheShapeIsFlat() {
        ValuePattern flat = new ValuePattern(new double[] {7, 7}, true, 0);
        assertThat(of(flat, 5, 0, 0.1, 0.1, 0.2).matches()).containsExactly(new WindowMatch(0, 1, 0));
        ValuePattern slope = new ValuePattern(new double[] {1, 2}, true, 2);
        assertThat(of(slope, 5, 0, 3, 3).matches())
                .singleElement()
                .satisfies(match -> assertThat(match.distance()).isCloseTo(Math.sqrt(2), within(1e-12)));
    }

    @Test
    void windowsWithWhatIsNoNumberAreNotSimilar() {
        for (boolean normalized : new boolean[] {false, true}) {
            ValuePattern pattern = new ValuePattern(new double[] {1, 2}, normalized, 100);
            assertThat(of(pattern, 5, 0, 1, Double.NaN, 2, Double.POSITIVE_INFINITY, 1)
                            .matches())
                    .isEmpty();
            assertThat(of(pattern, 5, 0, 1).matches()).isEmpty();
            assertThat(of(pattern, 5, 0).hasMatches()).isFalse();
        }
    }

    @Test
    void patternsThatNothingIsSimilarToAreRefused() {
        assertThatThrownBy(() -> new ValuePattern(new double[] {1}, false, 1)).hasMessageContaining("has 1 values");
        assertThatThrownBy(() -> new ValuePattern(new double[] {1, Double.NaN}, false, 1))
                .hasMessageContaining("has the value NaN");
        assertThatThrownBy(() -> new ValuePattern(new double[] {1, 2}, false, -1))
                .hasMessageContaining("the distance is -1.0; give one from 0");
        assertThatThrownBy(() -> new WindowRun(new ValuePattern(new double[] {1, 2}, false, 1), 0))
                .hasMessageContaining("the limit is 0");
    }
}
