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
package org.hadoopmpsr.core.stats;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.core.group.Murmur3;

/**
 * A filter of the strings in a column of a file, for columns with few strings: a Bloom filter (B. H. Bloom, 1970) with
 * one byte, eight bits, per value. Each value sets five bits, which six bits each of one hash select; a filter
 * therefore has at most 64 bits. The filter takes a missing value for a present one about twice in a hundred times, and
 * never a present value for a missing one. Strings are compared by their UTF-8. Immutable.
 */
public final class ValueFilter {
    /** The maximum number of values for which the NameNode keeps a filter. */
    public static final int MAX_VALUES = 8;

    private static final int SET_BITS = 5;

    private final byte[] bits;

    private ValueFilter(byte[] bits) {
        this.bits = bits;
    }

    /**
     * Makes the filter of a column's values.
     *
     * @param values the values without repetition and without null, as UTF-8
     * @return empty if there are too many values, or only one, which the bounds show
     */
    public static Optional<ValueFilter> of(Collection<byte[]> values) {
        if (values.size() < 2 || values.size() > MAX_VALUES) {
            return Optional.empty();
        }
        byte[] bits = new byte[values.size()];
        for (byte[] value : values) {
            for (int bit : bits(value, bits.length)) {
                bits[bit / Byte.SIZE] |= (byte) (1 << bit % Byte.SIZE);
            }
        }
        return Optional.of(new ValueFilter(bits));
    }

    /**
     * Restores the filter from its {@link #toBytes bytes}.
     *
     * @throws IllegalArgumentException if the bytes are no filter
     */
    public static ValueFilter fromBytes(byte[] bits) {
        if (bits.length < 2 || bits.length > MAX_VALUES) {
            throw new IllegalArgumentException("a filter of " + bits.length + " values");
        }
        return new ValueFilter(bits.clone());
    }

    /** The filter as one byte per value. */
    public byte[] toBytes() {
        return bits.clone();
    }

    /** False only if no record has this value. */
    public boolean mayHold(String value) {
        for (int bit : bits(value.getBytes(StandardCharsets.UTF_8), bits.length)) {
            if ((bits[bit / Byte.SIZE] & 1 << bit % Byte.SIZE) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int[] bits(byte[] value, int bytes) {
        int hash = Murmur3.hash32(value, 0, value.length);
        int[] bits = new int[SET_BITS];
        for (int i = 0; i < SET_BITS; i++) {
            bits[i] = (hash >>> 6 * i & 63) * bytes / MAX_VALUES;
        }
        return bits;
    }

    /** Writes the filters, or nothing if no column has one and no part follows. */
    static void write(CompactWriter out, Collection<ColumnStatistics> columns, boolean more) {
        long filters = columns.stream().filter(c -> c.values() != null).count();
        if (filters == 0 && !more) {
            return;
        }
        out.number(filters);
        int place = 0;
        for (ColumnStatistics column : columns) {
            if (column.values() != null) {
                out.number(place);
                out.bytes(column.values().bits);
            }
            place++;
        }
    }

    static void read(CompactReader in, Map<String, ColumnStatistics> columns) {
        List<String> names = List.copyOf(columns.keySet());
        for (int rest = in.count(); rest > 0; rest--) {
            int place = in.count();
            ValueFilter filter = fromBytes(in.bytes());
            if (place >= names.size()) {
                throw new IllegalArgumentException("a filter for column " + place + " of " + names.size());
            }
            columns.computeIfPresent(names.get(place), (name, column) -> column.withValues(filter));
        }
    }

    /** Reads past the filters. */
    static void skip(CompactReader in) {
        for (int rest = in.count(); rest > 0; rest--) {
            in.count();
            in.bytes();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ValueFilter filter && Arrays.equals(bits, filter.bits);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bits);
    }

    @Override
    public String toString() {
        return "filter of " + bits.length + " values";
    }
}
