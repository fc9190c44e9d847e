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
package org.hadoopmpsr.columnar.pack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the packers make, as parquet-java reads it. */
class PackersTest {
    private static final int[] COUNTS = {1, 2, 7, 8, 9, 31, 32, 33, 127, 128, 129, 130, 504, 505, 512, 1000, 5001};

    private final HybridPacker hybrid = new HybridPacker();

    private static void checkHybrid(BytesInput packed, int[] values, int from, int count, int width) throws Exception {
        var decoder = new RunLengthBitPackingHybridDecoder(width, new ByteArrayInputStream(packed.toByteArray()));
        for (int i = 0; i < count; i++) {
            assertThat(decoder.readInt()).as("value %s of %s", i, count).isEqualTo(values[from + i]);
        }
    }

    @ParameterizedTest(name = "width {0}")
    @ValueSource(ints = {0, 1, 2, 3, 7, 8, 9, 14, 17, 24, 25, 31})
    void packsRunsAndGroupsOfAnyWidth(int width) throws Exception {
        Random random = new Random(width);
        for (int count : COUNTS) {
            for (int longestRun : new int[] {1, 3, 20, 700}) {
                int from = random.nextInt(5);
                int[] values = new int[from + count];
                int value = 0;
                int left = 0;
                for (int i = 0; i < values.length; i++, left--) {
                    if (left <= 0) {
                        value = random.nextInt() & (1 << width) - 1;
                        left = 1 + random.nextInt(longestRun);
                    }
                    values[i] = value;
                }
                checkHybrid(hybrid.pack(values, from, count, width), values, from, count, width);
            }
        }
    }

    @Test
    void packsARunInAFewBytes() {
        assertThat(hybrid.pack(new int[10_000], 0, 10_000, 20).size()).isEqualTo(3 + 3);
        int[] mixed = IntStream.range(0, 1016).map(i -> i < 16 ? i : 3).toArray();
        assertThat(hybrid.pack(mixed, 0, 1016, 4).size()).isEqualTo(1 + 2 * 4 + 2 + 1);
    }

    @ParameterizedTest(name = "differences of up to {0} bits")
    @ValueSource(ints = {0, 1, 5, 31, 32, 33, 47, 62, 63, 64})
    void packsDifferencesOfAnyWidth(int bits) throws Exception {
        Random random = new Random(bits);
        for (boolean narrow : new boolean[] {false, true}) {
            DeltaPacker packer = new DeltaPacker(narrow);
            for (int count : COUNTS) {
                long[] values = new long[count];
                long value = random.nextLong();
                for (int i = 0; i < count; i++) {
                    value += bits == 0 ? 3 : random.nextLong() >> Long.SIZE - bits;
                    values[i] = narrow ? (int) value : value;
                }
                DeltaBinaryPackingValuesReader reader = new DeltaBinaryPackingValuesReader();
                reader.initFromPage(
                        count,
                        ByteBufferInputStream.wrap(packer.pack(values, count).toByteBuffer()));
                for (int i = 0; i < count; i++) {
                    assertThat(narrow ? reader.readInteger() : reader.readLong())
                            .as("value %s of %s", i, count)
                            .isEqualTo(values[i]);
                }
            }
        }
    }

    @Test
    void packsNoValuesAndEvenDifferencesInAFewBytes() {
        assertThat(new DeltaPacker(false).pack(new long[0], 0).size()).isEqualTo(2 + 1 + 1 + 1);
        long[] even = new long[129];
        for (int i = 0; i < even.length; i++) {
            even[i] = i * 7L;
        }
        assertThat(new DeltaPacker(false).pack(even, even.length).size()).isEqualTo(2 + 1 + 2 + 1 + 1 + 4);
    }
}
