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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
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
    void filesAreReadWithoutTheirAnswers() throws IOException {
        Map<FileKey, byte[]> answers = Map.of(new FileKey(1, 2, 3), new byte[500], new FileKey(4, 5, 6), new byte[700]);
        byte[] bytes = AnswersFormat.write("q", answers);
        byte[] beginning = Arrays.copyOf(bytes, 100);
        assertThat(AnswersFormat.files(new ByteArrayInputStream(beginning)))
                .contains(new AnsweredFiles("q", answers.keySet()));
        byte[] shorter = Arrays.copyOf(bytes, 60);
        assertThatThrownBy(() -> AnswersFormat.files(new ByteArrayInputStream(shorter)))
                .isInstanceOf(EOFException.class);
        bytes[7] ^= 1;
        assertThat(AnswersFormat.files(new ByteArrayInputStream(bytes))).isEmpty();
    }

    @Test
    void memoryDropsAnswersOfFilesThatAreGone() {
        AnswerMemory memory = new AnswerMemory();
        FileKey gone = new FileKey(1, 1, 1);
        FileKey there = new FileKey(2, 1, 1);
        memory.put("a 1", Map.of(gone, new byte[10], there, new byte[20]), 1000);
        memory.put("a 2", Map.of(gone, new byte[10]), 1000);
        memory.put("b", Map.of(gone, new byte[10]), 1000);
        assertThat(memory.files("a ")).containsExactlyInAnyOrder(gone, there);
        memory.drop("a ", Set.of(gone));
        assertThat(memory.get("a 1")).containsOnlyKeys(there);
        assertThat(memory.get("a 2")).isEmpty();
        assertThat(memory.get("b")).containsOnlyKeys(gone);
        assertThat(memory.bytes())
                .isEqualTo(AnswersFormat.size("a 1", memory.get("a 1")) + AnswersFormat.size("b", memory.get("b")));
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
