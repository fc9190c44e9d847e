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
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

class SortKeyTest {
    private static final Schema SCHEMA =
            Schema.parse("s string, `bits(16)` double, n int, value double, pos struct<x:float>, t timestamp");

    private static ReplicaGroup group(String predicate, String sort) {
        return new ReplicaGroup(
                "g", List.of(Predicate.parse(predicate)), SortKey.parseList(sort), 1, Codec.parse("none"));
    }

    private static String problem(String predicate, String sort) {
        return String.join("; ", new ReplicaGroups(List.of(group(predicate, sort)), "g").problemsWith(SCHEMA));
    }

    @Test
    void textsAndRecordsAreReadAsTheyWereWritten() {
        String[] parts = {"a", "bits(16)", "x y", "q`", "bits", "(", ",", ".", "\u00e9"};
        Seeds.forAll(300, random -> {
            List<SortKey> keys = random.ints(1 + random.nextInt(4), 0, parts.length)
                    .mapToObj(part -> random.nextBoolean()
                            ? parts[part]
                            : ColumnPath.of(List.of(parts[part], parts[random.nextInt(parts.length)])))
                    .map(name -> random.nextBoolean()
                            ? SortKey.of(name)
                            : new SortKey(name, new LeadingBits(2 + random.nextInt(31))))
                    .toList();
            assertThat(SortKey.parseList(SortKey.list(keys))).isEqualTo(keys);
            assertThat(keys.stream().map(SortKey::recorded).map(SortKey::ofRecorded))
                    .isEqualTo(keys);
        });
    }

    /** Names of columns have no control characters: who knows no bits takes the record for a column that there cannot be. */
    @Test
    void aRecordOfBitsIsTheNameOfNoColumn() {
        String recorded = SortKey.parse("bits(16, value)").recorded();
        assertThat(recorded).isEqualTo("bits(16)\u001evalue");
        assertThat(SCHEMA.find(recorded)).isEmpty();
        assertThat(SortKey.parse("`bits(16)`").recorded()).isEqualTo("bits(16)");
        assertThatThrownBy(() -> SortKey.ofRecorded("log(2)\u001evalue"))
                .hasMessage("the sort key 'log(2)' of column 'value' is not known; a newer MPSR wrote it: use that"
                        + " version, or a later one");
    }

    @Test
    void theDefinitionIsOfAVersionOfItsOwn() {
        ReplicaGroups by = new ReplicaGroups(List.of(group("s", "bits(16, value)")), "g");
        assertThat(DatasetVersion.withAlteredGroups(5, by)).isEqualTo(10);
        ReplicaGroups without = new ReplicaGroups(List.of(group("s", "value")), "g");
        assertThat(DatasetVersion.withAlteredGroups(5, without)).isEqualTo(5);
    }

    @Test
    void sortsByBitsOfNumbersAlone() {
        assertThat(problem("s", "bits(16, VALUE), bits(2, n), bits(32, pos.X), t"))
                .isEmpty();
        assertThat(group("s", "bits(16, VALUE), bits(32, pos.X), s").sortKeys(SCHEMA))
                .containsExactly(
                        new SortKey("value", new LeadingBits(16)),
                        new SortKey("pos\u001fx", new LeadingBits(32)),
                        SortKey.of("s"));
        assertThat(problem("s", "bits(16, t)"))
                .isEqualTo(
                        "replica group 'g' is sorted by bits(16, t), of column 't' of type timestamp; use a column of"
                                + " numbers");
        assertThat(problem("s", "bits(16, v)"))
                .isEqualTo("replica group 'g' is sorted by bits(16, v), of column 'v' that the schema lacks");
        assertThat(problem("s", "bits(16, pos)")).endsWith("sort by columns without values within");
    }

    @Test
    void bitsThatAFileHasInCommonAreRefused() {
        assertThat(problem("n", "bits(9, n), s"))
                .isEqualTo(
                        "replica group 'g' is sorted by bits(9, n), which all records of a file have in common, because"
                                + " its predicates divide records by it; leave it out of the sort order");
        assertThat(problem("bits(16, value)", "bits(16, value)")).contains("have in common");
        assertThat(problem("bits(16, value)", "bits(17, value)")).isEmpty();
        assertThat(problem("n", "n, s")).isEmpty();
        assertThat(group("n", "n, bits(3, value)").sortWithinFiles(SCHEMA))
                .containsExactly(new SortKey("value", new LeadingBits(3)));
    }

    @Test
    void columnsOfBitsAreThoseOfTheGroup() {
        assertThat(group("s", "bits(16, pos.x)").hasPaths()).isTrue();
        assertThat(new WantedGroup("g", List.of(), SortKey.parseList("bits(16, value), s"), null)
                        .withColumns(name -> name + "_2")
                        .sort())
                .isEqualTo(SortKey.parseList("bits(16, value_2), s_2"));
    }

    @Test
    void otherFunctionsAreNoKeys() {
        for (String wrong : new String[] {"day(t)", "bucket(4, n)", "wind speed (m)", "identity(n)"}) {
            assertThatThrownBy(() -> SortKey.parseList("s, " + wrong))
                    .hasMessageStartingWith("'" + wrong + "' is no sort key");
        }
        assertThatThrownBy(() -> SortKey.parse("bits(1, value)")).hasMessageContaining("from 2 to 32, not 1");
        assertThatThrownBy(() -> SortKey.parse("bits(value)")).hasMessageContaining("takes a number and a column");
        assertThatThrownBy(() -> SortKey.parse("bits(16, value")).hasMessageContaining("closing parenthesis");
    }
}
