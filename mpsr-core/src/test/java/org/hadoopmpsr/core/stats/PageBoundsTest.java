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
package org.hadoopmpsr.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Comparator;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageBoundsTest {
    private final PageBounds<Integer> pages = new PageBounds<>(Comparator.naturalOrder());

    @Test
    void aValueIsInOneOfThePagesOfASortedColumn() {
        for (int i = 0; i < 50; i++) {
            pages.add(10 * i, 10 * i + 9);
        }
        assertThat(pages.share()).isBetween(0.5 / 50, 1.0 / 50);
    }

    @Test
    void aValueMayBeInAllPagesWithValuesFromAllOver() {
        Random random = new Random(1);
        for (int i = 0; i < 50; i++) {
            pages.add(random.nextInt(100), 1_000_000 - random.nextInt(100));
        }
        assertThat(pages.share()).isEqualTo(1);
    }

    @Test
    void aDeviceIsInAllPagesThatHaveOnlyItsRecords() {
        for (int i = 0; i < 60; i++) {
            pages.add(i / 3, i / 3);
        }
        assertThat(pages.share()).isCloseTo(3 / 60.0, within(1e-9));
    }

    @Test
    void noValueIsInPagesOfNulls() {
        pages.addNulls();
        pages.add(3, 3);
        pages.addNulls();
        pages.add(3, 4);
        assertThat(pages.share()).isEqualTo((0.5 + 1 - Math.sqrt(0.5)) / 2);
    }

    @Test
    void nothingIsKnownOfOnePageOrOfPagesWithoutBounds() {
        assertThat(pages.share()).isEqualTo(-1);
        pages.add(1, 2);
        assertThat(pages.share()).isEqualTo(-1);
        pages.add(2, 3);
        assertThat(pages.share()).isEqualTo(1);
        pages.addUnknown();
        assertThat(pages.share()).isEqualTo(-1);
        PageBounds<Integer> nulls = new PageBounds<>(Comparator.naturalOrder());
        nulls.addNulls();
        nulls.addNulls();
        assertThat(nulls.share()).isEqualTo(-1);
    }

    /** Whether values are spread evenly, or most of them are near the least one. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 9})
    void isAboutTheShareOfThePagesThatHaveARandomValue(double power) {
        Seeds.forAll(50, random -> {
            double width = 0.02 + 0.5 * random.nextDouble();
            int count = 400;
            double[][] bounds = new double[count][];
            PageBounds<Double> all = new PageBounds<>(Comparator.naturalOrder());
            for (int i = 0; i < count; i++) {
                double from = (1 + width) * random.nextDouble() - width;
                bounds[i] =
                        new double[] {Math.pow(Math.max(0, from), power), Math.pow(Math.min(1, from + width), power)};
                all.add(bounds[i][0], bounds[i][1]);
            }
            int having = 0;
            for (int i = 0; i < 1_000; i++) {
                double value = Math.pow(random.nextDouble(), power);
                for (double[] page : bounds) {
                    having += page[0] <= value && value <= page[1] ? 1 : 0;
                }
            }
            assertThat(all.share()).isCloseTo(having / 1_000.0 / count, withinPercentage(25));
        });
    }

    @Test
    void countsAsOneWouldByLookingAtEachPage() {
        Seeds.forAll(200, random -> {
            int count = 2 + random.nextInt(40);
            int[][] bounds = new int[count][];
            PageBounds<Integer> all = new PageBounds<>(Comparator.naturalOrder());
            for (int i = 0; i < count; i++) {
                int min = random.nextInt(30);
                bounds[i] = new int[] {min, min + random.nextInt(10)};
                all.add(bounds[i][0], bounds[i][1]);
            }
            double sum = 0;
            for (int[] page : bounds) {
                double overlapping = 0;
                for (int[] other : bounds) {
                    overlapping += other[0] <= page[1] && page[0] <= other[1] ? 1 : 0;
                }
                sum += page[0] == page[1] ? overlapping / count : 1 - Math.sqrt(1 - overlapping / count);
            }
            assertThat(all.share()).isCloseTo(sum / count, within(1e-9));
        });
    }
}
