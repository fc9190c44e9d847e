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

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.hadoopmpsr.columnar.pack.DeltaPacker;
import org.hadoopmpsr.columnar.pack.HybridPacker;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * What a chunk of numbers of 64 bits takes in each encoding, by making and compressing all of its pages. Headers of pages are left out, and counted
 * for a dictionary. For one thread.
 */
final class EncodedBytes implements AutoCloseable {
    private static final int PAGE = FileStatistics.PAGE_ROWS;

    /** About the header of a dictionary page. */
    private static final int HEADER = 32;

    private final HybridPacker packer = new HybridPacker();
    private final DeltaPacker differences = new DeltaPacker(false);
    private final ZstdCompressCtx zstd;

    EncodedBytes(int level) {
        zstd = new ZstdCompressCtx().setLevel(level);
    }

    /** As they are. */
    long plain(long[] values) {
        long bytes = 0;
        for (int page = 0; page < pages(values.length); page++) {
            bytes += compressed(littleEndian(page(values, page)));
        }
        return bytes;
    }

    /** As packed differences. */
    long differences(long[] values) throws IOException {
        long bytes = 0;
        for (int page = 0; page < pages(values.length); page++) {
            long[] rows = page(values, page);
            bytes += compressed(bytes(differences.pack(rows, rows.length)));
        }
        return bytes;
    }

    /**
     * What a chunk takes with a dictionary.
     *
     * @param distinct so many values
     * @param entries the bytes of the dictionary itself
     * @param numbers those of the values' numbers in it
     */
    record WithDictionary(int distinct, long entries, long numbers) {}

    /** With a dictionary in ascending order, in as few bits as hold its numbers, or in whole bytes, whichever takes less. */
    WithDictionary dictionary(long[] values) throws IOException {
        long[] distinct = Arrays.stream(values).sorted().distinct().toArray();
        int[] numbers = Arrays.stream(values)
                .mapToInt(value -> Arrays.binarySearch(distinct, value))
                .toArray();
        int exact = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(distinct.length - 1));
        int whole = (exact + Byte.SIZE - 1) / Byte.SIZE * Byte.SIZE;
        return new WithDictionary(
                distinct.length,
                HEADER + compressed(littleEndian(distinct)),
                Math.min(numbers(numbers, exact), numbers(numbers, whole)));
    }

    private long numbers(int[] numbers, int width) throws IOException {
        long bytes = 0;
        for (int page = 0; page < pages(numbers.length); page++) {
            int from = start(numbers.length, page);
            bytes += compressed(bytes(packer.pack(numbers, from, start(numbers.length, page + 1) - from, width)));
        }
        return bytes;
    }

    /** As many pages of even length as rows without a lead column have. */
    private static int pages(int rows) {
        return (rows + PAGE - 1) / PAGE;
    }

    private static int start(int rows, int page) {
        return (int) ((long) rows * page / pages(rows));
    }

    private static long[] page(long[] values, int page) {
        return Arrays.copyOfRange(values, start(values.length, page), start(values.length, page + 1));
    }

    private long compressed(byte[] page) {
        return zstd.compress(page).length;
    }

    private static byte[] littleEndian(long[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(values);
        return bytes.array();
    }

    private static byte[] bytes(BytesInput input) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(Math.toIntExact(input.size()));
        input.writeAllTo(bytes);
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        zstd.close();
    }
}
