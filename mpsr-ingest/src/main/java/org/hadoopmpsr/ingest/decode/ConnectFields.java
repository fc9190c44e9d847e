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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.jspecify.annotations.Nullable;

/** Which fields of a schema of Connect fill columns. Remembers the schema that was asked for last. For one thread. */
final class ConnectFields {
    private final ColumnSources columns;
    private Map<FieldTree, Field> fields = Map.of();
    private @Nullable Schema checked;
    private String problems = "";

    ConnectFields(ColumnSources columns) {
        this.columns = columns;
    }

    /**
     * The fields of a schema that fill a column or lead to one.
     *
     * @throws BadRecordException when fields do not fit, one message for all of them
     */
    Map<FieldTree, Field> of(Schema schema) throws BadRecordException {
        if (schema != checked) {
            List<String> found = new ArrayList<>();
            fields = rootFields(schema, found);
            fields.forEach((wanted, field) -> check(wanted, field.schema(), found));
            problems = String.join("; ", found);
            checked = schema;
        }
        if (!problems.isEmpty()) {
            throw new BadRecordException("the record's schema " + (schema.name() == null ? "" : schema.name() + " ")
                    + (schema.version() == null ? "" : "version " + schema.version() + " ")
                    + "does not fit the dataset: " + problems);
        }
        return fields;
    }

    private Map<FieldTree, Field> rootFields(Schema schema, List<String> found) {
        Map<FieldTree, Field> resolved = new LinkedHashMap<>();
        List<String> names = schema.fields().stream().map(Field::name).toList();
        try {
            columns.tree().among(names).forEach((name, wanted) -> resolved.put(wanted, schema.field(name)));
            if (resolved.isEmpty()) {
                found.add(columns.noField("has the fields " + names));
            }
        } catch (IllegalArgumentException e) {
            found.add(e.getMessage());
        }
        return resolved;
    }

    private void check(FieldTree tree, Schema schema, List<String> found) {
        if (tree.isColumn()) {
            FieldKind kind = kind(schema);
            if (!columns.fits(kind, tree.column())) {
                found.add(columns.misfit(
                        tree.column(), schema.name() == null ? schema.type().getName() : schema.name(), kind));
            }
            return;
        }
        tree.below().forEach((step, wanted) -> {
            switch (schema.type()) {
                case STRUCT -> {
                    Field field = schema.field(String.valueOf(step));
                    if (field != null) {
                        check(wanted, field.schema(), found);
                    }
                }
                case ARRAY, MAP -> check(wanted, schema.valueSchema(), found);
                default -> {} // nothing lies below, as if the field were absent
            }
        });
    }

    private static FieldKind kind(Schema schema) {
        if (Date.LOGICAL_NAME.equals(schema.name()) || Timestamp.LOGICAL_NAME.equals(schema.name())) {
            return FieldKind.TIME;
        }
        return switch (schema.type()) {
            case INT8, INT16, INT32, INT64 ->
                Time.LOGICAL_NAME.equals(schema.name()) ? FieldKind.TIME_OF_DAY : FieldKind.WHOLE;
            case FLOAT32 -> FieldKind.FLOAT;
            case FLOAT64 -> FieldKind.DOUBLE;
            case BOOLEAN -> FieldKind.BOOLEAN;
            case STRING -> FieldKind.TEXT;
            case BYTES -> Decimal.LOGICAL_NAME.equals(schema.name()) ? FieldKind.DECIMAL : FieldKind.BYTES;
            case ARRAY -> FieldKind.LIST;
            case MAP -> FieldKind.MAP;
            case STRUCT -> FieldKind.STRUCT;
        };
    }
}
