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

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.SnapshotIds;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.jspecify.annotations.Nullable;

/**
 * A scan, as the planner is asked for it.
 *
 * @param expression the client's filter
 * @param pruning by what the planner is not told of the filter
 * @param request what the planner gets, for the present state
 * @param asOf the number of the change whose state is read; null for the present state
 * @param range the changes of which the added records are read; null for all records
 */
public record ScanRequest(
        Expression expression,
        TransformPruning pruning,
        ReadRequest request,
        @Nullable Long asOf,
        @Nullable SnapshotRange range) {

    /** Tells the history of a dataset. */
    public interface Changes {
        History known() throws IOException;
    }

    /**
     * Reads a client's request.
     *
     * @param changes of the table, for a scan between two snapshots
     * @throws IllegalArgumentException if the filter, a column or a snapshot does not fit the table, with a message for the user
     */
    public static ScanRequest of(PlanTableScanRequest asked, DatasetTable table, Changes changes) throws IOException {
        Expression expression = asked.filter() == null
                ? Expressions.alwaysTrue()
                : TextLiterals.of(asked.filter(), table.schema(), asked.caseSensitive());
        Set<String> columns = new HashSet<>();
        Filter filter;
        TransformPruning pruning;
        try {
            Types.StructType struct = table.schema().asStruct();
            Expression bound = Binder.bind(struct, Expressions.rewriteNot(expression), asked.caseSensitive());
            filter = FilterOf.of(bound, table);
            pruning = new TransformPruning(bound, asked.caseSensitive());
            for (int id : Binder.boundReferences(struct, List.of(expression), asked.caseSensitive())) {
                add(columns, table, id);
            }
        } catch (RuntimeException e) { // of many kinds: what a literal is not, what a column is not
            throw new IllegalArgumentException("the filter does not fit the table: " + e.getMessage(), e);
        }
        boolean all = asked.select() == null || asked.select().isEmpty();
        if (!all) {
            for (String name : asked.select()) {
                add(columns, table, field(table, name, asked.caseSensitive()).fieldId());
            }
        }
        ReadRequest request =
                new ReadRequest(filter, all ? null : columns).inParts().withUntracked();
        long last = table.dataset().changes().sequence();
        SnapshotRange range = range(asked, changes);
        Long asOf = asked.snapshotId() == null || SnapshotIds.isPresent(asked.snapshotId(), last)
                ? null
                : asked.snapshotId();
        if (asOf != null && (asOf < 0 || asOf > last)) {
            throw new IllegalArgumentException("the table has no snapshot " + asOf + "; the last one is " + last);
        }
        return new ScanRequest(expression, pruning, request, asOf, range);
    }

    private static @Nullable SnapshotRange range(PlanTableScanRequest asked, Changes changes) throws IOException {
        Long start = asked.startSnapshotId();
        Long end = asked.endSnapshotId();
        if (start == null && end == null) {
            return null;
        }
        if (start == null || end == null || asked.snapshotId() != null) {
            throw new IllegalArgumentException("a scan between two snapshots has a start-snapshot-id and an"
                    + " end-snapshot-id, and no snapshot-id");
        }
        return SnapshotRange.of(start, end, changes.known());
    }

    /** This scan's request for the state after a change. */
    ReadRequest requestAsOf(long change) {
        return request.asOf(new AsOf.Sequence(change));
    }

    private static Types.NestedField field(DatasetTable table, String name, boolean caseSensitive) {
        Types.NestedField field =
                caseSensitive ? table.schema().findField(name) : table.schema().caseInsensitiveFindField(name);
        if (field == null) {
            throw new IllegalArgumentException("the table has no column '" + name + "'; it has "
                    + table.schema().asStruct());
        }
        return field;
    }

    private static void add(Set<String> columns, DatasetTable table, int fieldId) {
        table.columnAround(fieldId).ifPresent(column -> columns.add(column.name()));
    }
}
