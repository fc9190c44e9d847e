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

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumn;
import org.hadoopmpsr.core.schema.ShownColumns;
import org.junit.jupiter.api.Test;

/** Columns of datasets that show them under other names than files have. */
class RenamedFieldsTest {
    private static final Schema SCHEMA = Schema.parse("signal string, value double, quality int, comment string");
    /** {@code value} is shown as {@code reading}, and {@code comment} as {@code quality}, which was dropped before. */
    private static final ShownColumns SHOWN = new ShownColumns(List.of(
            new ShownColumn("reading", "value"),
            new ShownColumn("signal", "signal"),
            new ShownColumn("quality", "comment")));

    private static ColumnMapping mapping(String... entries) {
        return ColumnMapping.parse(List.of(entries)).of(SHOWN);
    }

    @Test
    void aRenamedColumnTakesBothNames() throws Exception {
        Decoded json = new Decoded(SCHEMA, new JsonDecoder(SCHEMA, mapping()));
        assertThat(json.row(bytes("{'signal':'s','reading':1}"))).containsExactly("s", 1.0, null, null);
        assertThat(json.row(bytes("{'signal':'s','value':2}"))).containsExactly("s", 2.0, null, null);
        assertThat(json.row(bytes("{'signal':'s','Value':3,'quality':'good'}")))
                .containsExactly("s", 3.0, null, "good");
        assertThat(json.row(bytes("{'signal':'s','comment':'fine'}"))).containsExactly("s", null, null, "fine");

        Decoded connect = new Decoded(SCHEMA, new ConnectDecoder(SCHEMA, mapping()));
        for (String name : List.of("reading", "value", "VALUE")) {
            org.apache.kafka.connect.data.Schema schema = SchemaBuilder.struct()
                    .field(name, org.apache.kafka.connect.data.Schema.FLOAT64_SCHEMA)
                    .build();
            assertThat(connect.row(new Struct(schema).put(name, 4.0))).as(name).containsExactly(null, 4.0, null, null);
        }
    }

    @Test
    void theMappingNamesWhatIsShown() throws Exception {
        Decoded json =
                new Decoded(SCHEMA, new JsonDecoder(SCHEMA, mapping("reading=head.v", "quality=note default none")));
        assertThat(json.row(bytes("{'head':{'v':1},'value':2,'note':'n'}"))).containsExactly(null, 1.0, null, "n");
        assertThat(json.row(bytes("{'head':{'v':1},'comment':'c'}"))).containsExactly(null, 1.0, null, "none");
        for (String name : List.of("value", "comment", "other")) {
            assertThatThrownBy(() -> new ColumnSources(SCHEMA, mapping(name + "=x")))
                    .hasMessage("there is no column '" + name + "' in the dataset's schema (reading double (in files:"
                            + " value), signal string, quality string (in files: comment))");
        }
        assertThatThrownBy(() -> new ColumnSources(SCHEMA, mapping("reading=x as millis")))
                .hasMessageContaining("column 'reading' is of type double");
        json.bad(bytes("{'other':1}")).hasMessageContaining("the columns are filled by signal, head.v, note");
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}
