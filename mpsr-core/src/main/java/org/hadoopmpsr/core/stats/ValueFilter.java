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
 * Which strings a column of a file has, where they are few, in a byte for each: a Bloom filter (B. H. Bloom, 1970) with eight
 * bits for a value, five of which it sets. The five are independent, of six bits of one hash each, so a filter has 64 bits at
 * most. It takes a value that is not there for one that is about twice in a hundred times, and never the other way round.
 * Strings are told apart by their UTF-8. Immutable.
 */
public final class ValueFilter {
    /** The most values for which the NameNode keeps a filter. */
    public static final int MAX_VALUES = 8;

    private static final int SET_BITS = 5;

    private final byte[] bits;

    private ValueFilter(byte[] bits) {
        this.bits = bits;
    }

    /**
     * The filter of a column's values.
     *
     * @param values each once, as UTF-8, without nulls
     * @return empty where they are too many, or only one, which bounds tell
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
     * The filter that {@link #toBytes} gave.
     *
     * @throws IllegalArgumentException when it gave no such bytes
     */
    public static ValueFilter fromBytes(byte[] bits) {
        if (bits.length < 2 || bits.length > MAX_VALUES) {
            throw new IllegalArgumentException("a filter of " + bits.length + " values");
        }
        return new ValueFilter(bits.clone());
    }

    /** A byte for each value. */
    public byte[] toBytes() {
        return bits.clone();
    }

    /** False only when no record has this value. */
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

    /** Writes nothing where no column has a filter. */
    static void write(CompactWriter out, Collection<ColumnStatistics> columns) {
        long filters = columns.stream().filter(c -> c.values() != null).count();
        if (filters == 0) {
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
