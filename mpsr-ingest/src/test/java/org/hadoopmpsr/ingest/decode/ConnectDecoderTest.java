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

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class ConnectDecoderTest {
    private static final Schema SCHEMA = Schema.parse(
            "signal string not null, n bigint, ts timestamp_ns, born date, value double, small float, good boolean");
    private static final org.apache.kafka.connect.data.Schema HEAD = SchemaBuilder.struct()
            .optional()
            .field("name", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
            .field(
                    "tags",
                    SchemaBuilder.map(
                                    org.apache.kafka.connect.data.Schema.STRING_SCHEMA,
                                    org.apache.kafka.connect.data.Schema.FLOAT64_SCHEMA)
                            .build())
            .build();

    private static Decoded decoder(String... mapping) {
        return new Decoded(SCHEMA, new ConnectDecoder(SCHEMA, ColumnMapping.parse(List.of(mapping))));
    }

    @Test
    void readsNestedStructsMapsListsAndLogicalTypes() throws Exception {
        var schema = SchemaBuilder.struct()
                .name("reading")
                .field("head", HEAD)
                .field(
                        "counts",
                        SchemaBuilder.array(org.apache.kafka.connect.data.Schema.INT32_SCHEMA)
                                .build())
                .field("ts", Timestamp.SCHEMA)
                .field("born", Date.SCHEMA)
                .field("small", org.apache.kafka.connect.data.Schema.FLOAT32_SCHEMA)
                .field("good", org.apache.kafka.connect.data.Schema.OPTIONAL_BOOLEAN_SCHEMA)
                .build();
        Decoded decoder = decoder("signal=head.name default none", "n=counts[1]", "value=head.tags.volt");
        Struct value = new Struct(schema)
                .put("head", new Struct(HEAD).put("name", "S").put("tags", Map.of("volt", 2.5)))
                .put("counts", List.of(1, 2, 3))
                .put("ts", new java.util.Date(-1))
                .put("born", new java.util.Date(86_400_000))
                .put("small", 0.5f);
        assertThat(decoder.row(value)).isEqualTo(Arrays.asList("S", 2L, -1_000_000L, 1L, 2.5, 0.5, null));
        assertThat(decoder.row(value.put("head", null).put("good", true).put("counts", List.of())))
                .isEqualTo(Arrays.asList("none", null, -1_000_000L, 1L, null, 0.5, true));
    }

    @Test
    void fieldsMayHaveAnyName() throws Exception {
        Schema columns = Schema.parse("`signal name` string not null, `a.b` int, a struct<`x y`:int>, `größe` bigint");
        var struct = SchemaBuilder.struct()
                .field("x y", org.apache.kafka.connect.data.Schema.INT32_SCHEMA)
                .build();
        var schema = SchemaBuilder.struct()
                .field("Signal Name", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .field("a", struct)
                .field("a.b", org.apache.kafka.connect.data.Schema.INT32_SCHEMA)
                .field("GRÖße", org.apache.kafka.connect.data.Schema.INT64_SCHEMA)
                .build();
        Struct value = new Struct(schema)
                .put("Signal Name", "S")
                .put("a", new Struct(struct).put("x y", 7))
                .put("a.b", 5)
                .put("GRÖße", 3L);
        Decoded decoder = new Decoded(columns, new ConnectDecoder(columns, ColumnMapping.BY_NAME));
        assertThat(decoder.row(value)).startsWith("S", 5L).endsWith(3L).doesNotContainNull();
    }

    @Test
    void readsDecimalsAndStringsThatAreNumbers() throws Exception {
        var schema = SchemaBuilder.struct()
                .field("signal", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .field("n", Decimal.schema(2))
                .field("value", Decimal.schema(2))
                .field("small", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .build();
        Struct value = new Struct(schema)
                .put("signal", "x")
                .put("n", new BigDecimal("12.00"))
                .put("value", new BigDecimal("0.10"))
                .put("small", "0.25");
        assertThat(decoder().row(value)).isEqualTo(Arrays.asList("x", 12L, null, null, 0.1, 0.25, null));
        decoder()
                .bad(value.put("n", new BigDecimal("12.01")))
                .hasMessage("column 'n' is of type bigint, but its value 12.01 is not a whole number of 64 bits");
    }

    @Test
    void goesAlongWithASchemaThatGainsFieldsAndWidensThem() throws Exception {
        Decoded decoder = decoder();
        var first = SchemaBuilder.struct()
                .version(1)
                .field("signal", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .field("n", org.apache.kafka.connect.data.Schema.INT32_SCHEMA)
                .build();
        var second = SchemaBuilder.struct()
                .version(2)
                .field("n", org.apache.kafka.connect.data.Schema.INT64_SCHEMA)
                .field("value", org.apache.kafka.connect.data.Schema.OPTIONAL_FLOAT64_SCHEMA)
                .field("signal", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .build();
        assertThat(decoder.row(new Struct(first).put("signal", "x").put("n", 1)).get(1))
                .isEqualTo(1L);
        assertThat(decoder.row(
                        new Struct(second).put("signal", "x").put("n", 1L << 40).put("value", 2.0)))
                .isEqualTo(Arrays.asList("x", 1L << 40, null, null, 2.0, null, null));
        assertThat(decoder.row(new Struct(first).put("signal", "y").put("n", 3)).get(0))
                .isEqualTo("y");
    }

    @Test
    void refusesASchemaThatFitsNoLongerWithAllItsFields() {
        var schema = SchemaBuilder.struct()
                .name("reading")
                .version(3)
                .field("signal", HEAD)
                .field("n", org.apache.kafka.connect.data.Schema.FLOAT64_SCHEMA)
                .field("value", org.apache.kafka.connect.data.Schema.BYTES_SCHEMA)
                .field("small", org.apache.kafka.connect.data.Schema.FLOAT64_SCHEMA)
                .build();
        decoder("value=value")
                .bad(new Struct(schema))
                .hasMessageStartingWith("the record's schema reading version 3 does not fit the dataset: ")
                .hasMessageContaining("column 'signal' of type string: field 'signal' of type struct cannot fill it")
                .hasMessageContaining("column 'n' of type bigint: field 'n' of type float64 cannot fill it")
                .hasMessageContaining("column 'value' of type double: field 'value' of type bytes cannot fill it")
                .hasMessageContaining("column 'small' of type float: field 'small' of type float64 cannot fill it");
    }

    @Test
    void refusesHalfOfASurrogatePairAndNumbersWithoutEnd() {
        var schema = SchemaBuilder.struct()
                .field("signal", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .build();
        for (String half : new String[] {"\ud800", "a\udc00b", "\ud800\ud800\udc00"}) {
            decoder()
                    .bad(new Struct(schema).put("signal", half))
                    .hasMessage("column 'signal' has half of a surrogate pair in its value");
            decoder().bad(Map.of("signal", half)).hasMessageContaining("half of a surrogate pair");
        }
        decoder()
                .bad(Map.of("signal", new BigDecimal("1E+2000000000")))
                .hasMessage("column 'signal' is of type string, but its value 1E+2000000000 has too many digits");
        decoder()
                .bad(Map.of("value", new BigDecimal(BigInteger.ONE.shiftLeft(10_000_000), 3)))
                .hasMessage("column 'value' is of type double, but its value of 10000001 bits has too many digits");
    }

    @Test
    void convertsNumbersByTheRulesOfAllFormats() throws Exception {
        assertThat(decoder("ts=ts as seconds")
                        .row(Map.of(
                                "signal",
                                "x",
                                "n",
                                12.0,
                                "ts",
                                1577836800.5,
                                "value",
                                BigInteger.TWO.pow(70),
                                "small",
                                7)))
                .isEqualTo(Arrays.asList("x", 12L, 1_577_836_800_500_000_000L, null, 0x1p70, 7.0, null));
        decoder().bad(Map.of("n", 12.5)).hasMessageEndingWith("its value 12.5 is not a whole number of 64 bits");
        decoder().bad(Map.of("n", 0x1p63)).hasMessageEndingWith("is not a whole number of 64 bits");
        decoder()
                .bad(Map.of("value", (1L << 53) + 1))
                .hasMessageEndingWith("its value 9007199254740993 would be rounded");
        decoder().bad(Map.of("born", 18262)).hasMessageContaining("such as born=born as days");
        var schema = SchemaBuilder.struct()
                .field("born", org.apache.kafka.connect.data.Schema.INT32_SCHEMA)
                .build();
        decoder()
                .bad(new Struct(schema).put("born", 18262))
                .hasMessageContaining(
                        "column 'born' of type date: field 'born' of type int32 cannot fill it: a bare number does not"
                                + " say what it counts since 1970; write it in mpsr.columns, such as born=born as days");
    }

    @Test
    void fieldsOfAStructCountInAnyCaseAndNoneIsRefused() throws Exception {
        var schema = SchemaBuilder.struct()
                .field("SIGNAL", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .build();
        assertThat(decoder().row(new Struct(schema).put("SIGNAL", "x")).get(0)).isEqualTo("x");
        var stranger = SchemaBuilder.struct()
                .field("payload", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .build();
        decoder()
                .bad(new Struct(stranger).put("payload", "x"))
                .hasMessageContaining("none of the fields of the record fills a column: it has the fields [payload]");
    }

    @Test
    void refusesMapsWithWhatNoColumnHolds() {
        decoder()
                .bad(Map.of("signal", "x", "value", List.of(1)))
                .hasMessageStartingWith("column 'value' of type double cannot hold the java.util.")
                .hasMessageEndingWith(" in field 'value'");
    }
}
