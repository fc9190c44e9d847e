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
package org.hadoopmpsr.columnar.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.nested.LeafReader;
import org.hadoopmpsr.core.nested.NestedReader;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;

/** Which strings within nested values may be: names of directories where a group partitions by them. */
record NestedRule(List<Part> parts) implements ByteDictionary.Check {
    /** The strings at one path. */
    record Part(LeafReader leaf, StringRule rule) {}

    /** Every value may be. */
    static final NestedRule NONE = new NestedRule(List.of());

    /**
     * The rule for the values of a column.
     *
     * @param rules gives the rule for the strings at a path
     */
    static NestedRule of(Column column, Schema schema, ReplicaGroups groups, Function<Column, StringRule> rules) {
        List<Part> parts = new ArrayList<>();
        groups.groups().stream()
                .flatMap(group -> group.paths(schema).stream())
                .distinct()
                .filter(path -> ColumnPath.root(path.name()).equalsIgnoreCase(column.name()))
                .forEach(path -> {
                    StringRule rule = rules.apply(path);
                    if (!rule.names().isEmpty()) {
                        parts.add(new Part(new LeafReader(ColumnPath.places(schema, path.name())), rule));
                    }
                });
        return new NestedRule(parts);
    }

    @Override
    public void admit(byte[] form, int offset, int length) throws BadRecordException {
        for (Part part : parts) {
            NestedReader value = part.leaf().find(form, offset);
            if (value != null) {
                value.readBytes();
                part.rule().admit(value.bytes(), value.start(), value.length());
            }
        }
    }
}
