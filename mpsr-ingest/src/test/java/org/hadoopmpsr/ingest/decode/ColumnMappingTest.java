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
package org.hadoopmpsr.ingest.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnMappingTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, ts timestamp_ns, value double");

    @Test
    void takesFieldsOfTheColumnsNamesUnlessToldOtherwise() {
        ColumnMapping mapping = ColumnMapping.parse(
                List.of("TS = head.stamps[1] as millis", " value=a.b default 1.5 or so ", "signal=name"));
        assertThat(mapping.sources(SCHEMA))
                .containsExactly(
                        new FieldSource(FieldPath.of("name"), null, null),
                        new FieldSource(new FieldPath(List.of("head", "stamps", 1)), TimeUnit.MILLISECONDS, null),
                        new FieldSource(new FieldPath(List.of("a", "b")), null, "1.5 or so"));
        assertThat(ColumnMapping.BY_NAME.sources(SCHEMA))
                .extracting(s -> s.path().text())
                .containsExactly("signal", "ts", "value");
        assertThat(FieldPath.parse("a[0][2].b").text()).isEqualTo("a[0][2].b");
    }

    @Test
    void namesThatAreNotPlainStandInBackticks() {
        Schema schema = Schema.parse("`a=b c` double, `1st` timestamp, `x.y` string, plain string");
        ColumnMapping mapping = ColumnMapping.parse(
                List.of("`A=B c` = head.`x.y z`[1].`t``t` default 1.5", "`1st`=`[at]` as millis", "plain=a`b.c"));
        assertThat(mapping.sources(schema))
                .containsExactly(
                        new FieldSource(new FieldPath(List.of("head", "x.y z", 1, "t`t")), null, "1.5"),
                        new FieldSource(FieldPath.of("[at]"), TimeUnit.MILLISECONDS, null),
                        new FieldSource(FieldPath.of("x.y"), null, null),
                        new FieldSource(new FieldPath(List.of("a`b", "c")), null, null));
        assertThat(mapping.sources(schema))
                .allSatisfy(source ->
                        assertThat(FieldPath.parse(source.path().text())).isEqualTo(source.path()))
                .extracting(source -> source.path().text())
                .containsExactly("head.`x.y z`[1].t`t", "`[at]`", "`x.y`", "a`b.c");
        assertThatThrownBy(() -> FieldPath.parse("`a`b")).hasMessageContaining("is not the path of a field");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "value                  | 'value' is not of the form column=path [as unit] [default value]",
                "=value                 | '=value' is not of the form column=path [as unit] [default value]",
                "value=                 | '' is not of the form path [as unit] [default value]",
                "value=a b              | 'a b' is not of the form path [as unit] [default value]",
                "ts=a as hours          | 'hours' is not a unit of time; use days, seconds, millis, micros or nanos",
                "value=a..b             | 'a..b' is not the path of a field; write it like head.device or readings[0].value",
                "value=a[x]             | 'a[x]' is not the path of a field; write it like head.device or readings[0].value"
            })
    void saysWhatIsWrongWithAnEntry(String entry, String message) {
        assertThatThrownBy(() -> ColumnMapping.parse(List.of(entry)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void mustFitTheSchema() {
        assertThatThrownBy(() -> ColumnMapping.parse(List.of("value=a", "VALUE=b")))
                .hasMessage("column 'VALUE' is named twice");
        assertThatThrownBy(() -> new ColumnSources(SCHEMA, ColumnMapping.parse(List.of("unit=u"))))
                .hasMessage("there is no column 'unit' in the dataset's schema (" + SCHEMA.ddl() + ")");
        assertThatThrownBy(() -> new ColumnSources(SCHEMA, ColumnMapping.parse(List.of("value=v as nanos"))))
                .hasMessage(
                        "column 'value' is of type double, and only a date, a timestamp or a time of day has a unit of time");
        assertThatThrownBy(() -> new ColumnSources(SCHEMA, ColumnMapping.parse(List.of("value=a.b", "signal=a"))))
                .hasMessageContaining("is to fill two columns");
        assertThatThrownBy(() -> new ColumnSources(SCHEMA, ColumnMapping.parse(List.of("value=v default many"))))
                .hasMessage("a default does not fit: column 'value' is of type double, but its value 'many' is not a"
                        + " number");
    }
}
