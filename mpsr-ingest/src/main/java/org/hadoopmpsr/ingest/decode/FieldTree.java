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
package org.hadoopmpsr.ingest.decode;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hadoopmpsr.columnar.buffer.ShownValue;
import org.jspecify.annotations.Nullable;

/** The paths of all columns as one tree, to be walked along with a message. */
public final class FieldTree {
    private static final int NONE = -1;

    private final Map<Object, FieldTree> below = new HashMap<>();
    private final Map<String, FieldTree> inAnyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private int column = NONE;

    private FieldTree() {}

    /**
     * Joins paths; a path's position in the list is the number of its column. A path without steps leads nowhere.
     *
     * @throws IllegalArgumentException when two are the same, or one leads through another
     */
    static FieldTree of(List<FieldPath> paths) {
        FieldTree root = new FieldTree();
        for (int i = 0; i < paths.size(); i++) {
            if (paths.get(i).steps().isEmpty()) {
                continue;
            }
            FieldTree node = root;
            for (Object step : paths.get(i).steps()) {
                node = node.below.computeIfAbsent(step, s -> new FieldTree());
                if (node.column != NONE) {
                    throw twice(paths.get(i));
                }
            }
            if (!node.below.isEmpty()) {
                throw twice(paths.get(i));
            }
            node.column = i;
        }
        return root;
    }

    /** A tree of one path with one step. */
    public static FieldTree single(Object step, FieldTree wanted) {
        FieldTree root = new FieldTree();
        root.below.put(step, wanted);
        return root;
    }

    private static IllegalArgumentException twice(FieldPath path) {
        return new IllegalArgumentException("field '" + path.text()
                + "' is to fill two columns, and a field fills one; have the producer send it twice,"
                + " or copy it with a transformation");
    }

    /** A field here of another name counts as that step, unless the name is a step itself. */
    void matchUnder(String other, String step) {
        FieldTree node = below.get(step);
        if (node != null && below.putIfAbsent(other, node) == null) {
            inAnyCase.putIfAbsent(other, node);
        }
    }

    /** A field here whose name differs from that step in its case alone counts, too. */
    void matchInAnyCase(String step) {
        inAnyCase.put(step, below.get(step));
    }

    /** What is wanted of a field whose name is no step here, but may be one in another case; null for nothing. */
    public @Nullable FieldTree inAnotherCase(String name) {
        return inAnyCase.isEmpty() ? null : inAnyCase.get(name);
    }

    /**
     * What is wanted of each of the fields of a message: the field of a step's own name, or where there is none, the one
     * of the name in another case.
     *
     * @throws IllegalArgumentException when two fields could be meant
     */
    public Map<String, FieldTree> among(Collection<String> names) {
        Map<String, FieldTree> wanted = new HashMap<>();
        Map<FieldTree, String> taken = new HashMap<>();
        for (String name : names) {
            FieldTree node = field(name);
            if (node != null) {
                wanted.put(name, node);
                taken.put(node, name);
            }
        }
        Set<FieldTree> exact = Set.copyOf(taken.keySet());
        for (String name : names) {
            FieldTree node = wanted.containsKey(name) ? null : inAnotherCase(name);
            if (node != null && !exact.contains(node)) {
                String other = taken.put(node, name);
                if (other != null) {
                    throw new IllegalArgumentException(twoCases(other, name));
                }
                wanted.put(name, node);
            }
        }
        return wanted;
    }

    /** Two fields differ in the case of their names, and neither has the name that is wanted. */
    static String twoCases(String one, String other) {
        return "the fields '" + ShownValue.of(one) + "' and '" + ShownValue.of(other)
                + "' could fill one column; say in mpsr.columns which one does";
    }

    /** True when a value here fills a column. */
    public boolean isColumn() {
        return column != NONE;
    }

    /** The column that a value here fills. */
    public int column() {
        return column;
    }

    /** What is wanted of a field, or of a map's key; null for nothing. */
    public @Nullable FieldTree field(String name) {
        return below.get(name);
    }

    /** What is wanted of an array's element; null for nothing. */
    public @Nullable FieldTree element(int position) {
        return below.get(position);
    }

    /** What is wanted below: fields and keys by {@link String}, elements by {@link Integer}. Not to be changed. */
    public Map<Object, FieldTree> below() {
        return below;
    }
}
