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
package org.hadoopmpsr.columnar.layout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.path.PathValues;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The partition fields of records in memory, each computed once. The records must stay as they are as long as this is used.
 * Safe for several threads.
 */
public final class PartitionFields {
    private final Schema schema;
    private final IntFunction<ColumnVector> vectors;
    private final int rows;
    private final Map<Predicate, PartitionField> fields = new HashMap<>();
    private final Map<String, ColumnVector> columns = new HashMap<>();
    private final Map<String, ColumnVector> paths = new HashMap<>();

    /** @param vectors the values of a column by its place in the schema; needed are those that predicates are of, of paths the whole columns */
    public PartitionFields(Schema schema, IntFunction<ColumnVector> vectors, int rows) {
        this.schema = schema;
        this.vectors = vectors;
        this.rows = rows;
    }

    synchronized PartitionField of(Predicate predicate) {
        return fields.computeIfAbsent(predicate, p -> PartitionField.of(p, p.source(schema), source(p.column()), rows));
    }

    /** The values of a column of the schema, or of a path within one, for as many rows as there are. */
    public synchronized ColumnVector source(String name) {
        if (!ColumnPath.isPath(name)) {
            return vectors.apply(schema.indexOf(name).orElseThrow());
        }
        return paths.computeIfAbsent(
                name.toLowerCase(Locale.ROOT),
                k -> new PathValues(schema, name)
                        .of(vectors.apply(schema.indexOf(ColumnPath.root(name)).orElseThrow()), rows));
    }

    /**
     * Finds the distinct partition tuples of the records by a group's predicates.
     *
     * @param tupleOf is given the number of each row's tuple; as many as there are rows, all 0
     * @return the tuples by their number: a value for each predicate, null allowed
     */
    public List<List<@Nullable Object>> tuples(ReplicaGroup group, int[] tupleOf) {
        return GroupLayout.tuples(group.predicates().stream().map(this::of).toList(), tupleOf);
    }

    /**
     * A partition field as a column.
     *
     * @param group whose predicate it is; none of a column itself
     * @param name the name of the field, in any case
     */
    public synchronized ColumnVector column(ReplicaGroup group, String name) {
        return columns.computeIfAbsent(name.toLowerCase(Locale.ROOT), k -> {
            Predicate predicate = group.predicates().stream()
                    .filter(p -> !p.isColumn() && p.fieldName().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no column '" + name + "'"));
            return materialize(of(predicate), predicate.field(schema).type());
        });
    }

    private static ColumnVector materialize(PartitionField field, ColumnType type) {
        int[] ordinals = field.ordinals();
        List<@Nullable Object> values = field.values();
        ColumnVector vector = ColumnVector.of(type);
        vector.reserve(ordinals.length);
        if (vector instanceof StringVector strings) {
            int[] ids = ids(strings.dictionary(), values);
            for (int row = 0; row < ordinals.length; row++) {
                if (ids[ordinals[row]] >= 0) {
                    strings.set(row, ids[ordinals[row]]);
                } else {
                    strings.noteNull();
                }
            }
            return strings;
        }
        if (vector instanceof BooleanVector booleans) {
            for (int row = 0; row < ordinals.length; row++) {
                if (values.get(ordinals[row]) instanceof Boolean flag) {
                    booleans.set(row, flag);
                } else {
                    booleans.noteNull();
                }
            }
            return booleans;
        }
        LongVector longs = (LongVector) vector;
        long[] numbers = new long[values.size()];
        boolean[] isNull = new boolean[values.size()];
        for (int i = 0; i < numbers.length; i++) {
            isNull[i] = values.get(i) == null;
            numbers[i] = values.get(i) instanceof Long number ? number : 0;
        }
        for (int row = 0; row < ordinals.length; row++) {
            if (isNull[ordinals[row]]) {
                longs.noteNull();
            } else {
                longs.set(row, numbers[ordinals[row]]);
            }
        }
        return longs;
    }

    /** The number of each value in the dictionary, -1 for null. */
    private static int[] ids(ByteDictionary dictionary, List<@Nullable Object> values) {
        List<Integer> ids = new ArrayList<>();
        for (Object value : values) {
            byte[] utf8 = value == null ? null : value.toString().getBytes(StandardCharsets.UTF_8);
            ids.add(utf8 == null ? -1 : dictionary.intern(utf8, 0, utf8.length));
        }
        return ids.stream().mapToInt(i -> i).toArray();
    }
}
