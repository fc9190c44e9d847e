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
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlteredColumnsTest {
    private static final Schema SCHEMA = Schema.parse(
            "signal string not null, timestamp timestamp not null, value float, quality int not null, n bigint, tiny tinyint,"
                    + " price decimal(9,2), total decimal(20,2), kind int");
    private static final DatasetColumns NOW = DatasetColumns.of(SCHEMA);
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(group("time", "day(timestamp)"), group("signal", "signal", "bucket(3, kind)")), "time");

    private static ReplicaGroup group(String name, String... predicates) {
        return new ReplicaGroup(
                name,
                Arrays.stream(predicates).map(Predicate::parse).toList(),
                SortKey.of(List.of("timestamp")),
                1,
                Codec.parse("none"));
    }

    private static Column column(String text) {
        return Schema.parse(text).columns().get(0);
    }

    @Test
    void aColumnIsAddedAfterTheOthers() {
        DatasetColumns added = AlteredColumns.added(NOW, GROUPS, column("Pos struct<x:double>"));
        assertThat(added.shown().areAsStored(added.stored())).isTrue();
        assertThat(added.stored().ddl()).isEqualTo(SCHEMA.ddl() + ", Pos struct<x:double>");
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
        assertThatThrownBy(() -> AlteredColumns.added(NOW, GROUPS, column(text)))
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
        Schema widened = AlteredColumns.widened(NOW, GROUPS, column(text)).stored();
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
        assertThatThrownBy(() -> AlteredColumns.widened(NOW, GROUPS, column(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    private static DatasetColumns after(String... steps) {
        DatasetColumns now = NOW;
        for (String step : steps) {
            String[] words = step.split(" ", -1);
            now = switch (words[0]) {
                case "add" -> AlteredColumns.added(now, GROUPS, column(words[1] + " " + words[2]));
                case "rename" -> AlteredColumns.renamed(now, GROUPS, words[1], words[2]);
                case "drop" -> AlteredColumns.dropped(now, GROUPS, List.of("n"), words[1]);
                case "move" -> AlteredColumns.moved(now, words[1], words.length > 2 ? words[2] : null);
                case "widen" -> AlteredColumns.widened(now, GROUPS, column(words[1] + " " + words[2]));
                default -> throw new AssertionError(step);
            };
        }
        return now;
    }

    private static String names(ShownColumns shown) {
        return shown.columns().stream()
                .map(c -> c.name().equals(c.stored()) ? c.name() : c.name() + "=" + c.stored())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rename value reading | signal timestamp reading=value quality n tiny price total kind",
                "rename value reading; rename READING value | signal timestamp value quality n tiny price total kind",
                "rename value Value | signal timestamp Value=value quality n tiny price total kind",
                "rename signal name | name=signal timestamp value quality n tiny price total kind",
                "drop value | signal timestamp quality n tiny price total kind",
                "drop value; add value string | signal timestamp quality n tiny price total kind value=value_2",
                "drop value; add value string; drop value; add value date |"
                        + " signal timestamp quality n tiny price total kind value=value_3",
                "rename value x; widen x double | signal timestamp x=value quality n tiny price total kind",
                "move kind; move value kind | kind value signal timestamp quality n tiny price total",
                "move signal total | timestamp value quality n tiny price total signal kind",
            })
    void columnsAreShownOtherwise(String steps, String shown) {
        DatasetColumns after = after(steps.split("; "));
        assertThat(names(after.shown())).isEqualTo(shown);
        assertThat(after.stored().columns().stream().map(Column::name).limit(9))
                .isEqualTo(SCHEMA.columns().stream().map(Column::name).toList());
    }

    @Test
    void aDroppedColumnMayBeNull() {
        assertThat(after("drop quality").stored().find("quality").orElseThrow().nullable())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rename nobody x | has no column 'nobody'; it has signal string not null",
                "rename value QUALITY | has the column 'quality int not null' already",
                "rename value day | the directories of group 'time' have, for day(timestamp)",
                "rename value | the name of a column is empty",
                "drop signal | is named in the predicate 'signal'",
                "drop kind | is named in the predicate 'bucket(3, kind)'",
                "drop n | is a key column",
                "rename value x; drop value | has no column 'value'",
                "move value value | cannot come after itself",
                "move value nobody | has no column 'nobody'",
                "rename value x; rename quality value | files, and those who write them, have the name 'value' for the column 'x'",
                "rename value x; add value int | have the name 'value' for the column 'x'",
                "rename value x; add x int | has the column 'x float' already",
            })
    void whatMakesNoSense(String steps, String problem) {
        String[] all = (steps.endsWith("rename value") ? steps + " " : steps).split("; ");
        assertThatThrownBy(() -> after(all))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void aColumnThatSortsIsNotDropped() {
        ReplicaGroups groups = new ReplicaGroups(List.of(group("time", "signal")), "time");
        assertThatThrownBy(() -> AlteredColumns.dropped(NOW, groups, List.of(), "timestamp"))
                .hasMessageContaining("sorts the records of group 'time'");
    }
}
