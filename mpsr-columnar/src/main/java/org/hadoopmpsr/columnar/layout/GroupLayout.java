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

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.jspecify.annotations.Nullable;

/**
 * The records of a batch as a group's files hold them: one file for each partition tuple, sorted within.
 *
 * @param records as the group holds them
 * @param fields the partition fields
 * @param sort what the rows of a file are sorted by
 * @param order all rows, file after file
 * @param files in the order of their partition tuples
 */
public record GroupLayout(
        ReplicaGroup group,
        Batch records,
        List<Column> fields,
        List<SortKey> sort,
        int[] order,
        List<FileSlice> files) {

    /**
     * One file: the rows {@code order[from]} to {@code order[to - 1]}.
     *
     * @param partition a value for each partition field, null allowed
     * @param content the content hash of the rows
     */
    public record FileSlice(List<@Nullable Object> partition, int from, int to, ContentHash content) {
        /** The number of records. */
        public int rows() {
            return to - from;
        }
    }

    static GroupLayout of(ReplicaGroup group, Batch batch) {
        Schema schema = batch.buffer().schema();
        int rows = batch.buffer().rows();
        int[] fileOf = new int[rows];
        List<List<@Nullable Object>> tuples = batch.fields().tuples(group, fileOf);
        List<SortKey> sort = group.sortWithinFiles(schema);
        if (tuples.size() == 1) {
            FileSlice whole = new FileSlice(tuples.get(0), 0, rows, batch.content());
            return new GroupLayout(
                    group, batch, group.partitionFields(schema), sort, batch.order(sort), List.of(whole));
        }
        int[] places = places(tuples);
        for (int row = 0; row < rows; row++) {
            fileOf[row] = places[fileOf[row]];
        }
        List<ContentHash> content = batch.buffer().content(fileOf, places.length);
        return new GroupLayout(
                group,
                batch,
                group.partitionFields(schema),
                sort,
                batch.order(sort, fileOf, places.length),
                cut(tuples, places, content));
    }

    /** Finds the distinct tuples, and sets for each row the number of its tuple. */
    static List<List<@Nullable Object>> tuples(List<PartitionField> fields, int[] tupleOf) {
        List<List<@Nullable Object>> tuples = List.of(List.of());
        for (PartitionField field : fields) {
            int values = field.values().size();
            if (values == 1 && tuples.size() == 1) {
                tuples = List.of(with(tuples.get(0), field.values().get(0)));
                continue;
            }
            LongIds ids = new LongIds();
            List<List<@Nullable Object>> wider = new ArrayList<>();
            for (int row = 0; row < tupleOf.length; row++) {
                int ordinal = field.ordinals()[row];
                int id = ids.id((long) tupleOf[row] * values + ordinal);
                if (id == wider.size()) {
                    wider.add(with(tuples.get(tupleOf[row]), field.values().get(ordinal)));
                }
                tupleOf[row] = id;
            }
            tuples = wider;
        }
        return tuples;
    }

    private static List<@Nullable Object> with(List<@Nullable Object> tuple, @Nullable Object value) {
        List<@Nullable Object> wider = new ArrayList<>(tuple);
        wider.add(value);
        return Collections.unmodifiableList(wider);
    }

    /** The place of each tuple when the tuples are sorted. */
    private static int[] places(List<List<@Nullable Object>> tuples) {
        int[] places = new int[tuples.size()];
        int place = 0;
        for (int tuple : IntStream.range(0, tuples.size())
                .boxed()
                .sorted(Comparator.comparing(tuples::get, GroupLayout::compare))
                .toList()) {
            places[tuple] = place++;
        }
        return places;
    }

    private static List<FileSlice> cut(List<List<@Nullable Object>> tuples, int[] places, List<ContentHash> content) {
        int[] byPlace = new int[places.length];
        for (int tuple = 0; tuple < places.length; tuple++) {
            byPlace[places[tuple]] = tuple;
        }
        List<FileSlice> files = new ArrayList<>();
        int from = 0;
        for (int place = 0; place < byPlace.length; place++) {
            int to = from + (int) content.get(place).count();
            files.add(new FileSlice(tuples.get(byPlace[place]), from, to, content.get(place)));
            from = to;
        }
        return files;
    }

    private static int compare(List<@Nullable Object> a, List<@Nullable Object> b) {
        for (int i = 0; i < a.size(); i++) {
            Object x = a.get(i);
            Object y = b.get(i);
            int c = x == null || y == null ? (x == null ? 0 : 1) - (y == null ? 0 : 1) : Values.compare(x, y);
            if (c != 0) {
                return c;
            }
        }
        return 0;
    }
}
