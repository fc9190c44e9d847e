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

import java.util.List;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecsTest {
    private static final Schema SCHEMA = Schema.parse("signal string, value double");

    private static int version(String predicate, String codecs) {
        ReplicaGroup group =
                new ReplicaGroup("g", List.of(Predicate.parse(predicate)), List.of(), 1, Codecs.parse(codecs));
        return DatasetVersion.first(SCHEMA, new ReplicaGroups(List.of(group), "g"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "zstd | zstd:3",
                " gzip:9 | gzip:9",
                "value = none, snappy | snappy, value=none",
                "value=none | zstd:3, value=none",
                "auto | auto",
                "value=auto, AUTO | auto, value=auto",
                "lz4_raw, `a, b=c`=zstd:1, `d``e`=gzip | lz4_raw, `a, b=c`=zstd:1, `d``e`=gzip"
            })
    void areReadAndWritten(String text, String expected) {
        Codecs codecs = Codecs.parse(text);
        assertThat(codecs.text()).isEqualTo(expected);
        assertThat(Codecs.parse(codecs.text())).isEqualTo(codecs);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | unknown codec ''",
                "bzip2 | unknown codec 'bzip2'; use zstd, zstd:<1-22>, snappy, lz4_raw, gzip, gzip:<1-9>, none or auto",
                "auto:3 | unknown codec 'auto:3'",
                "snappy:1 | unknown codec 'snappy:1'",
                "zstd:23 | unknown codec 'zstd:23'",
                "zstd, gzip | 'zstd, gzip' has two codecs without a column",
                "a b=zstd | 'a b' is not plain as the name of a column",
                "a=zstd, A=none | column 'A' has two codecs; name it once"
            })
    void sayWhatIsWrong(String text, String problem) {
        assertThatThrownBy(() -> Codecs.parse(text)).hasMessageContaining(problem);
    }

    @Test
    void aColumnIsMeantInAnyCase() {
        Codecs codecs = Codecs.parse("snappy, Value=none");
        assertThat(codecs.of("VALUE").text()).isEqualTo("none");
        assertThat(codecs.of("signal").text()).isEqualTo("snappy");
        assertThat(codecs.withColumns(name -> name + "2").text()).isEqualTo("snappy, Value2=none");
    }

    /** Versions of MPSR before 9 read neither. */
    @Test
    void aDatasetHasVersion9WhereVersionsBeforeDoNotReadItsGroups() {
        assertThat(version("signal", "zstd:22")).isEqualTo(1);
        assertThat(version("signal", "gzip")).isEqualTo(1);
        assertThat(version("signal", "gzip:1")).isEqualTo(9);
        assertThat(version("signal", "zstd, value=none")).isEqualTo(9);
        assertThat(version("bits(12, value)", "zstd")).isEqualTo(9);
        assertThat(version("signal", "auto")).isEqualTo(12);
        assertThat(version("signal", "zstd, value=auto")).isEqualTo(12);
    }
}
