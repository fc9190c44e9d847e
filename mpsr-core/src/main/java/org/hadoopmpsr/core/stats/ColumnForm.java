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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.stats.CompactWriter.Kind;
import org.jspecify.annotations.Nullable;

/** The compact form of the statistics of one column in a file. */
final class ColumnForm {
    private static final int KIND = 3;
    private static final int HAS_MIN = 4;
    private static final int HAS_MAX = 8;
    private static final int MAX_IS_MIN = 16;
    private static final int NO_NULLS = 32;
    private static final int HAS_NULL_COUNT = 64;
    private static final int HAS_DISTINCT = 128;

    private ColumnForm() {}

    static void write(CompactWriter out, ColumnStatistics column) {
        Object min = writable(column.min());
        Object max = writable(column.max());
        Kind kind = Kind.of(min == null ? max : min);
        boolean same = min != null && min.equals(max);
        out.octet((kind == null ? 0 : kind.ordinal())
                | (min == null ? 0 : HAS_MIN)
                | (max == null || same ? 0 : HAS_MAX)
                | (same ? MAX_IS_MIN : 0)
                | (column.nullCount() == 0 ? NO_NULLS : 0)
                | (column.nullCount() > 0 ? HAS_NULL_COUNT : 0)
                | (column.distinct() >= 0 ? HAS_DISTINCT : 0));
        if (kind != null && min != null) {
            out.value(kind, min);
        }
        if (kind != null && max != null && !same) {
            if (min == null) {
                out.value(kind, max);
            } else {
                out.valueAbove(kind, min, max);
            }
        }
        if (column.nullCount() > 0) {
            out.number(column.nullCount());
        }
        if (column.distinct() >= 0) {
            out.number(column.distinct());
        }
    }

    static ColumnStatistics read(CompactReader in) {
        int flags = in.octet();
        Kind kind = CompactReader.kind(flags & KIND);
        Object min = (flags & HAS_MIN) == 0 ? null : in.value(kind);
        Object max = (flags & MAX_IS_MIN) != 0 ? min : null;
        if ((flags & HAS_MAX) != 0) {
            max = min == null ? in.value(kind) : in.valueAbove(kind, min);
        }
        long nulls = (flags & NO_NULLS) != 0 ? 0 : (flags & HAS_NULL_COUNT) != 0 ? in.number() : -1;
        long distinct = (flags & HAS_DISTINCT) != 0 ? in.number() : -1;
        return new ColumnStatistics(min, max, nulls, distinct);
    }

    /**
     * Writes the positions of the columns whose bounds may not be values of the column. In bytes that end before this
     * part, no bound is known to be a value.
     */
    static void writeInexact(CompactWriter out, Collection<ColumnStatistics> columns) {
        List<Integer> inexact = new ArrayList<>();
        int place = 0;
        for (ColumnStatistics column : columns) {
            if (!column.exact() && (column.min() != null || column.max() != null)) {
                inexact.add(place);
            }
            place++;
        }
        out.number(inexact.size());
        inexact.forEach(out::number);
    }

    /** Marks bounds as values of the column, as {@link #writeInexact} wrote them. */
    static void readExact(CompactReader in, Map<String, ColumnStatistics> columns) {
        Set<Integer> inexact = new HashSet<>();
        for (int rest = in.count(); rest > 0; rest--) {
            inexact.add(in.count());
        }
        int place = 0;
        for (Map.Entry<String, ColumnStatistics> column : columns.entrySet()) {
            if (!inexact.contains(place)) {
                ColumnStatistics c = column.getValue();
                column.setValue(new ColumnStatistics(c.min(), c.max(), c.nullCount(), c.distinct(), true));
            }
            place++;
        }
    }

    /** Reads past what {@link #writeInexact} wrote. */
    static void skipExact(CompactReader in) {
        for (int rest = in.count(); rest > 0; rest--) {
            in.count();
        }
    }

    /** The bound, or null if it is no valid Unicode. */
    static @Nullable Object writable(@Nullable Object bound) {
        return bound instanceof String s && !StandardCharsets.UTF_8.newEncoder().canEncode(s) ? null : bound;
    }
}
