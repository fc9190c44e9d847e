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
package org.hadoopmpsr.core.group;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.text.CommaList;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants of a dataset's representation in a replica group. Immutable.
 *
 * @param group the name of the replica group
 * @param predicates in order; empty for those of the group that the representation is made like
 * @param sort empty for that of the group that it is made like, and with predicates of its own for their columns
 * @param codec null for those of the group that it is made like
 * @param transforms null for those of the group that it is made like
 */
public record WantedGroup(
        String group,
        List<Predicate> predicates,
        List<SortKey> sort,
        @Nullable Codecs codec,
        @Nullable ColumnTransforms transforms) {

    public WantedGroup {
        predicates = List.copyOf(predicates);
        sort = List.copyOf(sort);
    }

    /** A wish that says nothing of transforms. */
    public WantedGroup(String group, List<Predicate> predicates, List<SortKey> sort, @Nullable Codecs codec) {
        this(group, predicates, sort, codec, null);
    }

    /**
     * Reads a wish such as {@code signal=bucket(64, signal), month(timestamp); timestamp}: the group, its predicates and its sort order.
     *
     * @throws IllegalArgumentException if the text is no wish, with the problem and the form
     */
    public static WantedGroup parse(String text) {
        int equal = text.indexOf('=');
        if (equal < 1) {
            throw unreadable(text, "it lacks the name of a group before '='");
        }
        String name = text.substring(0, equal).strip();
        String rest = text.substring(equal + 1);
        int semicolon = endOfPredicates(rest);
        try {
            List<Predicate> predicates = CommaList.of(rest.substring(0, semicolon)).stream()
                    .map(Predicate::parse)
                    .toList();
            if (predicates.isEmpty()) {
                throw unreadable(text, "it names no predicate");
            }
            String sort = semicolon < rest.length() ? rest.substring(semicolon + 1) : "";
            return new WantedGroup(name, predicates, SortKey.parseList(sort), null);
        } catch (IllegalArgumentException e) {
            throw unreadable(text, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException unreadable(String text, String problem) {
        return new IllegalArgumentException(
                "cannot read the group '" + text + "': " + problem
                        + "; write the group, its predicates and its sort order, such as 'signal=bucket(64, signal); timestamp'");
    }

    /** The place of the first semicolon outside backticks, or the end. */
    private static int endOfPredicates(String text) {
        boolean within = false;
        for (int i = 0; i < text.length(); i++) {
            within ^= text.charAt(i) == '`';
            if (text.charAt(i) == ';' && !within) {
                return i;
            }
        }
        return text.length();
    }

    /** The wish as text, which {@link #parse} reads; without codec and transforms. */
    public String text() {
        String divided = predicates.stream().map(Predicate::text).collect(Collectors.joining(", "));
        String sorted = sort.stream().map(SortKey::text).collect(Collectors.joining(", "));
        return group + "=" + divided + (sorted.isEmpty() ? "" : "; " + sorted);
    }

    /** The same wish with other names for the columns. */
    public WantedGroup withColumns(UnaryOperator<String> names) {
        return new WantedGroup(
                group,
                predicates.stream()
                        .map(p -> new Predicate(p.transform(), names.apply(p.column())))
                        .toList(),
                sort.stream()
                        .map(key -> key.withColumn(names.apply(key.column())))
                        .toList(),
                codec == null ? null : codec.withColumns(names),
                transforms == null ? null : transforms.withColumns(names));
    }

    /** The same wish, without transforms that make no difference to files of the schema. */
    public WantedGroup of(Schema schema) {
        return new WantedGroup(group, predicates, sort, codec, transforms == null ? null : transforms.of(schema));
    }

    /** @throws IllegalArgumentException if a column is to have a codec or a transform of its own and the schema lacks it */
    public void checkColumns(Schema schema) {
        if (transforms != null) {
            transforms.checkColumns(group, schema);
        }
        if (codec == null) {
            return;
        }
        for (String column : codec.ofColumns().keySet()) {
            if (schema.find(column).isEmpty()) {
                throw new IllegalArgumentException(
                        "replica group '" + group + "' is to have a codec for " + ColumnPath.lacking(schema, column));
            }
        }
    }

    /** The representation under a name, where what is not said is as in another one. */
    ReplicaGroup like(ReplicaGroup other, String name) {
        List<SortKey> sorted = predicates.isEmpty() && sort.isEmpty() ? other.sort() : sort;
        return new ReplicaGroup(
                name,
                predicates.isEmpty() ? other.predicates() : predicates,
                sorted,
                other.replication(),
                codec == null ? other.codec() : codec,
                transforms == null ? other.transforms() : transforms);
    }
}
