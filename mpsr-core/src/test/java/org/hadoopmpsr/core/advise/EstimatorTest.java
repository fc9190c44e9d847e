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
package org.hadoopmpsr.core.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.assertj.core.data.Percentage;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.workload.AskedShape.Measured;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.Term;
import org.junit.jupiter.api.Test;

/** Of columns that depend on the columns of a group and of one that does not, pages are counted in all records, and predicted from a sample. */
class EstimatorTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261129);
    private static final String WHAT = "-Dmpsr.seed=" + SEED;
    private static final Schema SCHEMA =
            Schema.parse("signal string not null, value double not null, luck double not null");
    private static final ReplicaGroup GROUP = new ReplicaGroup(
            "signal", List.of(Predicate.parse("bucket(4, signal)")), List.of(), 1, Codecs.parse("zstd:3"));
    private static final int RECORDS = 800_000;
    private static final int SAMPLED = 4_000;
    private static final double BYTES_OF_RECORD = 24;

    private record Reading(String signal, double value, double luck) {}

    /** The value of a record follows from its signal, but for a little. */
    private static List<Reading> records() {
        Random random = new Random(SEED);
        List<Reading> all = new ArrayList<>(RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            int number = (int) (1_000 * Math.pow(random.nextDouble(), 2));
            all.add(new Reading(
                    String.format("S%04d", number), number + 10 * random.nextDouble(), random.nextDouble() * 1_000));
        }
        return all;
    }

    private static Estimator estimator(List<Reading> all) {
        List<Reading> some = new ArrayList<>(all);
        Collections.shuffle(some, new Random(SEED));
        List<DataSample.Row> rows = some.subList(0, SAMPLED).stream()
                .map(r -> new DataSample.Row(0, List.of(r.signal(), r.value(), r.luck())))
                .toList();
        DataSample sample = new DataSample(SCHEMA, RECORDS, RECORDS * BYTES_OF_RECORD, Map.of(), rows);
        return new Estimator(
                sample, MpsrConfig.read(key -> null).costs(), 128 << 20, GroupSizes.NONE, null, GROUP.name());
    }

    /** The pages of the group's files, one file for each bucket. */
    private static List<List<Reading>> pages(List<Reading> all) {
        Predicate bucket = GROUP.predicates().get(0);
        List<List<Reading>> pages = new ArrayList<>();
        all.stream()
                .collect(Collectors.groupingBy(r -> bucket.transform().apply(ColumnType.STRING, r.signal())))
                .values()
                .forEach(file -> {
                    List<Reading> sorted = file.stream()
                            .sorted(Comparator.comparing(Reading::signal))
                            .toList();
                    for (int from = 0; from < sorted.size(); from += FileStatistics.PAGE_ROWS) {
                        pages.add(sorted.subList(from, Math.min(sorted.size(), from + FileStatistics.PAGE_ROWS)));
                    }
                });
        return pages;
    }

    private static Question question(String column, double low, double high) {
        QueryClass queries = AskedWorkloads.of(Map.of(List.of(Measured.range(column, Term.Operator.RANGE, 0.01)), 1))
                .get(0);
        Filter filter =
                new Filter.And(List.of(new Compare(Operator.GE, column, low), new Compare(Operator.LE, column, high)));
        return new Question(queries, 1, List.of(new ReadRequest(filter, null)));
    }

    private static double share(List<List<Reading>> pages, boolean ofValues, double low, double high) {
        long read = 0;
        for (List<Reading> page : pages) {
            double[] values = page.stream()
                    .mapToDouble(r -> ofValues ? r.value() : r.luck())
                    .sorted()
                    .toArray();
            if (values[0] <= high && values[values.length - 1] >= low) {
                read += page.size();
            }
        }
        return (double) read / RECORDS;
    }

    @Test
    void conditionsOnOtherColumnsLeaveThePagesThatTheyLeaveInTheGroup() {
        List<Reading> all = records();
        List<List<Reading>> pages = pages(all);
        Estimator estimator = estimator(all);
        List<Estimator.Laid> groups = List.of(estimator.laid(GROUP));
        double predicted = 0;
        double read = 0;
        for (int low = 0; low < 1_000; low += 10) {
            predicted += estimator
                            .estimate(question("value", low, low + 10), groups, GROUP.name())
                            .bytes()
                    / (RECORDS * BYTES_OF_RECORD);
            read += share(pages, true, low, low + 10);
        }
        assertThat(read / 100).as("few pages are read").isLessThan(0.3);
        assertThat(predicted).as(WHAT).isCloseTo(read, Percentage.withPercentage(15));
        assertThat(share(pages, false, 500, 510)).isEqualTo(1);
        assertThat(estimator
                        .estimate(question("luck", 500, 510), groups, GROUP.name())
                        .bytes())
                .as("what does not depend on the group's columns leaves all pages, %s", WHAT)
                .isCloseTo(RECORDS * BYTES_OF_RECORD, within(1.0));
    }
}
