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
package org.hadoopmpsr.namenode.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.core.plan.Filter;

/** Writes a filter in a shorter form of the same outcomes. */
final class Disjunctions {

    private Disjunctions() {}

    /**
     * The filter with one list for the parts of an OR that compare one column for equality: the literals of a list are
     * evaluated together, and parts one by one.
     */
    static Filter merged(Filter filter) {
        if (filter instanceof Filter.And and) {
            return new Filter.And(and.parts().stream().map(Disjunctions::merged).toList());
        }
        if (filter instanceof Filter.Not not) {
            return new Filter.Not(merged(not.part()));
        }
        return filter instanceof Filter.Or or ? merged(or) : filter;
    }

    private static Filter merged(Filter.Or or) {
        Map<String, List<Object>> lists = new LinkedHashMap<>();
        List<Filter> parts = new ArrayList<>();
        for (Filter part : or.parts()) {
            if (part instanceof Filter.In in) {
                literals(lists, in.column()).addAll(in.literals());
            } else if (part instanceof Filter.Compare compare
                    && compare.operator() == Filter.Operator.EQ
                    && compare.literal() != null) {
                literals(lists, compare.column()).add(compare.literal());
            } else {
                parts.add(merged(part));
            }
        }
        lists.forEach((column, literals) -> parts.add(new Filter.In(column, literals)));
        return parts.size() == 1 ? parts.get(0) : new Filter.Or(parts);
    }

    private static List<Object> literals(Map<String, List<Object>> lists, String column) {
        return lists.computeIfAbsent(column.toLowerCase(Locale.ROOT), c -> new ArrayList<>());
    }
}
