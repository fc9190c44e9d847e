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
package org.hadoopmpsr.core.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class NeededFilesTest {
    private static final Schema SCHEMA = Schema.parse("signal string, at timestamp, n int");
    private static final long HOUR = 3_600_000_000L;

    private static boolean mayHold(String predicate, Object result, String column, ColumnStatistics values) {
        ReplicaGroup group =
                new ReplicaGroup("g", List.of(Predicate.parse(predicate)), List.of(), 1, Codec.parse("none"));
        DataFile file = new DataFile(
                "/f", 1, 1, 0, new FileStatistics("s", new ContentHash(1, 2, 3), List.of(), Map.of(column, values)));
        return new NeededFiles(SCHEMA, group, List.of(Arrays.asList(result))).mayHold(file);
    }

    @Test
    void boundsAndNullsTell() {
        ColumnStatistics values = new ColumnStatistics("c", "f", 0);
        assertThat(mayHold("signal", "c", "signal", values)).isTrue();
        assertThat(mayHold("signal", "b", "signal", values)).isFalse();
        assertThat(mayHold("signal", "fa", "signal", values)).isFalse();
        assertThat(mayHold("signal", null, "signal", values)).isFalse();
        assertThat(mayHold("signal", null, "signal", ColumnStatistics.UNKNOWN)).isTrue();
        assertThat(mayHold("signal", "b", "signal", ColumnStatistics.UNKNOWN)).isTrue();
    }

    @Test
    void transformsKeepTheOrderExceptBuckets() {
        ColumnStatistics times = new ColumnStatistics(5 * HOUR, 30 * HOUR, 0);
        assertThat(mayHold("day(at)", 1L, "at", times)).isTrue();
        assertThat(mayHold("day(at)", 2L, "at", times)).isFalse();
        assertThat(mayHold("hour(at)", "1970-01-02-06", "at", times)).isTrue();
        assertThat(mayHold("hour(at)", "1970-01-01-04", "at", times)).isFalse();
        assertThat(mayHold("truncate(10, n)", 20L, "n", new ColumnStatistics(25L, 29L, 0)))
                .isTrue();
        assertThat(mayHold("truncate(10, n)", 30L, "n", new ColumnStatistics(25L, 29L, 0)))
                .isFalse();
        assertThat(mayHold("bucket(4, n)", 1L, "n", new ColumnStatistics(25L, 29L, 0)))
                .isTrue();
        assertThat(mayHold("bucket(1, n)", 0L, "n", new ColumnStatistics(25L, 25L, 0)))
                .isTrue();
    }
}
