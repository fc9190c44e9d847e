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
package org.hadoopmpsr.core.advise;

import java.util.List;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;

/**
 * How a replica group may be partitioned and sorted. Immutable.
 *
 * @param sort empty for the columns of the predicates
 */
public record Layout(List<Predicate> predicates, List<SortKey> sort) {
    public Layout {
        predicates = List.copyOf(predicates);
        sort = List.copyOf(sort);
    }

    /** The layout of a group. */
    public static Layout of(ReplicaGroup group) {
        return new Layout(group.predicates(), group.sort());
    }

    /** A group with this layout. */
    public ReplicaGroup group(String name, int copies, Codecs codec) {
        return new ReplicaGroup(name, predicates, sort, copies, codec);
    }

    /** The predicates as {@code hdfs-site.xml} and {@code --predicates} have them. */
    public String predicatesText() {
        return predicates.stream().map(Predicate::text).collect(Collectors.joining(", "));
    }

    /** The sort order as {@code hdfs-site.xml} and {@code --sort} have it; empty for the columns of the predicates. */
    public String sortText() {
        return sort.stream().map(SortKey::text).collect(Collectors.joining(", "));
    }

    /** The layout in a few words. */
    public String text() {
        return predicatesText() + (sort.isEmpty() ? "" : ", sorted by " + sortText());
    }
}
