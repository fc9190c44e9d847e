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
package org.hadoopmpsr.columnar.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.layout.KeyValues;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PieceEndsTest {
    private static final int PAGE = FileStatistics.PAGE_ROWS;

    @Test
    void rowsOfAValueStayTogetherWhereAPageHasRoomForThem() {
        assertThat(ends(0, 8_000, 9_000, 4_000, 16_000, 100)).containsExactly(17_000, 37_000, 37_100);
    }

    @Test
    void manyRowsOfAValueSharePagesWithNoOther() {
        assertThat(ends(0, 500, 41_700, 300, 200)).containsExactly(500, 14_400, 28_300, 42_200, 42_700);
    }

    @Test
    void pagesOfRowsInNoOrderAreOfEvenLength() {
        int[] order = IntStream.range(0, 50_000).toArray();
        assertThat(PieceEnds.ofPages(new SortedRows(order, 20_000, 50_000, null)))
                .containsExactly(35_000, 50_000);
        assertThat(PieceEnds.ofPages(new SortedRows(order, 7, 7, null))).isEmpty();
    }

    @Test
    void distinctValuesFillPages() {
        int[] one = new int[45_000];
        Arrays.fill(one, 1);
        assertThat(ends(0, one)).containsExactly(20_000, 40_000, 45_000);
    }

    @Test
    void valuesThatAreAGoodPartOfAFileHaveARowGroupOfTheirOwn() {
        int[] runs = {20_000, 300, 20_001, 41_700, 500, 20_000, 20_000};
        assertThat(rowGroups(rows(7, runs), 1 << 20)).containsExactly(20_307, 40_308, 82_008, 122_508);
        assertThat(rowGroups(rows(7, runs), 40_000))
                .as("as far as a row group has room")
                .containsExactly(20_307, 40_308, 61_158, 82_008, 102_508, 122_508);
    }

    @Test
    void valuesThatAreASmallPartOfAFileShareRowGroups() {
        int[] runs = new int[50];
        Arrays.fill(runs, 30_000);
        assertThat(rowGroups(rows(0, runs), 1 << 30)).containsExactly(1_500_000);
        assertThat(rowGroups(rows(0, runs), 700_000)).containsExactly(690_000, 1_380_000, 1_500_000);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void keepsItsRules(long seed) {
        Random random = new Random(seed);
        int longest = random.nextBoolean() ? 3 * PAGE : PAGE / 2;
        int[] runs = random.ints(1 + random.nextInt(20), 1, longest).toArray();
        SortedRows rows = rows(random.nextInt(1000), runs);
        check(rows, runs, PieceEnds.ofPages(rows), PAGE, PAGE);
        // too few rows for a 32nd of them to be more than a page
        int most = 1 + random.nextInt(4 * PAGE);
        check(rows, runs, rowGroups(rows, most), Math.min(most, PAGE), most);
    }

    private static int[] rowGroups(SortedRows rows, int most) {
        return PieceEnds.ofRowGroups(rows, most, rows.to() - rows.from());
    }

    /** Whether values with more rows than are shared have pieces of their own, and all pieces are as few as they can be. */
    private static void check(SortedRows rows, int[] runs, int[] ends, int shared, int most) {
        List<Integer> starts = new ArrayList<>(List.of(rows.from()));
        for (int end : ends) {
            assertThat(end - starts.get(starts.size() - 1)).isBetween(1, most);
            starts.add(end);
        }
        int run = rows.from();
        int needed = 0;
        for (int length : runs) {
            int first = run;
            int end = run + length;
            long inside = starts.stream().filter(s -> s > first && s < end).count();
            assertThat(inside).isEqualTo((length - 1) / most);
            if (length > shared) {
                assertThat(starts).contains(first, end);
            }
            needed += 1 + (length - 1) / most;
            run = end;
        }
        assertThat(ends[ends.length - 1]).isEqualTo(run).isEqualTo(rows.to());
        assertThat(ends.length).isLessThanOrEqualTo(needed);
    }

    private static int[] ends(int from, int... runs) {
        return PieceEnds.ofPages(rows(from, runs));
    }

    /** Of rows of so many equal values each, of which every third has none. */
    private static SortedRows rows(int from, int... runs) {
        int rows = IntStream.of(runs).sum();
        LongVector lead = (LongVector) ColumnVector.of(ColumnType.LONG);
        lead.reserve(from + rows);
        int row = from;
        for (int run = 0; run < runs.length; run++) {
            for (int end = row + runs[run]; row < end; row++) {
                if (run % 3 == 2) {
                    lead.noteNull();
                } else {
                    lead.set(row, run);
                }
            }
        }
        int[] order = IntStream.range(0, from + rows).toArray();
        return new SortedRows(order, from, from + rows, KeyValues.of(lead));
    }
}
