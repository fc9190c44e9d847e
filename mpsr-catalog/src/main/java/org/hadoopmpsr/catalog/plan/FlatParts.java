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
package org.hadoopmpsr.catalog.plan;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.plan.Filter;

/** Joins filters without making them deeper: clients nest a conjunction of a hundred parts a hundred levels deep, and the NameNode reads few levels. */
final class FlatParts {
    private FlatParts() {}

    static Filter and(Filter left, Filter right) {
        List<Filter> parts = new ArrayList<>();
        for (Filter side : List.of(left, right)) {
            if (side instanceof Filter.And and) {
                parts.addAll(and.parts());
            } else {
                parts.add(side);
            }
        }
        return new Filter.And(parts);
    }

    static Filter or(Filter left, Filter right) {
        List<Filter> parts = new ArrayList<>();
        for (Filter side : List.of(left, right)) {
            if (side instanceof Filter.Or or) {
                parts.addAll(or.parts());
            } else {
                parts.add(side);
            }
        }
        return new Filter.Or(parts);
    }
}
