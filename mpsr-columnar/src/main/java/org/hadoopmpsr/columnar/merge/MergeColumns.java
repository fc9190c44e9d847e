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
package org.hadoopmpsr.columnar.merge;

import java.util.List;
import java.util.stream.Stream;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.layout.KeyValues;
import org.hadoopmpsr.columnar.path.PathValues;
import org.hadoopmpsr.core.group.LeadingBits;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a group's files.
 *
 * @param files those of the files, in their order
 * @param paths values within them by which the group is partitioned or sorted; they have the places after those of the files
 * @param sort what files are sorted by
 */
public record MergeColumns(List<Column> files, List<Path> paths, List<Key> sort) {
    /**
     * A value within a column.
     *
     * @param root the place of the column
     */
    public record Path(Column column, int root) {}

    /**
     * What files are sorted by.
     *
     * @param place that of the column or path
     * @param bits null for the values themselves
     */
    public record Key(int place, @Nullable LeadingBits bits) {
        /** Its values. */
        KeyValues values(List<ColumnVector> vectors) {
            return new KeyValues(vectors.get(place), bits);
        }
    }

    /** Columns of files whose order does not matter. */
    public static MergeColumns unsorted(List<Column> files) {
        return new MergeColumns(files, List.of(), List.of());
    }

    /** Those of a group. */
    public static MergeColumns of(ReplicaGroups groups, ReplicaGroup group, Schema schema) {
        List<Column> files = groups.physicalColumns(group.name(), schema);
        List<Path> paths = group.paths(schema).stream()
                .map(path -> new Path(path, place(files, ColumnPath.root(path.name()))))
                .toList();
        MergeColumns columns = new MergeColumns(files, paths, List.of());
        return new MergeColumns(
                files,
                paths,
                group.sortWithinFiles(schema).stream()
                        .map(key -> new Key(columns.place(key.column()), key.bits()))
                        .filter(key -> key.place() >= 0)
                        .toList());
    }

    /** Those columns in an order that does not matter. */
    MergeColumns unsorted() {
        return new MergeColumns(files, paths, List.of());
    }

    /** The columns of the files, and after them the paths. */
    public List<Column> all() {
        return Stream.concat(files.stream(), paths.stream().map(Path::column)).toList();
    }

    /** The places of the columns of files that are needed for the order: those of paths are the whole columns. */
    List<Integer> sortedFrom() {
        return sort.stream()
                .map(Key::place)
                .map(place -> place < files.size()
                        ? place
                        : (Integer) paths.get(place - files.size()).root())
                .distinct()
                .toList();
    }

    /** What takes the values of the paths out of their columns. */
    List<PathValues> pathValues() {
        return paths.stream()
                .map(path -> new PathValues(
                        new Schema(List.of(files.get(path.root()))),
                        path.column().name()))
                .toList();
    }

    /** The place of a column or path, by its name without regard to case; -1 if the files lack it. */
    public int place(String name) {
        return place(all(), name);
    }

    private static int place(List<Column> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }
}
