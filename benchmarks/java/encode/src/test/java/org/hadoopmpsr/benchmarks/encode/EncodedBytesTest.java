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
package org.hadoopmpsr.benchmarks.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EncodedBytesTest {
    @Test
    void anEncodingTakesFewBytesForNumbersThatItFits() throws IOException {
        long[] few = new Random(1)
                .longs(40_000)
                .map(number -> number % 5 * 1_000_003)
                .toArray();
        long[] line = LongStream.range(0, 40_000).map(at -> at * 1_000_003).toArray();
        try (EncodedBytes bytes = new EncodedBytes(3)) {
            EncodedBytes.WithDictionary found = bytes.dictionary(few);
            assertThat(found.distinct()).isEqualTo(9);
            assertThat(found.numbers())
                    .as("of nine numbers, in less than four bits each, which is less than they take otherwise")
                    .isBetween(14_000L, 20_000L)
                    .isLessThan(bytes.plain(few))
                    .isLessThan(bytes.differences(few));
            assertThat(bytes.differences(line)).isLessThan(1000).isLessThan(bytes.plain(line));
            assertThat(bytes.dictionary(line).entries()).isGreaterThan(bytes.differences(line));
        }
    }

    @Test
    void chunksAreWrittenInAboutTheBytesOfAnEncoding() {
        List<String> lines = Printed.lines(new EncodingPath(), "--values", "24000", "--drawn-rows", "20000");
        assertThat(lines)
                .hasSizeGreaterThan(100)
                .allSatisfy(line -> assertThat(line).contains("\"kind\": \"encoding\""));
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("walk over 250, 20000 rows, whole numbers"));
    }
}
