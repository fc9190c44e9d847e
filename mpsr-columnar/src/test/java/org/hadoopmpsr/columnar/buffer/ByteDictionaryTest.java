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
package org.hadoopmpsr.columnar.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.schema.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteDictionaryTest {
    private final ByteDictionary dictionary = new ByteDictionary();

    private int intern(String text) throws BadRecordException {
        byte[] utf8 = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        return dictionary.intern(utf8, 1, utf8.length - 2, (bytes, offset, length) -> {});
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void numbersDistinctStringsInTheirOrder(long seed) throws Exception {
        Random random = new Random(seed);
        String[] pieces = {"", "a", "\u0000", "é", "漢", "😀", "\uffff", "SIGNAL.", "7"};
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String text = pieces[random.nextInt(pieces.length)]
                    + pieces[random.nextInt(pieces.length)]
                    + random.nextInt(1 + random.nextInt(4000));
            int id = intern(text);
            assertThat(id).isEqualTo(expected.computeIfAbsent(text, t -> expected.size()));
        }
        assertThat(dictionary.size()).isEqualTo(expected.size());
        expected.forEach((text, id) -> assertThat(dictionary.text(id)).isEqualTo(text));
        assertThat(dictionary.sizeBytes())
                .isEqualTo(expected.keySet().stream()
                        .mapToLong(t -> t.getBytes(StandardCharsets.UTF_8).length)
                        .sum());
        List<String> sorted = expected.keySet().stream().sorted(Values::compare).toList();
        int[] ranks = dictionary.ranks();
        assertThat(IntStream.range(0, sorted.size())
                        .map(i -> ranks[expected.get(sorted.get(i))])
                        .toArray())
                .isEqualTo(IntStream.range(0, sorted.size()).toArray());
    }

    @Test
    void isEmptyAgainAfterClear() throws Exception {
        for (int i = 0; i < 3000; i++) {
            intern("s" + i);
        }
        dictionary.clear();
        assertThat(dictionary.size()).isZero();
        assertThat(dictionary.sizeBytes()).isZero();
        assertThat(intern("s2999")).isZero();
        assertThat(intern("s1")).isEqualTo(1);
        assertThat(dictionary.text(0)).isEqualTo("s2999");
    }

    @Test
    void asksOnceWhetherAStringIsAdmitted() throws Exception {
        byte[] utf8 = "bad".getBytes(StandardCharsets.UTF_8);
        ByteDictionary.Check never = (bytes, offset, length) -> {
            throw new BadRecordException("not " + new String(bytes, offset, length, StandardCharsets.UTF_8));
        };
        assertThatThrownBy(() -> dictionary.intern(utf8, 0, 3, never)).hasMessage("not bad");
        assertThat(dictionary.size()).isZero();
        int id = dictionary.intern(utf8, 0, 3, (bytes, offset, length) -> {});
        assertThat(dictionary.intern(Arrays.copyOf(utf8, 3), 0, 3, never)).isEqualTo(id);
    }
}
