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
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> Schema.parse("a strng"))
                .hasMessageContaining("unknown column type 'strng'; use one of");
        assertThatThrownBy(() -> Schema.parse("a decimal(10,2), b int"))
                .hasMessageStartingWith(
                        "unknown column type 'decimal(10,2)'; use bigint with a fixed unit where every digit counts,"
                                + " double or string where not (decimals are not supported), or one of string, int");
        assertThatThrownBy(() -> Schema.parse("a int, b DECIMAL(10, 2) not null"))
                .hasMessageStartingWith("unknown column type 'DECIMAL(10, 2)'; use bigint with a fixed unit");
        assertThatThrownBy(() -> Schema.parse("a long"))
                .hasMessageStartingWith("unknown column type 'long'; use bigint, or one of string, int");
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
