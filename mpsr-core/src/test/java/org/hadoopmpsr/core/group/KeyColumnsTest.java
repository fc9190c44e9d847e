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
package org.hadoopmpsr.core.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class KeyColumnsTest {
    private static final Schema SCHEMA = Schema.parse(
            "signal string not null, ts timestamp not null, device string, value double, level float, note string");

    private static ReplicaGroups groups(String predicate, String... sort) {
        return new ReplicaGroups(
                List.of(
                        new ReplicaGroup(
                                "time",
                                List.of(Predicate.parse("day(ts)")),
                                SortKey.of(List.of("signal")),
                                1,
                                Codec.parse("none")),
                        new ReplicaGroup(
                                "other",
                                List.of(Predicate.parse(predicate)),
                                List.of(sort).stream().map(SortKey::parse).toList(),
                                1,
                                Codec.parse("none"))),
                "time");
    }

    private static String problem(ReplicaGroups groups, String... keys) {
        return KeyColumns.problem(groups, SCHEMA, List.of(keys)).orElse("");
    }

    @Test
    void keysHoldEveryColumnThatGroupsPartitionOrSortBy() {
        ReplicaGroups groups = groups("bucket(4, signal)", "signal", "ts");
        assertThat(problem(groups)).isEmpty();
        assertThat(problem(groups, "signal", "ts")).isEmpty();
        assertThat(problem(groups, "TS", "note", "Signal", "signal")).isEmpty();
        assertThat(problem(groups, "signal"))
                .isEqualTo(
                        "records with equal signal need not lie in the same place in every replica group, because groups"
                                + " partition or sort by ts; make these columns keys too: one that the others determine changes no"
                                + " key");
        assertThat(problem(groups("device"), "signal", "ts")).contains("partition or sort by device; make");
        assertThat(problem(groups("device", "note"), "signal", "ts"))
                .contains("partition or sort by device, note; make");
    }

    @Test
    void aKeyIsAColumn() {
        ReplicaGroups groups = groups("signal", "ts");
        assertThat(problem(groups, "signal", "sensor", "ts"))
                .isEqualTo(
                        "there is no column 'sensor' to be a key; the columns are signal, ts, device, value, level, note");
        assertThat(problem(groups, "")).startsWith("there is no column ''");
    }

    @Test
    void floatingPointNumbersAreNoKeys() {
        ReplicaGroups groups = groups("signal", "ts");
        assertThat(problem(groups, "signal", "ts", "LEVEL", "value"))
                .isEqualTo(
                        "floating-point numbers cannot be keys, because equal ones can have different bits, and these"
                                + " columns hold such numbers: value, level; leave them out, or declare them as another type");
        assertThat(problem(groups("signal", "ts", "value"), "signal", "ts"))
                .isEqualTo(problem(groups("signal", "ts", "bits(8, value)"), "signal", "ts"))
                .endsWith("because groups partition or sort by value, and floating-point numbers cannot be keys; choose"
                        + " groups without them, or keep all records");
    }
}
