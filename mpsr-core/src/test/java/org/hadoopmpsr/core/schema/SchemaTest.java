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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.format.DatasetVersion;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.KeyColumns;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.junit.jupiter.api.Test;

class SchemaTest {

    @Test
    void readsBackWhatItWrites() {
        String ddl = "signal string not null, ts timestamp_ns not null, value double";
        assertThat(Schema.parse(ddl).ddl()).isEqualTo(ddl);
        assertThat(Schema.parse("A INT , b Boolean NOT NULL").ddl()).isEqualTo("A int, b boolean not null");
        String all = "a tinyint, b smallint, c binary, d timestamp_ntz, e time_ns, f decimal(38,10) not null, g date";
        assertThat(Schema.parse(all).ddl()).isEqualTo(all);
        assertThat(Schema.parse("a decimal, b DECIMAL( 5 ), c decimal(9 , 2) not null")
                        .ddl())
                .isEqualTo("a decimal(10,0), b decimal(5,0), c decimal(9,2) not null");
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> Schema.parse("a strng"))
                .hasMessageContaining("unknown column type 'strng'; use one of");
        assertThatThrownBy(() -> Schema.parse("a numeric(10,2), b int"))
                .hasMessageStartingWith(
                        "unknown column type 'numeric(10,2)'; use decimal(p, s), such as decimal(10, 2), or one of string,");
        assertThatThrownBy(() -> Schema.parse("a int, b DECIMAL(39, 2) not null"))
                .hasMessage("decimal(39, 2) is no type; use 1 to 38 digits, of which 0 to that many are after the"
                        + " point, such as decimal(10, 2)");
        assertThatThrownBy(() -> Schema.parse("a decimal(2, 3)")).hasMessageContaining("is no type");
        assertThatThrownBy(() -> Schema.parse("a time")).hasMessageContaining("use time_ns, the nanoseconds since");
        assertThatThrownBy(() -> Schema.parse("a long"))
                .hasMessageStartingWith("unknown column type 'long'; use bigint, or one of string, binary");
        assertThatThrownBy(() -> Schema.parse("a varchar(20)")).hasMessageContaining("use string, or one of");
        assertThatThrownBy(() -> Schema.parse("a int, A int")).hasMessage("column 'A' is named twice in the schema");
        assertThatThrownBy(() -> Schema.parse("a")).hasMessageContaining("cannot read column 'a'");
        assertThatThrownBy(() -> Schema.parse("a int null")).hasMessageContaining("cannot read column 'a int null'");
    }

    @Test
    void readsNestedTypes() {
        String nested = "pos struct<x:double,Y:decimal(9,2)>, samples array<float> not null,"
                + " tags map<string,array<struct<at:timestamp,by:map<date,binary>>>>, n int";
        assertThat(Schema.parse(nested).ddl()).isEqualTo(nested);
        assertThat(Schema.parse("a ARRAY< Struct<x : INT, y:decimal(5, 1)> > NOT NULL, b map<string , int>")
                        .ddl())
                .isEqualTo("a array<struct<x:int,y:decimal(5,1)>> not null, b map<string,int>");
        assertThat(DatasetVersion.first(Schema.parse(nested))).isEqualTo(4);
    }

    @Test
    void saysWhatIsWrongWithNestedTypes() {
        assertThatThrownBy(() -> Schema.parse("a array"))
                .hasMessageContaining("use array<type>, such as array<double>, or one of");
        assertThatThrownBy(() -> Schema.parse("a array<strng>")).hasMessageContaining("unknown column type 'strng'");
        assertThatThrownBy(() -> Schema.parse("a array<int")).hasMessageContaining("unknown column type 'array<int'");
        assertThatThrownBy(() -> Schema.parse("a array<int>>")).hasMessageContaining("unknown column type 'int>'");
        assertThatThrownBy(() -> Schema.parse("a map<string>"))
                .hasMessageContaining("a type of keys and one of values");
        assertThatThrownBy(() -> Schema.parse("a map<array<int>,int>"))
                .hasMessageContaining("a map cannot have keys of type array<int>");
        assertThatThrownBy(() -> Schema.parse("a struct<>")).hasMessageContaining("write '<name>:<type>'");
        assertThatThrownBy(() -> Schema.parse("a struct<x int>")).hasMessageContaining("write '<name>:<type>'");
        assertThatThrownBy(() -> Schema.parse("a struct<x:int,X:int>"))
                .hasMessage("field 'X' is named twice in a struct");
        assertThatThrownBy(() -> Schema.parse("a struct<x:int not null>")).hasMessageContaining("unknown column type");
        assertThatThrownBy(() -> Schema.parse("a " + "array<".repeat(17) + "int" + ">".repeat(17)))
                .hasMessage("a type has more than 16 levels; use fewer");
    }

    @Test
    void nestedColumnsAreNeitherPredicatesNorSortedByNorKeys() {
        Schema schema = Schema.parse("id bigint not null, s struct<x:int>, a array<int>");
        for (String predicate : new String[] {"s", "bucket(4, a)", "day(s)", "truncate(2, a)", "range(s, 1)"}) {
            assertThatThrownBy(() -> Predicate.parse(predicate).source(schema))
                    .hasMessageContaining("does not fit column");
        }
        ReplicaGroup group = new ReplicaGroup(
                "g", List.of(Predicate.parse("bucket(4, id)")), SortKey.of(List.of("id", "s")), 1, Codec.parse("none"));
        assertThatThrownBy(() -> group.sortColumns(schema))
                .hasMessage("replica group 'g' is sorted by column 's' of type struct<x:int>; sort by columns without"
                        + " values within");
        ReplicaGroup ofId =
                new ReplicaGroup("g", List.of(Predicate.parse("bucket(4, id)")), List.of(), 1, Codec.parse("none"));
        assertThat(KeyColumns.problem(new ReplicaGroups(List.of(ofId), "g"), schema, List.of("id", "a")))
                .hasValue("arrays, structs and maps cannot be keys, and these columns are such: a; leave them out");
    }

    @Test
    void stringsAreOrderedByTheirUtf8Bytes() {
        Seeds.forAll(500, random -> {
            String a = randomString(random);
            String b = randomString(random);
            int bytes = Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
            assertThat(Integer.signum(Values.compare(a, b))).isEqualTo(Integer.signum(bytes));
        });
    }

    private static String randomString(java.util.Random random) {
        StringBuilder s = new StringBuilder();
        int[] alphabet = {'a', 'b', 0xE9, 0xFFFD, 0x1F600, 0x10FFFF, 0xD7FF, 0xE000};
        for (int i = random.nextInt(4); i >= 0; i--) {
            s.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return s.toString();
    }

    @Test
    void negativeZeroEqualsZero() {
        assertThat(Values.compare(0.0, -0.0)).isZero();
        assertThatThrownBy(() -> Values.compare(1L, "1")).hasMessageContaining("cannot compare Long with String");
    }
}
