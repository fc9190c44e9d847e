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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;

/**
 * What of a request for a plan is worth work. A column is looked at once, however often it is named, and not at all if the
 * dataset lacks it: nothing is known of it.
 */
final class PlanRules {

    private PlanRules() {}

    /** The request without what does not change the plan, and with the name of the group that is meant. */
    static PlanRequest known(DatasetRecord dataset, PlanRequest request) {
        Set<String> known = columns(dataset);
        List<String> columns = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String column : request.columns()) {
            String name = column.toLowerCase(Locale.ROOT);
            if (known.contains(name) && seen.add(name)) {
                columns.add(column);
            }
        }
        ReadRequest read = request.read();
        return request.with(
                new ReadRequest(
                        Disjunctions.merged(known(known, read.filter())),
                        read.columns(),
                        read.parallelism(),
                        read.hosts(),
                        read.listed(),
                        read.compared(),
                        read.parts() && !read.compared(),
                        read.untracked(),
                        read.asOf(),
                        read.transforms(),
                        read.accuracies()),
                request.group() == null
                        ? null
                        : dataset.groups()
                                .meant(request.group())
                                .map(ReplicaGroup::name)
                                .orElse(request.group()),
                columns);
    }

    /**
     * The columns that a reader may see, in lower case: those of the schema, and all groups' partition fields; and the values within columns
     * that groups are partitioned or sorted by, as statistics tell of no others.
     */
    private static Set<String> columns(DatasetRecord dataset) {
        Set<String> names = new HashSet<>();
        dataset.schema().columns().forEach(c -> names.add(c.name().toLowerCase(Locale.ROOT)));
        dataset.groups().groups().forEach(group -> {
            group.predicates().forEach(p -> names.add(p.fieldName().toLowerCase(Locale.ROOT)));
            group.paths(dataset.schema()).forEach(c -> names.add(c.name().toLowerCase(Locale.ROOT)));
        });
        return names;
    }

    private static Filter known(Set<String> columns, Filter filter) {
        if (filter instanceof Filter.And and) {
            return new Filter.And(
                    and.parts().stream().map(part -> known(columns, part)).toList());
        }
        if (filter instanceof Filter.Or or) {
            return new Filter.Or(
                    or.parts().stream().map(part -> known(columns, part)).toList());
        }
        if (filter instanceof Filter.Not not) {
            return new Filter.Not(known(columns, not.part()));
        }
        String column = column(filter);
        return column.isEmpty() || columns.contains(column.toLowerCase(Locale.ROOT)) ? filter : new Filter.Unknown();
    }

    /** The column of a condition, or an empty string. */
    private static String column(Filter filter) {
        if (filter instanceof Filter.Compare compare) {
            return compare.column();
        }
        if (filter instanceof Filter.In in) {
            return in.column();
        }
        if (filter instanceof Filter.StartsWith start) {
            return start.column();
        }
        return filter instanceof Filter.IsNull isNull ? isNull.column() : "";
    }
}
