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
package org.hadoopmpsr.core.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.advise.DataSample;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.workload.Amount;
import org.hadoopmpsr.core.workload.QueryClass;
import org.hadoopmpsr.core.workload.QueryShape;
import org.hadoopmpsr.core.workload.QueryTally;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DatasetFeaturesTest {
    private static final DataSample SAMPLE = new DataSample(
            Schema.parse("signal string, t bigint, value double, ok boolean"),
            1000,
            5000,
            Map.of(),
            List.of(
                    new DataSample.Row(0, Arrays.asList("ab", 1L, 2.0, true)),
                    new DataSample.Row(0, Arrays.asList("ü", 1L, null, null))));

    @Test
    void meansWeighClassesByTheirQueries() {
        // records of 2 + 8 + 8 + 1 and 2 + 8 bytes
        Map<String, Double> features = DatasetFeatures.of(
                SAMPLE, List.of(queries(30, List.of("t"), 100, 1000), queries(10, null, 1000, 1000)));

        assertThat(features)
                .contains(
                        entry("rows", 1000.0),
                        entry("width", 14.5),
                        entry("bytes", 14500.0),
                        entry("numeric", 0.75),
                        entry("reads", 40.0),
                        entry("columns", (30 * 1 + 10 * 4) / 40.0));
        assertThat(features.get("selectivity")).isCloseTo((30 * 0.1 + 10 * 1) / 40, within(1e-12));
        assertThat(features).doesNotContainKey("bandwidth");
    }

    @Test
    void nothingAskedIsNothingRead() {
        assertThat(DatasetFeatures.of(SAMPLE, List.of()))
                .contains(entry("reads", 0.0), entry("columns", 0.0), entry("selectivity", 0.0));
    }

    private static QueryClass queries(long count, @Nullable List<String> columns, double planned, double all) {
        return new QueryClass(
                new QueryShape(List.of(), columns),
                0,
                new QueryTally(
                        count,
                        0,
                        0,
                        1,
                        2,
                        List.of(),
                        new Amount(1, 1, planned * count),
                        new Amount(1, 1, all * count),
                        Map.of(),
                        0,
                        0,
                        null));
    }
}
