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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDecoderTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, n int, total bigint, ts timestamp_ns,"
            + " seen timestamp, born date, value double, small float, good boolean");

    private static Decoded decoder(String... mapping) {
        return new Decoded(SCHEMA, new JsonDecoder(SCHEMA, ColumnMapping.parse(List.of(mapping))));
    }

    private static byte[] utf8(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsEveryType() throws Exception {
        Decoded decoder = decoder("seen=seen as micros", "born=born as days");
        assertThat(decoder.row(utf8("""
            {"signal":"A😀\\u00e9","n":-7,"total":9007199254740993,"ts":1493596800000000001,"seen":12,"born":3,
             "value":1.25,"small":0.1,"good":true,"other":{"signal":"no"},"more":[1,{"n":2}]}\
            """)))
                .containsExactly(
                        "A😀é", -7L, 9007199254740993L, 1493596800000000001L, 12L, 3L, 1.25, (double) 0.1f, true);
        assertThat(decoder.row(utf8("{\"signal\":\"x\",\"n\":null,\"value\":3}")))
                .isEqualTo(Arrays.asList("x", null, null, null, null, null, 3.0, null, null));
    }

    @Test
    void keysMayHaveAnyName() throws Exception {
        Schema schema = Schema.parse("`signal name` string, `a.b` int, `x=y` int, at timestamp");
        Decoded decoder = new Decoded(
                schema,
                new JsonDecoder(schema, ColumnMapping.parse(List.of("`x=y`=a.`b c`", "at=`t.s`.at as millis"))));
        assertThat(decoder.row(utf8("""
            {"SIGNAL name":"S","a":{"b":1,"b c":2},"a.b":3,"t.s":{"at":4}}\
            """))).containsExactly("S", 3L, 2L, 4000L);
        decoder.bad(utf8("{\"a.b\":\"x\"}")).hasMessageContaining("column 'a.b' is of type int");
    }

    @Test
    void readsStringsThatSayNumbersTimesAndTruth() throws Exception {
        assertThat(decoder().row(utf8("""
            {"signal":"x","n":"12","total":"-1E3","ts":"2017-05-01T02:00:00.000000001+02:00",
             "seen":"1969-12-31T23:59:59.999999Z","born":"2017-05-01","value":"NaN","small":"-Infinity",
             "good":"false"}\
            """)))
                .containsExactly(
                        "x",
                        12L,
                        -1000L,
                        1493596800000000001L,
                        -1L,
                        17287L,
                        Double.NaN,
                        Double.NEGATIVE_INFINITY,
                        false);
        assertThat(decoder().row(utf8("{\"signal\":\"x\",\"value\":NaN}")).get(6))
                .isEqualTo(Double.NaN);
    }

    @Test
    void followsPathsUnitsAndDefaults() throws Exception {
        Decoded decoder =
                decoder("signal=head.name default none", "ts=times[1] as millis", "value=rs[0].v", "born=d as seconds");
        assertThat(decoder.row(utf8("""
            {"head":{"name":"S","x":[]},"times":[1,2,3],"rs":[{"v":7.5},{"v":8}],"d":86400}\
            """)))
                .isEqualTo(Arrays.asList("S", null, null, 2_000_000L, null, 1L, 7.5, null, null));
        assertThat(decoder.row(utf8("{\"head\":7,\"times\":[1],\"rs\":[]}")))
                .isEqualTo(Arrays.asList("none", null, null, null, null, null, null, null, null));
    }

    @Test
    void readsNumbersWrittenInOtherWaysWhereNothingIsLost() throws Exception {
        assertThat(decoder()
                        .row(utf8("{\"signal\":\"x\",\"n\":12.0,\"total\":\"1.2e1\",\"ts\":\"1493596800000000001\","
                                + "\"value\":100000000000000000000,\"small\":16777216}")))
                .isEqualTo(Arrays.asList("x", 12L, 12L, 1493596800000000001L, null, null, 1e20, 0x1p24, null));
        Decoded units = decoder("seen=seen as millis", "born=born as seconds default 0", "ts=t as seconds");
        for (String millis : List.of("1577836800001", "\"1577836800001\"", "1577836800001.0", "\"1577836800001.0\"")) {
            assertThat(units.row(utf8("{\"signal\":\"x\",\"seen\":" + millis + ",\"t\":1577836800.123456789}")))
                    .as(millis)
                    .isEqualTo(Arrays.asList(
                            "x", null, null, 1_577_836_800_123_456_789L, 1_577_836_800_001_000L, 0L, null, null, null));
        }
        units.bad(utf8("{\"seen\":0.0001}"))
                .hasMessageContaining("but its value of 0 s and 100 ns is finer than microseconds");
        units.bad(utf8("{\"t\":1e-10}"))
                .hasMessageContaining("its value 1E-10 is out of range or finer than nanoseconds");
        units.bad(utf8("{\"t\":1e999999999}")).hasMessageContaining("its value 1E+999999999 is out of range");
    }

    @Test
    void believesNoClaimOfARecord() {
        String deep = "{\"x\":" + "[".repeat(200_000);
        decoder().bad(utf8(deep)).hasMessageContaining("nesting depth (1001) exceeds the maximum allowed (1000");
        decoder().bad(utf8("{\"x\":" + "{\"a\":".repeat(200_000))).hasMessageContaining("nesting depth");
        String digits = "1".repeat(2_000_000);
        decoder().bad(utf8("{\"n\":" + digits + "}")).hasMessageContaining("exceeds the maximum allowed (1000");
        decoder()
                .bad(utf8("{\"value\":\"" + digits + "\"}"))
                .hasMessage("column 'value' is of type double, but its value '" + "1".repeat(99)
                        + "... (2000002 characters) is not a number");
    }

    @Test
    void refusesWhatUtf8DoesNotAllow() {
        for (byte[] bad : new byte[][] {
            {(byte) 0xc0, (byte) 0xaf}, // over-long
            {(byte) 0xe0, (byte) 0x80, (byte) 0xaf},
            {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, // half of a surrogate pair
            {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}, // beyond Unicode
            {(byte) 0xe2, (byte) 0x82}
        }) {
            byte[] message = utf8("{\"signal\":\"" + "a".repeat(20) + "@@@@\"}");
            System.arraycopy(bad, 0, message, 31, bad.length);
            decoder().bad(message).hasMessage("the value is not valid UTF-8");
        }
    }

    @Test
    void takesTheLastOfFieldsThatComeTwice() throws Exception {
        assertThat(decoder("value=r.v", "n=r.n")
                        .row(utf8("{\"signal\":\"x\",\"r\":{\"v\":1,\"n\":1},\"r\":{\"n\":2}}")))
                .isEqualTo(Arrays.asList("x", 2L, null, null, null, null, null, null, null));
    }

    @Test
    void readsWhatJsonConverterMakes() throws Exception {
        assertThat(decoder("value=r.v").row(Map.of("signal", "S", "n", 5L, "good", true, "r", Map.of("v", 2.5))))
                .isEqualTo(Arrays.asList("S", 5L, null, null, null, null, 2.5, null, true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[1]                            | the value is not a JSON object",
                "{\"signal\":\"x\"} {}          | the value goes on after its JSON object",
                "{\"n\":1}                       | column 'signal' is not null, but the record has no value for it",
                "{\"signal\":7}                 | column 'signal' is of type string, but its value 7 is a number",
                "{\"signal\":\"\\ud800\"}       | column 'signal' has half of a surrogate pair in its value",
                "{\"n\":2147483648}             | column 'n' is of type int, but its value 2147483648 is out of range",
                "{\"n\":1.5}                    | column 'n' is of type int, but its value 1.5 is not a whole number"
                        + " of 64 bits",
                "{\"total\":9223372036854775808} | column 'total' is of type bigint, but its value 9223372036854775808"
                        + " is out of range",
                "{\"value\":9007199254740993}  | column 'value' is of type double, but its value 9007199254740993"
                        + " would be rounded",
                "{\"value\":\"9007199254740993\"} | column 'value' is of type double, but its value 9007199254740993"
                        + " would be rounded",
                "{\"value\":100000000000000000001} | column 'value' is of type double, but its value"
                        + " 100000000000000000001 would be rounded",
                "{\"small\":16777217}         | column 'small' is of type float, but its value 16777217 would be"
                        + " rounded",
                "{\"value\":1e400}            | column 'value' is of type double, but its value 1e400 is out of range",
                "{\"value\":\"-1e400\"}        | column 'value' is of type double, but its value -1E+400 is out of"
                        + " range",
                "{\"n\":1e400}                | column 'n' is of type int, but its value 1E+400 is not a whole number"
                        + " of 64 bits",
                "{\"n\":NaN}                  | column 'n' is of type int, but its value NaN is not a whole number of"
                        + " 64 bits",
                "{\"seen\":1577836800000}     | column 'seen' is of type timestamp, but its value 1577836800000: a"
                        + " bare number does not say what it counts since 1970; write it in mpsr.columns, such as"
                        + " seen=seen as millis",
                "{\"seen\":\"1577836800000\"}  | column 'seen' is of type timestamp, but its value 1577836800000: a"
                        + " bare number does not say what it counts since 1970; write it in mpsr.columns, such as"
                        + " seen=seen as millis",
                "{\"born\":18262.0}           | column 'born' is of type date, but its value 18262.0: a bare number"
                        + " does not say what it counts since 1970; write it in mpsr.columns, such as born=born as days",
                "{\"n\":\"1.5\"}                | column 'n' is of type int, but its value 1.5 is not a whole number"
                        + " of 64 bits",
                "{\"total\":true}               | column 'total' is of type bigint, but its value true is a boolean",
                "{\"value\":\"many\"}           | column 'value' is of type double, but its value 'many' is not a"
                        + " number",
                "{\"small\":1e99}               | column 'small' is of type float, but its value 1.0E99 is out of"
                        + " range",
                "{\"good\":\"yes\"}             | column 'good' is of type boolean, but its value 'yes' is neither"
                        + " true nor false",
                "{\"value\":{\"v\":1}}          | column 'value' of type double cannot hold the object in field"
                        + " 'value'",
                "{\"value\":[1]}                | column 'value' of type double cannot hold the array in field 'value'"
            })
    void saysWhatIsWrongWithABadRecord(String json, String message) {
        decoder().bad(utf8(json)).hasMessage(message);
    }

    @Test
    void saysWhatIsWrongWithTimes() {
        decoder()
                .bad(utf8("{\"ts\":\"2017-05-01\"}"))
                .hasMessage("column 'ts' is of type timestamp_ns, but its value '2017-05-01' does not look like"
                        + " 2017-05-01T13:00:00.5Z, with its zone");
        decoder().bad(utf8("{\"born\":\"1.5.2017\"}")).hasMessageContaining("does not look like 2017-05-01");
        decoder()
                .bad(utf8("{\"seen\":\"2017-05-01T00:00:00.0000001Z\"}"))
                .hasMessageContaining("is finer than microseconds; use type timestamp_ns");
        decoder().bad(utf8("{\"ts\":\"2500-01-01T00:00:00Z\"}")).hasMessageContaining("is out of range");
        decoder("born=d as seconds").bad(utf8("{\"d\":7}")).hasMessageContaining("is not a midnight in UTC");
    }

    @Test
    void saysWhatIsWrongWithBrokenMessages() {
        decoder().bad(utf8("{\"signal\":\"x\"")).hasMessageStartingWith("the value is not a JSON object: ");
        decoder().bad(utf8("")).hasMessage("the value is not a JSON object");
        decoder().bad(null).hasMessageStartingWith("the record has no value: it is a tombstone");
        decoder().bad("text").hasMessageStartingWith("the value is a java.lang.String, not an object with fields");
    }
}
