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
package org.hadoopmpsr.columnar.parquet;

import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the values of one column of one file, page by page, without levels and uncompressed. It sums up what it has seen for the file's statistics. Not safe for use by several threads.
 */
abstract class ColumnEncoder implements AutoCloseable {
    /** The size at which a page ends, and the memory that encoders take in one piece. */
    static final int PAGE_BYTES = 1 << 20;

    static final int SLAB_BYTES = 16 << 10;

    private static final int MAX_FILTER_BYTES = 1 << 20;

    /**
     * An encoder of a column.
     *
     * @param trials null if no pages are written
     */
    static ColumnEncoder of(FileColumn column, @Nullable Trials trials) {
        ColumnVector vector = column.vector();
        ColumnType type = column.column().type();
        if (vector instanceof WideDecimalVector decimals) {
            return new WideDecimalEncoder(decimals, column.ranks(), ((DecimalType) type).bytes());
        }
        if (vector instanceof StringVector strings) {
            return new StringEncoder(strings, column.ranks(), type == ColumnType.STRING);
        }
        if (vector instanceof LongVector longs) {
            return type.isInt32()
                    ? new DeltaEncoder.OfInt(longs, trials, false)
                    : new DeltaEncoder.OfLong(longs, trials, false);
        }
        if (vector instanceof DoubleVector doubles) {
            return new FloatingEncoder(doubles, type == ColumnType.FLOAT, trials);
        }
        return new BooleanEncoder((BooleanVector) vector);
    }

    /**
     * Begins a column chunk of the rows {@code order[from]} to {@code order[to - 1]}.
     *
     * @return its dictionary, uncompressed, or null when it has none
     */
    @Nullable
    DictionaryPage beginChunk(int[] order, int from, int to) throws IOException {
        return null;
    }

    /**
     * Encodes a page of the chunk: the rows {@code rows[from]} to {@code rows[to - 1]}, which have values. The pages of
     * a chunk are encoded one after the other.
     *
     * @param statistics gets the bounds of the values
     * @return the values, valid until the next call
     */
    abstract BytesInput encode(int[] rows, int from, int to, Statistics<?> statistics) throws IOException;

    /** The encoding of the chunk's pages. */
    abstract Encoding encoding();

    /** Whether the chunk's pages are to be compressed. */
    boolean compresses() {
        return true;
    }

    /** A Bloom filter of the chunk that was encoded last; null when the column's type has none. */
    @Nullable
    BloomFilter bloomFilter(int[] order, int from, int to) {
        return null;
    }

    /** An empty filter for that many distinct values, with about one wrong answer in a hundred. */
    static BloomFilter emptyFilter(int distinct) {
        int bits = BlockSplitBloomFilter.optimalNumOfBits(Math.max(1, distinct), 0.01);
        return new BlockSplitBloomFilter(Math.min(bits / Byte.SIZE, MAX_FILTER_BYTES), MAX_FILTER_BYTES);
    }

    /** About how many bytes a row of the chunk takes in a page. */
    abstract int bytesPerRow();

    /** The bounds of all values since the encoder was made. */
    abstract ColumnStatistics statistics(long nulls);

    @Override
    public void close() {}
}
