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
package org.hadoopmpsr.core.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShownColumnsTest {
    private static final Schema SCHEMA = Schema.parse("t date, a int not null, dir int, b int, c int, d int, e int");
    private static final List<String> IN_FILES = List.of("t", "a", "b", "c", "d", "e");

    /** {@code "t b=a a=c"}: the column t, and a under the name b, and c under the name a. */
    private static ShownColumns shown(String text) {
        return new ShownColumns(Arrays.stream(text.split(" "))
                .map(word -> word.split("="))
                .map(parts -> new ShownColumn(parts[0], parts[parts.length - 1]))
                .toList());
    }

    private static String text(List<ShownColumns.Found> columns) {
        return columns.stream()
                .map(ShownColumns.Found::column)
                .map(c -> c.name().equals(c.stored()) ? c.name() : c.name() + "=" + c.stored())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // files have all columns that there were when they were written
                "t x=a b c d e | t a b c d e | t x=a b c d e",
                "t x=a b c d e | T A b c | t x=a b c",
                "e d c b a t | t a b c d e | e d c b a t",
                "e d c b a t | t a b | b a t",
                "t b c d e | t a b c d e | t b c d e",
                // b was dropped, and then came again as e
                "t a c d b=e | t a b c d e | t a c d b=e",
                "e2=t b=e a c d | t a b c d e | e2=t b=e a c d",
                "b=e t a c d | t a b c d | b=e t a c d",
                "b=e t a c d | t a b- c d | t a c d",
                // somebody has stated some
                "t x=a b c d e | e x | e x=a",
                "t x=a b c d e | e A | e x=a",
                "t x=a b c d e | x a e | x=a e",
                "t a c d b=e | t b | t b=e",
                "t a c d b=e | e b | b=e",
                "t b c d e | e a | e",
                // directories, and columns that only others have
                "t x=a b c d e | t a day | t x=a day",
                "t b x=a c d e folder=dir | t a b DIR day | t b x=a folder=dir day",
                "folder=dir t x=a b c d e | t a dir | t x=a folder=dir",
                "t x=a b c d e | t a extra b | t x=a b extra",
                "t x=a b c d e | other | other",
            })
    void columnsThatAreFound(String shown, String found, String expected) {
        List<String> names = List.of(found.replace("-", "").split(" "));
        List<ShownColumns.Found> all =
                shown(shown).among(SCHEMA, IN_FILES, names, (name, column) -> !found.contains(name + "-"));
        assertThat(text(all)).isEqualTo(expected);
        assertThat(names)
                .containsAll(all.stream().map(ShownColumns.Found::found).toList());
    }

    @Test
    void aNameMeansTheColumnThatIsShown() {
        ShownColumns shown = shown("t x=a a=c");
        assertThat(List.of(shown.stored("X"), shown.stored("A"), shown.stored("b"), shown.stored("none")))
                .containsExactly("a", "c", "b", "none");
        assertThat(shown.findStored("C")).contains(new ShownColumn("a", "c"));
        assertThat(shown.findStored("b")).isEmpty();
        assertThat(shown.areAsStored(SCHEMA)).isFalse();
        assertThat(ShownColumns.of(SCHEMA).areAsStored(SCHEMA)).isTrue();
        assertThat(shown.text(SCHEMA)).isEqualTo("t date, x int not null (in files: a), a int (in files: c)");
    }

    @ParameterizedTest
    @CsvSource({"a b A=c", "a b=A"})
    void aColumnIsShownOnce(String text) {
        assertThatThrownBy(() -> shown(text)).hasMessageContaining("is shown twice");
    }

    @Test
    void columnsOfTablesKeepTheirNames() {
        assertThat(text(shown("t x=a a=c d e").stated(List.of("e", "b", "A", "x", "day"))))
                .isEqualTo("e b A=c x=a day");
    }

    @Test
    void oneColumnIsShown() {
        assertThatThrownBy(() -> new ShownColumns(List.of())).hasMessageContaining("at least one column");
    }
}
