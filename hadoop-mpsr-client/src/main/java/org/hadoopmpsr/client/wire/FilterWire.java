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
package org.hadoopmpsr.client.wire;

import java.util.List;
import java.util.Objects;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FilterProto.Kind;
import org.hadoopmpsr.client.proto.MpsrProtos.ValueProto;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.jspecify.annotations.Nullable;

/** Translates filters to messages and back. */
public final class FilterWire {

    /** A filter with more values prunes less than it costs, and the NameNode refuses it. */
    static final int MAX_VALUES = 10_000;
    /** Levels of a filter that are sent; the NameNode refuses far deeper ones. */
    static final int MAX_DEPTH = 32;
    /** A longer text excludes hardly more than the first part of it, and is not sent. */
    static final int MAX_TEXT = 4_096;

    private FilterWire() {}

    /** Of a filter that is too large the parts beyond the limits become {@link Filter.Unknown}, which matches all. */
    public static FilterProto filter(Filter filter) {
        return new Writer().filter(filter, 0);
    }

    /** Writes one filter and counts the values. */
    private static final class Writer {
        private int values;

        FilterProto filter(Filter filter, int depth) {
            FilterProto.Builder proto = FilterProto.newBuilder();
            if (depth > MAX_DEPTH || isLong(filter) || !isWithin(filter)) {
                proto.setKind(Kind.UNKNOWN);
            } else if (filter instanceof Filter.And and) {
                proto.setKind(Kind.AND).addAllPart(parts(and.parts(), depth));
            } else if (filter instanceof Filter.Or or) {
                proto.setKind(Kind.OR).addAllPart(parts(or.parts(), depth));
            } else if (filter instanceof Filter.Not not) {
                proto.setKind(Kind.NOT).addPart(filter(not.part(), depth + 1));
            } else if (filter instanceof Filter.Compare compare) {
                proto.setKind(Kind.valueOf(compare.operator().name()))
                        .setColumn(compare.column())
                        .addLiteral(Wire.value(compare.literal()));
            } else if (filter instanceof Filter.In in) {
                proto.setKind(Kind.IN).setColumn(in.column());
                in.literals().forEach(v -> proto.addLiteral(Wire.value(v)));
            } else if (filter instanceof Filter.IsNull isNull) {
                proto.setKind(Kind.IS_NULL).setColumn(isNull.column());
            } else if (filter instanceof Filter.StartsWith startsWith) {
                proto.setKind(Kind.STARTS_WITH)
                        .setColumn(startsWith.column())
                        .addLiteral(Wire.value(startsWith.prefix()));
            } else {
                proto.setKind(Kind.UNKNOWN);
            }
            return proto.build();
        }

        private static boolean isLong(Filter filter) {
            return filter instanceof Filter.Compare compare && isLong(compare.literal())
                    || filter instanceof Filter.StartsWith start && isLong(start.prefix())
                    || filter instanceof Filter.In in && in.literals().stream().anyMatch(Writer::isLong);
        }

        private static boolean isLong(@Nullable Object literal) {
            return literal instanceof String text && text.length() > MAX_TEXT;
        }

        private List<FilterProto> parts(List<Filter> parts, int depth) {
            return parts.stream().map(part -> filter(part, depth + 1)).toList();
        }

        /** Counts a list's values, or its parts, if there is room for all of them. */
        private boolean isWithin(Filter filter) {
            int more = filter instanceof Filter.In in
                    ? in.literals().size()
                    : filter instanceof Filter.And and
                            ? and.parts().size()
                            : filter instanceof Filter.Or or ? or.parts().size() : 1;
            boolean within = more <= MAX_VALUES - values;
            values += within ? more : 0;
            return within;
        }
    }

    /**
     * Reads a filter.
     *
     * @throws IllegalArgumentException if a part lacks what its kind needs, or has more than that
     */
    public static Filter filter(FilterProto proto) {
        List<Filter> parts =
                proto.getPartList().stream().map(FilterWire::filter).toList();
        Kind kind = proto.getKind();
        if (kind != Kind.AND && kind != Kind.OR && kind != Kind.UNKNOWN) {
            check(
                    kind == Kind.NOT ? parts.size() == 1 : parts.isEmpty(),
                    proto,
                    kind == Kind.NOT ? "one part" : "no parts");
        }
        return switch (kind) {
            case AND -> new Filter.And(parts);
            case OR -> new Filter.Or(parts);
            case NOT -> new Filter.Not(parts.get(0));
            case EQ, LT, LE, GT, GE ->
                new Filter.Compare(Operator.valueOf(kind.name()), column(proto), onlyLiteral(proto));
            case IN ->
                new Filter.In(
                        column(proto),
                        proto.getLiteralList().stream()
                                .map(v -> literal(proto, v))
                                .toList());
            case IS_NULL -> new Filter.IsNull(column(proto));
            case STARTS_WITH -> new Filter.StartsWith(column(proto), prefix(proto));
            case UNKNOWN -> new Filter.Unknown();
        };
    }

    private static String column(FilterProto proto) {
        check(!proto.getColumn().isEmpty(), proto, "a column");
        return proto.getColumn();
    }

    private static @Nullable Object onlyLiteral(FilterProto proto) {
        check(proto.getLiteralCount() == 1, proto, "one literal, not " + proto.getLiteralCount());
        return Wire.value(proto.getLiteral(0));
    }

    private static String prefix(FilterProto proto) {
        Object prefix = onlyLiteral(proto);
        check(prefix instanceof String, proto, "a string as its literal");
        return String.valueOf(prefix);
    }

    private static Object literal(FilterProto proto, ValueProto value) {
        Object literal = Wire.value(value);
        check(literal != null, proto, "literals that are not null");
        return Objects.requireNonNull(literal);
    }

    private static void check(boolean holds, FilterProto proto, String need) {
        if (!holds) {
            throw new IllegalArgumentException(
                    "the filter cannot be read: " + proto.getKind() + " needs " + need + "; correct the client");
        }
    }
}
