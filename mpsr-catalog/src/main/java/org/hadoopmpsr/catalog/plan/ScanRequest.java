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

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.SnapshotIds;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;

/**
 * A scan, as the planner is asked for it.
 *
 * @param expression the client's filter
 * @param request what the planner gets
 */
public record ScanRequest(Expression expression, ReadRequest request) {

    /**
     * Reads a client's request.
     *
     * @param last the number of the last change; a scan of it is one of the present state
     * @throws IllegalArgumentException if the filter or a column does not fit the table, with a message for the user
     */
    public static ScanRequest of(PlanTableScanRequest asked, DatasetTable table, long last) {
        if (asked.startSnapshotId() != null) {
            throw new IllegalArgumentException(
                    "scans between two snapshots are not planned here; read the table as of a snapshot");
        }
        Expression expression = asked.filter() == null ? Expressions.alwaysTrue() : asked.filter();
        Set<String> columns = new HashSet<>();
        Filter filter;
        try {
            Types.StructType struct = table.schema().asStruct();
            filter = FilterOf.of(Binder.bind(struct, Expressions.rewriteNot(expression), asked.caseSensitive()), table);
            for (int id : Binder.boundReferences(struct, List.of(expression), asked.caseSensitive())) {
                add(columns, table, id);
            }
        } catch (ValidationException e) {
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
        boolean present = asked.snapshotId() == null || SnapshotIds.isPresent(asked.snapshotId(), last);
        return new ScanRequest(expression, present ? request : request.asOf(new AsOf.Sequence(asked.snapshotId())));
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
