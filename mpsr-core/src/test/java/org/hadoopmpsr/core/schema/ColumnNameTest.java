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

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.text.CommaList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnNameTest {
    private static final String PARTS = "aZ_9 .,:;=/\\``'\"<>(){}[]%#*?^~ö温\u00a0\u200d🐘";

    private static String name(Random random) {
        int[] parts = PARTS.codePoints().toArray();
        return IntStream.range(0, 1 + random.nextInt(6))
                .map(i -> parts[random.nextInt(parts.length)])
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Names that differ, also without regard to case. */
    private static List<String> names(Random random, int count) {
        return IntStream.range(0, count).mapToObj(i -> name(random) + i).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "signal      | signal",
                "_a9         | _a9",
                "1st         | `1st`",
                "signal name | `signal name`",
                "a.b         | `a.b`",
                "größe       | `größe`",
                "a`b         | `a``b`",
                "`           | ````"
            })
    void standsInATextAsInSparksSql(String name, String text) {
        assertThat(ColumnName.text(name)).isEqualTo(text);
        assertThat(ColumnName.parse(" " + text + " ")).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "1st", "a`b", "`a", "`a`b`", "`a` b", "größe"})
    void whatIsNotPlainIsToldHowToWrite(String text) {
        assertThatThrownBy(() -> ColumnName.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is not plain as the name of a column")
                .hasMessageEndingWith("such as " + ColumnName.text(text));
    }

    @Test
    void someTextsAreNoNames() {
        assertThatThrownBy(() -> ColumnName.parse("``")).hasMessageStartingWith("the name of a column is empty");
        assertThatThrownBy(() -> new Column("a\nb", ColumnType.INT, true))
                .hasMessage("the name of the column 'a\\u000ab' has a control character, or half of a surrogate pair;"
                        + " give the column a name without it");
        assertThat(ColumnName.isName("a\ud83d")).isFalse();
        assertThat(ColumnName.isName("\u2028 \u200d")).isTrue();
    }

    @Test
    void namesThatAReaderCannotTellApartAreRefused() {
        for (String twins : List.of("`ÄB` int, `äb` int", "`İ` int, i int", "`ß` int, `ẞ` int", "`σ` int, `ς` int")) {
            assertThatThrownBy(() -> Schema.parse(twins)).hasMessageContaining("is named twice in the schema");
            assertThatThrownBy(() -> ColumnType.parse("struct<" + twins.replace(" int", ":int") + ">"))
                    .hasMessageContaining("is named twice in a struct");
        }
        assertThat(Schema.parse("`ß` int, ss int, `i̇x` int, ix int").columns()).hasSize(4);
    }

    @Test
    void schemasAreReadBackWithAnyNames() {
        String ddl =
                "`signal name` string not null, `a.b` double, a struct<b:double,`x y`:array<struct<`<,>`:int>>,`:`:int>,"
                        + " `a,b` map<string,struct<`)`:int>> not null, `a``b` decimal(9,2)";
        Schema schema = Schema.parse(ddl);
        assertThat(schema.ddl()).isEqualTo(ddl);
        assertThat(schema.columns()).extracting(Column::name).containsExactly("signal name", "a.b", "a", "a,b", "a`b");
        assertThat(schema.find("A.B").orElseThrow().type()).isEqualTo(ColumnType.DOUBLE);
        Seeds.forAll(300, random -> {
            StructType struct = new StructType(names(random, 3).stream()
                    .map(name -> new StructType.Field(name, ColumnType.INT))
                    .toList());
            Schema drawn = new Schema(names(random, 4).stream()
                    .map(name ->
                            new Column(name, random.nextBoolean() ? struct : ColumnType.DATE, random.nextBoolean()))
                    .toList());
            assertThat(Schema.parse(drawn.ddl())).isEqualTo(drawn);
        });
    }

    @Test
    void anOlderVersionDoesNotKnowThem() {
        assertThat(DatasetVersion.first(Schema.parse("a int, b struct<c:int>"))).isEqualTo(4);
        assertThat(DatasetVersion.first(Schema.parse("a int, `b c` int"))).isEqualTo(6);
        assertThat(DatasetVersion.first(Schema.parse("a array<struct<b:map<string,struct<`c d`:int>>>>")))
                .isEqualTo(6);
    }

    @Test
    void predicatesAndSortsAreReadBack() {
        Seeds.forAll(300, random -> {
            List<String> names = names(random, 4);
            List<String> forms = List.of("%s", "day(%s)", "bucket(64, %s)", "truncate(3, %s)", "range(%s, b, c)");
            String text = names.stream()
                    .map(name -> String.format(forms.get(random.nextInt(forms.size())), ColumnName.text(name)))
                    .collect(Collectors.joining(random.nextBoolean() ? ", " : ","));
            List<Predicate> read =
                    CommaList.of(text).stream().map(Predicate::parse).toList();
            assertThat(read).as(text).extracting(Predicate::column).isEqualTo(names);
            assertThat(read)
                    .allSatisfy(p -> assertThat(Predicate.parse(p.text())).isEqualTo(p));
            assertThat(SortKey.parseList(ColumnName.list(names))).isEqualTo(SortKey.of(names));
        });
    }

    /** Values may hold backticks, as before. */
    @Test
    void backticksInBoundsAreNoQuotes() {
        Predicate predicate = Predicate.parse("range(`a,b`, `c, d`, e)");
        assertThat(predicate.column()).isEqualTo("a,b");
        assertThat(predicate.text()).isEqualTo("range(`a,b`, `c, d`, e)");
        assertThat(CommaList.of("range(s, a`b, c), day(t)")).containsExactly("range(s, a`b, c)", "day(t)");
    }

    @Test
    void directoriesAreNamedAsHiveNamesThem() {
        Column column = new Column("a=b/c%", ColumnType.STRING, true);
        assertThat(PartitionPath.of(List.of(column), List.of("x=y"))).isEqualTo("a%3Db%2Fc%25=x%3Dy");
        Seeds.forAll(300, random -> {
            List<Column> fields = names(random, 2).stream()
                    .map(name -> new Column(name, ColumnType.STRING, true))
                    .toList();
            List<String> values = names(random, 2);
            assertThat(PartitionPath.values(fields, "/d/" + PartitionPath.of(fields, values) + "/f"))
                    .contains(List.copyOf(values));
        });
    }

    @Test
    void directoriesThatReadersLeaveOutAreRefused() {
        Schema schema = Schema.parse("`.hidden` string, `x_bucket` int, x string, `ı_bucket` int, i string");
        assertThat(problems("bucket(4, `.hidden`)", schema))
                .containsExactly(
                        "replica group 'g': the directories of the partition field '.hidden_bucket' of bucket(4,"
                                + " `.hidden`) would have names that begin with a dot, and readers leave such directories out;"
                                + " use a predicate of another column");
        assertThat(problems("bucket(4, x)", schema)).singleElement().asString().contains("has the name of a column");
        assertThat(problems("bucket(4, i)", schema)).singleElement().asString().contains("has the name of a column");
        assertThat(problems("x", schema)).isEmpty();
    }

    private static List<String> problems(String predicate, Schema schema) {
        ReplicaGroup group =
                new ReplicaGroup("g", List.of(Predicate.parse(predicate)), List.of(), 1, Codec.parse("none"));
        return new ReplicaGroups(List.of(group), "g").problemsWith(schema);
    }
}
