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
package org.hadoopmpsr.ingest.decode.avro;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.FieldKind;
import org.hadoopmpsr.ingest.decode.FieldTree;
import org.jspecify.annotations.Nullable;

/** Makes the steps that read the parts of a writer's schema: those that fill columns, and those that go past the rest. */
final class AvroSteps {
    private final ColumnSources columns;
    private final AvroSkips skips = new AvroSkips();

    AvroSteps(ColumnSources columns) {
        this.columns = columns;
    }

    /**
     * The step that reads a whole record.
     *
     * @throws IllegalArgumentException when no field fills a column, or a field can never fill its column
     */
    AvroStep root(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> rootRecord(schema);
            case MAP -> rootMap(schema);
            case UNION -> union(schema, this::root);
            case NULL -> refusal("the record is null, and holds no fields");
            default ->
                throw new IllegalArgumentException(
                        "the Avro schema is of type " + schema.getType().getName() + ", and a record is needed");
        };
    }

    private AvroStep rootRecord(Schema schema) {
        List<String> names = schema.getFields().stream().map(Schema.Field::name).toList();
        Map<String, FieldTree> wanted = columns.tree().among(names);
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException(columns.noField("has the fields " + names));
        }
        return record(schema, wanted::get);
    }

    private AvroStep rootMap(Schema schema) {
        AvroEntries entries = entries(schema, columns.tree());
        return (in, record) -> {
            if (!entries.read(in, record)) {
                throw columns.stranger(null);
            }
        };
    }

    private AvroStep step(Schema schema, @Nullable FieldTree wanted) {
        if (wanted == null) {
            return skips.of(schema);
        }
        return switch (schema.getType()) {
            case UNION -> union(schema, branch -> step(branch, wanted));
            case NULL -> AvroStep.NOTHING;
            case RECORD, ARRAY, MAP -> {
                if (wanted.isColumn()) {
                    yield nested(schema, wanted.column());
                }
                yield inner(schema, wanted);
            }
            default -> wanted.isColumn() ? leaf(schema, wanted.column()) : skips.of(schema);
        };
    }

    private AvroStep inner(Schema schema, FieldTree wanted) {
        return switch (schema.getType()) {
            case RECORD -> record(schema, wanted::field);
            case MAP -> entries(schema, wanted)::read;
            default -> array(schema, wanted);
        };
    }

    /** A branch that cannot fill its column makes a bad record of each that uses it, as long as another one fits. */
    private AvroStep union(Schema schema, Function<Schema, AvroStep> ofBranch) {
        List<AvroStep> branches = new ArrayList<>();
        IllegalArgumentException misfit = null;
        boolean fits = false;
        for (Schema branch : schema.getTypes()) {
            try {
                branches.add(ofBranch.apply(branch));
                fits |= branch.getType() != Schema.Type.NULL;
            } catch (IllegalArgumentException e) {
                misfit = e;
                branches.add(refusal(String.valueOf(e.getMessage())));
            }
        }
        if (misfit != null && !fits) {
            throw misfit;
        }
        return AvroStep.union(branches);
    }

    private AvroStep record(Schema schema, Function<String, @Nullable FieldTree> wanted) {
        return AvroStep.record(
                schema.getFields().stream().map(field -> step(field.schema(), wanted.apply(field.name()))));
    }

    private AvroStep array(Schema schema, FieldTree wanted) {
        Schema elements = schema.getElementType();
        int wantedItems = wanted.below().keySet().stream()
                .mapToInt(step -> step instanceof Integer position ? position + 1 : 0)
                .max()
                .orElse(0);
        AvroStep[] steps = new AvroStep[wantedItems];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = step(elements, wanted.element(i));
        }
        AvroStep rest = skips.of(elements);
        long itemBytes = skips.fewestBytes(elements);
        return (in, record) -> {
            int position = 0;
            for (long count = in.readBlock(itemBytes); count > 0; count = in.readBlock(itemBytes)) {
                long left = count;
                for (; left > 0 && position < wantedItems; left--) {
                    steps[position++].read(in, record);
                }
                for (; left > 0 && rest != AvroStep.NOTHING; left--) {
                    rest.read(in, record);
                }
            }
        };
    }

    private AvroEntries entries(Schema schema, FieldTree wanted) {
        Map<String, AvroStep> steps = new HashMap<>();
        wanted.below().forEach((key, node) -> {
            if (key instanceof String text) {
                AvroStep value = step(schema.getValueType(), node);
                steps.put(text, (in, record) -> {
                    ColumnSources.clear(node, record); // of a key that comes twice the last value counts
                    value.read(in, record);
                });
            }
        });
        AvroStep skip = skips.of(schema.getValueType());
        long itemBytes = 1 + skips.fewestBytes(schema.getValueType());
        return new AvroEntries(steps, skip, itemBytes);
    }

    private AvroStep nested(Schema schema, int column) {
        if (!(columns.column(column).type() instanceof NestedType)) {
            throw misfit(schema, column, FieldKind.OTHER);
        }
        return new AvroNested(columns, skips).step(schema, column);
    }

    private AvroStep leaf(Schema schema, int column) {
        FieldKind kind = AvroLeaf.kind(schema);
        if (!columns.fits(kind, column)) {
            throw misfit(schema, column, kind);
        }
        return AvroLeaf.of(schema, column, columns);
    }

    private IllegalArgumentException misfit(Schema schema, int column, FieldKind kind) {
        LogicalType logical = schema.getLogicalType();
        String type = schema.getType().getName() + (logical == null ? "" : " (" + logical.getName() + ")");
        return new IllegalArgumentException(columns.misfit(column, type, kind));
    }

    private static AvroStep refusal(String reason) {
        return (in, record) -> {
            throw new BadRecordException(reason);
        };
    }
}
