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
package org.hadoopmpsr.core.plan;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.schema.Values;
import org.jspecify.annotations.Nullable;

/** What a filter says of a record of {@link RandomFiles#SCHEMA}: SQL's three-valued logic, NaN above all and equal to itself. */
final class ThreeValued {
    private ThreeValued() {}

    /** Whether a record passes; null where that is unknown. */
    static @Nullable Boolean passes(Filter filter, Object[] record) {
        if (filter instanceof Filter.And and) {
            List<Boolean> parts = outcomes(and.parts(), record);
            return parts.contains(false) ? Boolean.FALSE : parts.contains(null) ? null : Boolean.TRUE;
        }
        if (filter instanceof Filter.Or or) {
            List<Boolean> parts = outcomes(or.parts(), record);
            return parts.contains(true) ? Boolean.TRUE : parts.contains(null) ? null : Boolean.FALSE;
        }
        if (filter instanceof Filter.Not not) {
            Boolean part = passes(not.part(), record);
            return part == null ? null : !part;
        }
        if (filter instanceof Filter.IsNull isNull) {
            return value(isNull.column(), record) == null;
        }
        if (filter instanceof Filter.StartsWith startsWith) {
            Object value = value(startsWith.column(), record);
            return value == null ? null : ((String) value).startsWith(startsWith.prefix());
        }
        if (filter instanceof Filter.In in) {
            Object value = value(in.column(), record);
            return value == null
                    ? null
                    : in.literals().stream().anyMatch(literal -> Values.compare(value, literal) == 0);
        }
        Filter.Compare compare = (Filter.Compare) filter;
        Object value = value(compare.column(), record);
        if (value == null || compare.literal() == null) {
            return null;
        }
        int order = Values.compare(value, compare.literal());
        return switch (compare.operator()) {
            case EQ -> order == 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
        };
    }

    private static List<Boolean> outcomes(List<Filter> parts, Object[] record) {
        List<Boolean> outcomes = new ArrayList<>();
        parts.forEach(p -> outcomes.add(passes(p, record)));
        return outcomes;
    }

    private static @Nullable Object value(String column, Object[] record) {
        return record[RandomFiles.SCHEMA.indexOf(column).orElseThrow()];
    }
}
