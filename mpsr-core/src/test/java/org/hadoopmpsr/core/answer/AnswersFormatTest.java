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
package org.hadoopmpsr.core.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AnswersFormatTest {
    private static Map<FileKey, byte[]> some(Random random) {
        Map<FileKey, byte[]> answers = new HashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            byte[] answer = new byte[random.nextInt(40)];
            random.nextBytes(answer);
            answers.put(new FileKey(1 + random.nextInt(9), random.nextLong(), random.nextLong()), answer);
        }
        return answers;
    }

    private static void assertEqual(Map<FileKey, byte[]> found, Map<FileKey, byte[]> wanted) {
        assertThat(found.keySet()).isEqualTo(wanted.keySet());
        wanted.forEach((key, answer) -> assertThat(found.get(key)).isEqualTo(answer));
    }

    @Test
    void whatIsWrittenIsRead() {
        for (long seed = 0; seed < 200; seed++) {
            Map<FileKey, byte[]> answers = some(new Random(seed));
            byte[] bytes = AnswersFormat.write("signal = 'ä'", answers);
            assertThat(bytes).hasSize((int) AnswersFormat.size("signal = 'ä'", answers));
            assertEqual(AnswersFormat.read("signal = 'ä'", bytes).orElseThrow(), answers);
            assertThat(AnswersFormat.read("signal = 'a'", bytes)).isEmpty();
        }
    }

    @Test
    void whatWasChangedOrCutIsNotRead() {
        byte[] bytes = AnswersFormat.write("q", Map.of(new FileKey(1, 2, 3), new byte[] {4, 5, 6}));
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertThat(AnswersFormat.read("q", changed)).as("byte %s", i).isEmpty();
            assertThat(AnswersFormat.read("q", java.util.Arrays.copyOf(bytes, i)))
                    .isEmpty();
        }
        assertThat(AnswersFormat.read("q", java.util.Arrays.copyOf(bytes, bytes.length + 1)))
                .isEqualTo(Optional.empty());
    }

    @Test
    void namesAreThoseOfSha256() {
        // FIPS 180-4, the example of one block
        assertThat(AnswersFormat.name("abc"))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void memoryForgetsWhatWasAskedForLongestAgo() {
        AnswerMemory memory = new AnswerMemory();
        Map<FileKey, byte[]> answers = Map.of(new FileKey(1, 1, 1), new byte[100]);
        long size = AnswersFormat.size("a", answers);
        memory.put("a", answers, 2 * size);
        memory.put("b", answers, 2 * size);
        assertThat(memory.bytes()).isEqualTo(2 * size);
        assertThat(memory.get("a")).hasSize(1);
        memory.put("c", answers, 2 * size);
        assertThat(memory.get("b")).isEmpty();
        assertThat(memory.get("a")).hasSize(1);
        assertThat(memory.get("c")).hasSize(1);
        // in the place of what was kept; more than may be kept drops it
        memory.put("a", Map.of(new FileKey(2, 1, 1), new byte[0]), 2 * size);
        assertThat(memory.get("a")).containsOnlyKeys(new FileKey(2, 1, 1));
        memory.put("a", Map.of(new FileKey(3, 1, 1), new byte[1000]), 2 * size);
        assertThat(memory.get("a")).isEmpty();
        assertThat(memory.bytes()).isEqualTo(size);
        memory.put("c", Map.of(), 0);
        assertThat(memory.bytes()).isZero();
    }
}
