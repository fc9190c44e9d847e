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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.core.degraded.LeadRange;
import org.hadoopmpsr.core.degraded.LostFile;
import org.hadoopmpsr.core.degraded.NoSubstituteException;
import org.hadoopmpsr.core.degraded.RowRange;
import org.hadoopmpsr.core.degraded.SourceGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of a file that cannot be read from the files of another group: exactly those of the file, or of a part of it,
 * in an order of their own. At the end their number is compared with what is stated of the file. For one thread.
 */
public final class DegradedRead implements Closeable {
    /** The values of the column by which the file is sorted are kept in memory: this many at most. */
    private static final long MOST_ROWS = 16L << 20;

    private final ReplicaGroups groups;
    private final Schema schema;
    private final LostFile lost;
    private final SourceGroup source;
    private final SourceFiles files;
    private final RowRange rows;
    private final Set<Column> columns;
    private final @Nullable Column lead;
    private final LeadRange ofFile;
    private final LeadRange ofPart;
    private final SourceRecords records;
    private long given;

    /**
     * Begins a read. If the part is not the whole file, this reads the records' values of the column by which the file is
     * sorted first.
     *
     * @param names the columns that the caller takes: of the schema, or partition fields of the default group
     * @param rows the records of the file that are read
     * @throws NoSubstituteException if nothing tells which records these are
     */
    public DegradedRead(
            ReplicaGroups groups,
            Schema schema,
            LostFile lost,
            SourceGroup source,
            SourceFiles files,
            List<String> names,
            RowRange rows)
            throws IOException {
        this.groups = groups;
        this.schema = schema;
        this.lost = lost;
        this.source = source;
        this.files = files;
        this.rows = rows;
        lead = lost.lead(schema);
        ofFile = lost.range(schema);
        columns = new HashSet<>(ofPredicates());
        boolean isWhole = rows.isAllOf(lost.file());
        ofPart = isWhole || rows.rows() == 0 ? LeadRange.ALL : part();
        names.forEach(name -> columns.add(schema.find(name).orElseGet(() -> sourceOf(name))));
        if (needsLead() && lead != null) {
            columns.add(whole(lead));
        }
        records = new SourceRecords(groups, schema, lost, source, files, columns);
    }

    private boolean needsLead() {
        return !ofFile.equals(LeadRange.ALL) || !ofPart.equals(LeadRange.ALL);
    }

    private Column whole(Column column) {
        return schema.root(column.name()).orElseThrow();
    }

    private Set<Column> ofPredicates() {
        Set<Column> sources = new HashSet<>();
        lost.group()
                .predicates()
                .forEach(
                        predicate -> sources.add(schema.root(predicate.column()).orElseThrow()));
        return sources;
    }

    private Column sourceOf(String field) {
        return groups.defaultGroup().predicates().stream()
                .filter(predicate -> predicate.fieldName().equalsIgnoreCase(field))
                .flatMap(predicate -> schema.root(predicate.column()).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the dataset has no column '" + field + "'"));
    }

    /** Between which values the records of the part lie. */
    private LeadRange part() throws IOException {
        long all = lost.file().statistics().rows();
        if (lead == null) {
            throw new NoSubstituteException("the file is read in several parts, and its records are not sorted");
        }
        if (all > MOST_ROWS) {
            throw new NoSubstituteException("the file is read in several parts, and has " + all + " records; at most "
                    + MOST_ROWS + " are sorted in memory");
        }
        LeadValues values = new LeadValues(lead.type(), (int) all);
        Set<Column> needed = new HashSet<>(columns);
        needed.add(whole(lead));
        try (SourceRecords first = new SourceRecords(groups, schema, lost, source, files, needed)) {
            while (first.next(lead, ofFile::holds)) {
                ColumnVector vector = first.column(lead.name());
                if (values.size() + first.count() > all) {
                    throw differs(values.size() + first.count(), all);
                }
                for (int i = 0; i < first.count(); i++) {
                    values.add(LeadValues.value(lead.type(), vector, first.selected()[i]));
                }
            }
        }
        if (values.size() != all) {
            throw differs(values.size(), all);
        }
        Object least = rows.from() == 0 ? null : start(values, rows.from());
        Object end = rows.to() == all ? null : start(values, rows.to());
        return new LeadRange(least == null, least, end, false);
    }

    /** The value of the record at a place, which the record before does not have. */
    private Object start(LeadValues values, long place) throws IOException {
        Object before = values.at(place - 1);
        Object value = values.at(place);
        if (value == null || (before != null && Values.compare(before, value) >= 0)) {
            throw new NoSubstituteException(
                    "the file is read in several parts, and records of two parts have one value of '"
                            + (lead == null ? "" : ColumnPath.shown(lead.name())) + "', by which they are sorted");
        }
        return value;
    }

    /**
     * Goes on to the next records, in place of the ones before.
     *
     * @return false at the end
     * @throws IOException if the other group's files cannot be read, or do not hold as many records as the file. What was
     *     read then is not to be used
     */
    public boolean next() throws IOException {
        if (rows.rows() == 0) {
            return false;
        }
        boolean some = records.next(needsLead() ? lead : null, value -> ofFile.holds(value) && ofPart.holds(value));
        given += some ? records.count() : 0;
        if (some ? given > rows.rows() : given != rows.rows()) {
            throw differs(given, rows.rows());
        }
        return some;
    }

    private IOException differs(long found, long stated) {
        return new IOException("group " + source.group().name() + " holds " + found + " records or more where "
                + lost.file().path() + " is stated to hold " + stated
                + "; the groups do not hold the same records: see 'verify'");
    }

    /** The number of the records that were read last. */
    public int count() {
        return records.count();
    }

    /** Their places in the columns; the first {@link #count} of the array. */
    public int[] selected() {
        return records.selected();
    }

    /** The values of a column, which has more rows than those that are selected. */
    public ColumnVector column(String name) {
        return records.column(name);
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
