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
import org.hadoopmpsr.core.Seeds;
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
        assertThatThrownBy(() -> Schema.parse("a map<string, int>"))
                .hasMessageContaining("since map is not supported, or one of");
        assertThatThrownBy(() -> Schema.parse("a int, A int")).hasMessage("column 'A' is named twice in the schema");
        assertThatThrownBy(() -> Schema.parse("a")).hasMessageContaining("cannot read column 'a'");
        assertThatThrownBy(() -> Schema.parse("a int null")).hasMessageContaining("cannot read column 'a int null'");
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
