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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.AlteredColumns;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.KeyColumns;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.text.CommaList;
import org.junit.jupiter.api.Test;

class ColumnPathTest {
    private static final Schema SCHEMA = Schema.parse("s string, `pos.x` int, pos struct<x:double,`Y z`:struct<n:int>>,"
            + " many array<struct<x:int>>, tags map<string,int>");

    @Test
    void pathsAreReadAsTheyAreWritten() {
        String letters = "ab. ,`()é\"";
        Seeds.forAll(2_000, random -> {
            List<String> parts = new ArrayList<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                parts.add(name(random, letters));
            }
            String path = ColumnPath.of(parts);
            String text = ColumnName.text(path);
            assertThat(ColumnPath.parse(text)).isEqualTo(path);
            assertThat(ColumnPath.parts(path)).isEqualTo(parts);
            assertThat(ColumnPath.root(path)).isEqualTo(parts.get(0));
            assertThat(ColumnPath.isPath(path)).isEqualTo(parts.size() > 1);
            List<String> more = List.of(path, name(random, letters));
            assertThat(SortKey.parseList(ColumnName.list(more))).isEqualTo(SortKey.of(more));
            String predicates = "bucket(4, " + text + "), " + text + ", range(" + text + ", 1, 2)";
            assertThat(CommaList.of(predicates)).hasSize(3).allSatisfy(one -> {
                assertThat(Predicate.parse(one).column()).isEqualTo(path);
                assertThat(Predicate.parse(one).text()).isEqualTo(one);
            });
        });
    }

    private static String name(Random random, String letters) {
        StringBuilder name = new StringBuilder();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            name.append(letters.charAt(random.nextInt(letters.length())));
        }
        return name.toString();
    }

    @Test
    void aPathIsNoColumnWithADotInItsName() {
        assertThat(SCHEMA.find(Predicate.parse("pos.x").column()))
                .contains(new Column("pos\u001fx", ColumnType.DOUBLE, true));
        assertThat(Predicate.parse("`pos.x`").source(SCHEMA)).isEqualTo(new Column("pos.x", ColumnType.INT, true));
        assertThat(Predicate.parse("day(POS.`y Z`.N)").column()).isEqualTo("POS\u001fy Z\u001fN");
        assertThat(SCHEMA.find("POS\u001fy Z\u001fN"))
                .contains(new Column("pos\u001fY z\u001fn", ColumnType.INT, true));
        assertThat(SCHEMA.indexOf("pos\u001fx")).isEmpty();
        assertThatThrownBy(() -> Schema.parse("`a\u001fb` int")).hasMessageContaining("has a control character");
        assertThatThrownBy(() -> new Schema(List.of(new Column("a\u001fb", ColumnType.INT, true))))
                .hasMessageContaining("has a control character");
        assertThatThrownBy(() -> Schema.parse("a struct<`a\u001fb`:int>"))
                .hasMessageContaining("has a control character");
    }

    @Test
    void saysWhatIsWrongWithAPath() {
        refused(
                "pos.z",
                "names 'pos.z', but 'pos' of type struct<x:double,`Y z`:struct<n:int>> has no field 'z'; name one of its fields");
        refused(
                "many.x",
                "names 'many.x', but 'many' is of type array<struct<x:int>> and has no fields; name a field of a struct, or a column");
        refused(
                "tags.key",
                "names 'tags.key', but 'tags' is of type map<string,int> and has no fields; name a field of a struct, or a column");
        refused(
                "pos.x.y",
                "names 'pos.x.y', but 'pos.x' is of type double and has no fields; name a field of a struct, or a column");
        refused("other.x", "names column 'other' that the schema lacks");
        refused(
                "pos.`Y z`",
                "does not fit column 'pos.`Y z`' of type struct<n:int>; use a column without values within");
        for (String text : List.of("pos.", ".x", "pos..x", "pos.x y", "pos.`x", "pos.`x`y")) {
            assertThatThrownBy(() -> Predicate.parse(text))
                    .as(text)
                    .hasMessageContaining("is not plain as the name of a column");
        }
        Schema dotted = Schema.parse("s string, `pos.x` int");
        assertThatThrownBy(() -> Predicate.parse("pos.x").source(dotted))
                .hasMessage("predicate pos.x names 'pos.x', a field of a column that the schema lacks;"
                        + " the column with a dot in its name is written `pos.x`");
    }

    private static void refused(String predicate, String problem) {
        assertThatThrownBy(() -> Predicate.parse(predicate).source(SCHEMA))
                .hasMessage("predicate " + predicate + " " + problem);
    }

    @Test
    void directoriesHaveNamesOfTheirOwn() {
        Schema schema = Schema.parse("s string, pos struct<x:int,at:timestamp>");
        ReplicaGroups groups = groups("pos.x, day(pos.at)", "pos.at", "s");
        assertThat(groups.problemsWith(schema)).isEmpty();
        assertThat(groups.logicalColumns(schema))
                .extracting(Column::ddl)
                .containsExactly("s string", "pos struct<x:int,at:timestamp>", "pos_x int", "day date");
        assertThat(groups.physicalColumns("a", schema)).extracting(Column::name).containsExactly("s", "pos");
        assertThat(groups.groups().get(0).sortWithinFiles(schema))
                .extracting(SortKey::column)
                .containsExactly("pos\u001fat");
        assertThat(groups.groups().get(0).paths(schema))
                .extracting(Column::name)
                .containsExactly("pos\u001fx", "pos\u001fat");
        assertThat(groups.problemsWith(Schema.parse("s string, pos_x int, pos struct<x:int,at:timestamp>")))
                .containsExactly("replica group 'a': the partition field 'pos_x' of pos.x has the name of a column;"
                        + " rename the column");
        assertThat(groups("a.b_c, a_b.c", "", "s")
                        .problemsWith(Schema.parse("s string, a struct<b_c:int>, a_b struct<c:int>")))
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem).contains("has the name of the field of another predicate"));
    }

    @Test
    void definitionsWithPathsHaveAVersionOfTheirOwn() {
        Schema schema = Schema.parse("s string, pos struct<x:int,at:timestamp>");
        assertThat(DatasetVersion.first(schema, groups("s", "s", "s"))).isEqualTo(4);
        assertThat(DatasetVersion.first(schema, groups("bucket(2, pos.x)", "s", "s")))
                .isEqualTo(8);
        assertThat(DatasetVersion.first(schema, groups("s", "s, pos.x", "s"))).isEqualTo(8);
        assertThat(DatasetVersion.withAlteredGroups(4, groups("s", "", "s"))).isEqualTo(5);
        assertThat(DatasetVersion.withAlteredGroups(4, groups("s", "", "pos.at")))
                .isEqualTo(8);
    }

    @Test
    void aColumnKeepsWhatGroupsNeedOfIt() {
        Schema schema = Schema.parse("s string, pos struct<x:int,at:timestamp>");
        DatasetColumns columns = DatasetColumns.of(schema);
        assertThatThrownBy(() -> AlteredColumns.dropped(columns, groups("pos.x", "s", "s"), List.of(), "pos"))
                .hasMessageContaining("column 'pos' is named in the predicate 'pos.x', and cannot be dropped");
        assertThatThrownBy(() -> AlteredColumns.dropped(columns, groups("s", "pos.at", "s"), List.of(), "pos"))
                .hasMessageContaining("column 'pos' sorts the records of group 'a', and cannot be dropped");
        DatasetColumns renamed = AlteredColumns.renamed(columns, groups("pos.x", "s", "s"), "pos", "place");
        assertThat(renamed.shown().stored("place\u001fx")).isEqualTo("pos\u001fx");
        assertThat(renamed.shownName("pos\u001fx")).contains("place\u001fx");
        assertThatThrownBy(() -> AlteredColumns.added(
                        columns, groups("pos.x", "s", "s"), new Column("pos_x", ColumnType.INT, true)))
                .hasMessageContaining(
                        "'pos_x' has the name of a column that the directories of group 'a' have, for pos.x");
        assertThat(KeyColumns.problem(groups("pos.x", "s", "s"), schema, List.of("s")))
                .hasValueSatisfying(
                        problem -> assertThat(problem)
                                .endsWith(
                                        "because groups partition or sort by pos.x; values"
                                                + " within structs, such as pos.x, cannot be keys: choose groups without them, or keep all records"));
    }

    private static ReplicaGroups groups(String predicates, String sort, String others) {
        ReplicaGroup one = new ReplicaGroup(
                "a",
                CommaList.of(predicates).stream().map(Predicate::parse).toList(),
                SortKey.parseList(sort),
                1,
                Codec.parse("none"));
        ReplicaGroup other = new ReplicaGroup("b", List.of(Predicate.parse(others)), List.of(), 1, Codec.parse("none"));
        return new ReplicaGroups(List.of(one, other), "a");
    }
}
