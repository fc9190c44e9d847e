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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlteredColumnsTest {
    private static final Schema SCHEMA = Schema.parse(
            "signal string not null, timestamp timestamp not null, value float, quality int not null, n bigint, tiny tinyint,"
                    + " price decimal(9,2), total decimal(20,2), kind int");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(group("time", "day(timestamp)"), group("signal", "signal", "bucket(3, kind)")), "time");

    private static ReplicaGroup group(String name, String... predicates) {
        return new ReplicaGroup(
                name,
                Arrays.stream(predicates).map(Predicate::parse).toList(),
                List.of("timestamp"),
                1,
                Codec.parse("none"));
    }

    private static Column column(String text) {
        return Schema.parse(text).columns().get(0);
    }

    @Test
    void aColumnIsAddedAfterTheOthers() {
        Schema added = AlteredColumns.added(SCHEMA, GROUPS, column("Pos struct<x:double>"));
        assertThat(added.ddl()).isEqualTo(SCHEMA.ddl() + ", Pos struct<x:double>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "VALUE double | has the column 'value float' already",
                "extra double not null | the records that are there have no value for it",
                "day date | has the name of a column",
            })
    void whatCannotBeAdded(String text, String problem) {
        assertThatThrownBy(() -> AlteredColumns.added(SCHEMA, GROUPS, column(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "value double | value double",
                "Quality bigint | quality bigint not null",
                "tiny smallint | tiny smallint",
                "tiny bigint | tiny bigint",
                "price decimal(18,2) | price decimal(18,2)",
                "total decimal(38,2) | total decimal(38,2)",
            })
    void numbersAreWidened(String text, String now) {
        Schema widened = AlteredColumns.widened(SCHEMA, GROUPS, column(text));
        Column column = widened.find(column(text).name()).orElseThrow();
        assertThat(column.ddl()).isEqualTo(now);
        assertThat(widened.columns()).hasSameSizeAs(SCHEMA.columns());
        assertThat(widened.indexOf(column.name())).isEqualTo(SCHEMA.indexOf(column.name()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nobody int | has no column 'nobody'",
                "quality int | it can become bigint",
                "quality double | it can become bigint",
                "tiny float | it can become smallint or int or bigint",
                "n int | it can have no other type",
                "value float | it can become double",
                "price decimal(18,3) | it can have up to 18 digits, 2 of them after the point",
                "price decimal(19,2) | it can have up to 18 digits",
                "price decimal(8,2) | it can have up to 18 digits",
                "total decimal(39,2) | decimal(39, 2) is no type",
                "signal binary | it can have no other type",
                "kind bigint | is named in the predicate 'bucket(3, kind)'",
            })
    void whatCannotBeWidened(String text, String problem) {
        assertThatThrownBy(() -> AlteredColumns.widened(SCHEMA, GROUPS, column(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }
}
