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
package org.hadoopmpsr.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class RowEstimateTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, n bigint not null, value double");
    private static final double PAGE = 0.02;

    /** A million rows, ten signals, n from 0 to 1000, sorted by signal and n. */
    private static double share(Filter filter) {
        return ofRows(1_000_000, filter);
    }

    private static double ofRows(int rows, Filter filter) {
        return ofRows(rows, filter, -1);
    }

    /** @param pageShare of the value */
    private static double ofRows(int rows, Filter filter, double pageShare) {
        FileStatistics file = new FileStatistics(
                "c",
                new ContentHash(rows, 0, 0),
                List.of(),
                Map.of(
                        "signal", new ColumnStatistics("s0", "s9", 0, 10),
                        "n", new ColumnStatistics(0L, 1000L, 0),
                        "value", new ColumnStatistics(0.0, 1.0, 0).withPageShare(pageShare)));
        return new RowEstimate(keys(SCHEMA.columns().subList(0, 2)), new Conditions(filter)).share(file);
    }

    private static Filter and(Filter... parts) {
        return new Filter.And(List.of(parts));
    }

    private static final Filter ONE = new Filter.Compare(Operator.EQ, "SIGNAL", "s3");
    private static final Filter HALF_OF_N =
            and(new Filter.Compare(Operator.GE, "n", 500L), new Filter.Compare(Operator.LT, "n", 2000L));

    private static List<SortKey> keys(List<Column> columns) {
        return SortKey.of(columns.stream().map(Column::name).toList());
    }

    @Test
    void conditionsOnTheFirstSortColumnsNarrow() {
        assertThat(share(Filter.ALL)).isEqualTo(1);
        assertThat(share(ONE)).isCloseTo(0.1 + PAGE, within(1e-3));
        assertThat(share(new Filter.In("signal", List.of("s1", "s3", "zz")))).isCloseTo(0.2 + 2 * PAGE, within(1e-3));
        // the pages that the signal begins and ends in may hold any n
        Filter tenth = and(ONE, new Filter.Compare(Operator.LT, "n", 100L));
        assertThat(share(tenth)).isCloseTo(0.01 + 3 * PAGE, within(1e-3));
        assertThat(share(and(ONE, HALF_OF_N))).isCloseTo(0.05 + 3 * PAGE, within(1e-3));
    }

    @Test
    void conditionsBehindAFreeSortColumnNarrowEachRunOfEqualValues() {
        assertThat(share(HALF_OF_N)).isCloseTo(0.5 + 20 * PAGE, within(2e-3));
        assertThat(share(new Filter.Compare(Operator.EQ, "n", 7L))).isCloseTo(1.0 / 1001 + 20 * PAGE, within(1e-3));
    }

    @Test
    void otherConditionsDoNot() {
        assertThat(share(new Filter.Compare(Operator.EQ, "value", 0.5))).isEqualTo(1);
        assertThat(share(new Filter.Or(List.of(ONE, HALF_OF_N)))).isEqualTo(1);
        assertThat(share(new Filter.Compare(Operator.GT, "signal", 3L))).isEqualTo(1);
    }

    @Test
    void conditionsOnValuesThatPagesTellApartDo() {
        Filter one = new Filter.Compare(Operator.EQ, "value", 0.5);
        assertThat(ofRows(1_000_000, one, 0.1)).isCloseTo(0.1, within(1e-9));
        assertThat(ofRows(1_000_000, new Filter.In("VALUE", List.of(0.5, 0.7)), 0.1))
                .isCloseTo(0.19, within(1e-9));
        assertThat(ofRows(1_000_000, new Filter.Compare(Operator.GT, "value", 0.75), 0.1))
                .isCloseTo(0.35, within(1e-3));
        assertThat(ofRows(1_000_000, new Filter.Compare(Operator.GT, "value", 0.05), 0.1))
                .isEqualTo(1);
        assertThat(ofRows(1_000_000, one, 0.001)).as("a page at least").isEqualTo(PAGE);
        // columns may follow from one another
        assertThat(ofRows(1_000_000, and(ONE, one), 0.5)).isEqualTo(share(ONE));
    }

    @Test
    void textIsTakenToBeSpreadEvenlyToo() {
        // the seven of ten signals from s3 on, and a part of one more
        assertThat(share(new Filter.Compare(Operator.GE, "signal", "s3"))).isCloseTo(0.7 + PAGE, within(0.05));
        assertThat(share(new Filter.StartsWith("signal", "s3"))).isCloseTo(0.2 + PAGE, within(0.05));
        assertThat(share(new Filter.StartsWith("signal", "s"))).isEqualTo(1);
        assertThat(share(new Filter.StartsWith("signal", ""))).isEqualTo(1);
    }

    @Test
    void ofAFileOfTwoPagesARunTouchesOneOrBoth() {
        assertThat(ofRows(20_000, ONE)).isEqualTo(1);
        // four fifths of the signals lie in the first page, the other in a page of a quarter of its size
        assertThat(ofRows(25_000, ONE)).isCloseTo(0.76, within(0.03));
        assertThat(ofRows(40_000, ONE)).isCloseTo(0.55, within(0.03));
        assertThat(ofRows(40_000, HALF_OF_N)).isEqualTo(1);
    }

    /** Of a million rows, from 1 to 1024: ten powers of two, in bins of which each is a 16th of one. */
    @Test
    void valuesAreFoundByTheirBits() {
        FileStatistics file = new FileStatistics(
                "c",
                new ContentHash(1_000_000, 0, 0),
                List.of(),
                Map.of(
                        "signal", new ColumnStatistics("s0", "s9", 0, 10),
                        "value", new ColumnStatistics(1.0, 1024.0, 0, 500_000)));
        Filter top = new Filter.Compare(Operator.GT, "value", 1023.0);
        assertThat(estimate("bits(16, value), signal", top, file)).isCloseTo(1 / 161.0 + PAGE, within(2e-3));
        assertThat(estimate("bits(12, value), signal", top, file)).isCloseTo(1 / 11.0 + PAGE, within(2e-2));
        assertThat(estimate("bits(16, value), signal", new Filter.Compare(Operator.GT, "value", 512.0), file))
                .isCloseTo(0.5 + PAGE, within(1e-2));
        assertThat(estimate("bits(16, value), signal", new Filter.Compare(Operator.EQ, "value", 3.0), file))
                .isCloseTo(1 / 161.0 + PAGE, within(2e-3));
        assertThat(estimate("signal, bits(16, value)", top, file)).isBetween(0.05, 0.5);
        assertThat(estimate("signal", top, file)).isEqualTo(1);
        assertThat(estimate("bits(16, value), signal", ONE, file)).isGreaterThan(0.9);
    }

    private static double estimate(String sort, Filter filter, FileStatistics file) {
        return new RowEstimate(SortKey.parseList(sort), new Conditions(filter)).share(file);
    }

    @Test
    void theTightestOfSeveralBoundsCounts() {
        Filter lower = new Filter.Compare(Operator.GE, "n", 100L);
        double once = share(and(ONE, HALF_OF_N));
        assertThat(share(and(ONE, lower, HALF_OF_N))).isEqualTo(once);
        assertThat(share(and(ONE, HALF_OF_N, lower))).isEqualTo(once);
    }

    @Test
    void aRangeOfOneValueIsThatValue() {
        Filter range =
                and(new Filter.Compare(Operator.GE, "signal", "s3"), new Filter.Compare(Operator.LE, "signal", "s3"));
        assertThat(share(range)).isEqualTo(share(ONE));
    }

    @Test
    void anEmptyRangeCostsAPage() {
        assertThat(share(and(ONE, new Filter.Compare(Operator.GT, "n", 5000L)))).isCloseTo(PAGE, within(1e-3));
    }

    /** Evenly spread records, sorted by three columns, against the pages whose minima and maxima allow for the filter. */
    @Test
    void isAboutWhatPagesAreRead() {
        double[] sums = new double[2];
        Seeds.forAll(300, random -> {
            SortedFile file = new SortedFile(random);
            Filter filter = file.filter(random);
            double estimate =
                    new RowEstimate(keys(SortedFile.SCHEMA.columns()), new Conditions(filter)).share(file.statistics());
            double read = file.readShare(filter);
            double page = (double) FileStatistics.PAGE_ROWS / file.rows();
            assertThat(estimate)
                    .as("%s of %s", filter, file)
                    .isBetween(read / 2 - 2 * page, Math.min(1, 2 * read + 4 * page));
            sums[0] += estimate;
            sums[1] += read;
        });
        if (Long.getLong("mpsr.seed") == null) {
            assertThat(sums[0] / sums[1]).isBetween(0.9, 1.15);
        }
    }
}
