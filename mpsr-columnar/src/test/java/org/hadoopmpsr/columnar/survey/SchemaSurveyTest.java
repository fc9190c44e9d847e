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
package org.hadoopmpsr.columnar.survey;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaSurveyTest {
    private static MessageType files(String fields) {
        return MessageTypeParser.parseMessageType("message m { " + fields + " }");
    }

    private static String proposed(SchemaSurvey survey, String... directories) {
        return survey.propose(List.of(directories)).map(Schema::ddl).orElse("none");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        int32 c                                   | int
        int32 c (INTEGER(8,true))                 | tinyint
        int32 c (INTEGER(16,true))                | smallint
        int32 c (INTEGER(32,true))                | int
        int32 c (DATE)                            | date
        int32 c (DECIMAL(9,2))                    | decimal(9,2)
        int64 c                                   | bigint
        int64 c (INTEGER(64,true))                | bigint
        int64 c (DECIMAL(18,2))                   | decimal(18,2)
        int64 c (TIMESTAMP(MILLIS,true))          | timestamp
        int64 c (TIMESTAMP(MICROS,true))          | timestamp
        int64 c (TIMESTAMP(MICROS,false))         | timestamp_ntz
        int64 c (TIMESTAMP(NANOS,true))           | timestamp_ns
        int96 c                                   | timestamp
        float c                                   | float
        double c                                  | double
        boolean c                                 | boolean
        binary c                                  | binary
        binary c (STRING)                         | string
        binary c (ENUM)                           | string
        binary c (JSON)                           | string
        binary c (BSON)                           | binary
        int32 c (INTEGER(8,false))                | smallint
        int32 c (INTEGER(16,false))               | int
        int32 c (INTEGER(32,false))               | bigint
        binary c (DECIMAL(38,10))                 | decimal(38,10)
        fixed_len_byte_array(16) c (DECIMAL(38,0))| decimal(38,0)
        """)
    void knowsTheColumnOfEachType(String type, String column) {
        SchemaSurvey survey = new SchemaSurvey();
        survey.add(files("optional " + type + ";"), 1);
        assertThat(proposed(survey)).isEqualTo("c " + column);
        assertThat(SchemaSurvey.problem(
                        files("optional " + type + ";"),
                        Schema.parse("c " + column).columns()))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        optional int64 c (INTEGER(64,false))
        optional int64 c (TIMESTAMP(NANOS,false))
        optional int64 c (TIME(MICROS,true))
        optional fixed_len_byte_array(16) c
        optional fixed_len_byte_array(12) c (INTERVAL)
        repeated int32 c
        """)
    void knowsWhatNoColumnHolds(String field) {
        SchemaSurvey survey = new SchemaSurvey();
        survey.add(files(field + ";"), 1);
        assertThat(proposed(survey)).isEqualTo("none");
        survey.add(files(field + "; required double d;"), 1);
        assertThat(proposed(survey)).isEqualTo("d double");
    }

    @Test
    void takesTheTypeOfMostRecords() {
        SchemaSurvey survey = new SchemaSurvey();
        survey.add(files("required int32 a; optional float b; optional binary c (STRING);"), 100);
        survey.add(files("optional int64 a; optional double b; optional int32 c;"), 10);
        survey.add(
                files("optional int32 a (DECIMAL(5,1)); optional int64 b; optional int32 c; optional double d;"), 20);
        // a long holds an int, and a double a float
        assertThat(proposed(survey)).isEqualTo("a bigint, b double, c string, d double");
        assertThat(SchemaSurvey.problem(
                        files("optional int64 a; optional int32 c;"),
                        survey.propose(List.of()).orElseThrow().columns()))
                .contains(
                        "it holds the column 'c', which is of type string, as 'optional int32 c', and that does not fit");
    }

    @Test
    void takesTheSpellingOfMostRecordsAndLeavesDirectoriesOut() {
        SchemaSurvey survey = new SchemaSurvey();
        survey.add(files("optional int64 Signal; optional int32 day (DATE);"), 10);
        survey.add(files("optional int64 signal; optional double value;"), 10);
        survey.add(files("optional int64 SIGNAL;"), 11);
        assertThat(proposed(survey, "DAY")).isEqualTo("SIGNAL bigint, value double");
    }

    private static MessageType named(String... names) {
        return new MessageType(
                "m",
                Arrays.stream(names)
                        .<Type>map(
                                name -> Types.optional(PrimitiveTypeName.INT32).named(name))
                        .toList());
    }

    @Test
    void columnsMayHaveAnyName() {
        SchemaSurvey survey = new SchemaSurvey();
        survey.add(named("signal name", "a.b", "größe", "a;b"), 10);
        survey.add(named("größe", "GRÖße", "line\nbreak", "ı", "I"), 1);
        // a file with what is left out is refused by the names of its columns
        assertThat(proposed(survey)).isEqualTo("`signal name` int, `a.b` int, `größe` int, `a;b` int, `ı` int");
    }

    @Test
    void schemasAreBytesInTasks() {
        for (MessageType schema : List.of(
                named("signal name", "a.b", "a;b {c}", "line\nbreak", "größe"),
                files(
                        "required group a (LIST) { repeated group list { optional int64 element (TIMESTAMP(NANOS,true)); } }"),
                files("optional int96 t; optional binary d (DECIMAL(9,2)); optional fixed_len_byte_array(3) f;"))) {
            assertThat(SchemaBytes.parse(SchemaBytes.of(schema))).isEqualTo(schema);
            assertThat(SchemaBytes.of(SchemaBytes.parse(SchemaBytes.of(schema))))
                    .isEqualTo(SchemaBytes.of(schema));
        }
    }

    @Test
    void tellsAColumnThatIsMissing() {
        assertThat(SchemaSurvey.problem(
                        files("optional int64 a;"),
                        Schema.parse("a bigint, b int").columns()))
                .isEmpty();
        assertThat(SchemaSurvey.problem(
                        files("optional int64 a;"),
                        Schema.parse("a bigint, b int not null").columns()))
                .contains("it lacks the column 'b', which is not null");
    }
}
