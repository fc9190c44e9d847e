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
package org.hadoopmpsr.columnar.degraded;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.derive.RecordReader;
import org.hadoopmpsr.columnar.merge.MergeInput;
import org.hadoopmpsr.columnar.transform.RoundedColumns;
import org.hadoopmpsr.core.degraded.LostFile;
import org.hadoopmpsr.core.degraded.SourceGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.rebuild.NeededFiles;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/** The records of a partition in the files of another group, some at a time. For one thread. */
final class SourceRecords implements Closeable {
    private final ReplicaGroups groups;
    private final Schema schema;
    private final LostFile lost;
    private final SourceGroup source;
    private final SourceFiles files;
    private final Set<Column> columns;
    private final RoundedColumns rounded;
    private final Iterator<DataFile> left;
    private @Nullable RecordReader reader;
    private int[] selected = new int[0];
    private int count;

    /** @param columns the columns that are read, those of the lost file's predicates among them */
    SourceRecords(
            ReplicaGroups groups,
            Schema schema,
            LostFile lost,
            SourceGroup source,
            SourceFiles files,
            Set<Column> columns) {
        this.groups = groups;
        this.schema = schema;
        this.lost = lost;
        this.source = source;
        this.files = files;
        this.columns = columns;
        rounded = new RoundedColumns(lost.group(), schema);
        NeededFiles needed = new NeededFiles(schema, lost.group(), List.of(lost.partition()));
        left = source.files().stream().filter(needed::mayHold).iterator();
    }

    /**
     * Goes on to the next records, in place of the ones before.
     *
     * @param lead the column that the values are of; null if no value is looked at
     * @param wanted says by that value which records of the partition are selected
     * @return false at the end
     */
    boolean next(@Nullable Column lead, Predicate<@Nullable Object> wanted) throws IOException {
        while (true) {
            RecordReader open = reader == null ? open() : reader;
            if (open == null) {
                return false;
            }
            if (!open.next()) {
                close();
                continue;
            }
            select(open, lead, wanted);
            if (count > 0) {
                return true;
            }
        }
    }

    private @Nullable RecordReader open() throws IOException {
        if (!left.hasNext()) {
            return null;
        }
        DataFile file = left.next();
        MergeInput input = new MergeInput(
                file.path(),
                files.open(file),
                file.statistics().commitId(),
                file.statistics().content());
        reader = RecordReader.ofColumns(
                groups, source.group(), schema, file.statistics().partition(), input, columns);
        return reader;
    }

    private void select(RecordReader open, @Nullable Column lead, Predicate<@Nullable Object> wanted) {
        int rows = open.rows();
        int[] tupleOf = new int[rows];
        List<List<@Nullable Object>> tuples = open.fields().tuples(lost.group(), tupleOf);
        boolean[] isOfPartition = new boolean[tuples.size()];
        for (int i = 0; i < isOfPartition.length; i++) {
            isOfPartition[i] = tuples.get(i).equals(lost.partition());
        }
        ColumnVector values = lead == null ? null : column(open, lead.name());
        selected = selected.length < rows ? new int[rows] : selected;
        count = 0;
        for (int row = 0; row < rows; row++) {
            if (isOfPartition[tupleOf[row]]
                    && (lead == null || values == null || wanted.test(LeadValues.value(lead.type(), values, row)))) {
                selected[count++] = row;
            }
        }
    }

    /** The selected ones of the rows that were read last. */
    int[] selected() {
        return selected;
    }

    /** How many are selected. */
    int count() {
        return count;
    }

    /** The values of a column that is read, or within one, or of a partition field of the default group, as the lost file holds them. */
    ColumnVector column(String name) {
        if (reader == null) {
            throw new IllegalStateException("nothing was read");
        }
        ColumnVector exact = column(reader, name);
        int rows = reader.rows();
        return rounded.find(name).map(held -> held.of(exact, rows)).orElse(exact);
    }

    private ColumnVector column(RecordReader open, String name) {
        return schema.find(name).isPresent()
                ? open.fields().source(name)
                : open.fields().column(groups.defaultGroup(), name);
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            RecordReader open = reader;
            reader = null;
            open.close();
        }
    }
}
