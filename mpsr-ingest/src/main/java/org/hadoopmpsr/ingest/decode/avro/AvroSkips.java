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

import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;

/**
 * Steps over values that no column wants. The time for it is bounded by the bytes of the message, whatever counts it
 * claims: items that take no bytes are not gone through. For the making of one reader.
 */
final class AvroSkips {
    private final Map<Schema, AvroStep> steps = new IdentityHashMap<>();
    private final Map<Schema, Boolean> empty = new IdentityHashMap<>();
    private final Map<Schema, Long> fewest = new IdentityHashMap<>();

    /** The step over a value of the schema. */
    AvroStep of(Schema schema) {
        AvroStep known = steps.get(schema);
        if (known != null) {
            return known;
        }
        if (isEmpty(schema)) {
            return AvroStep.NOTHING;
        }
        Forward forward = new Forward();
        steps.put(schema, forward); // for schemas that hold themselves
        AvroStep step = make(schema);
        forward.target = step;
        steps.put(schema, step);
        return step;
    }

    /** True when every value of the schema takes no bytes. A record that must hold itself has no end, and is not empty. */
    boolean isEmpty(Schema schema) {
        return switch (schema.getType()) {
            case NULL -> true;
            case FIXED -> schema.getFixedSize() == 0;
            case RECORD -> {
                Boolean known = empty.get(schema);
                if (known == null) {
                    empty.put(schema, false);
                    known = schema.getFields().stream().allMatch(field -> isEmpty(field.schema()));
                    empty.put(schema, known);
                }
                yield known;
            }
            default -> false;
        };
    }

    /** The fewest bytes that a value of the schema takes. */
    long fewestBytes(Schema schema) {
        return switch (schema.getType()) {
            case NULL -> 0;
            case FLOAT -> Float.BYTES;
            case DOUBLE -> Double.BYTES;
            case FIXED -> schema.getFixedSize();
            case RECORD -> {
                Long known = fewest.get(schema);
                if (known == null) {
                    fewest.put(schema, 0L);
                    known = schema.getFields().stream()
                            .mapToLong(field -> fewestBytes(field.schema()))
                            .reduce(0, (sum, bytes) -> Math.min(Integer.MAX_VALUE, sum + bytes));
                    fewest.put(schema, known);
                }
                yield known;
            }
            default -> 1;
        };
    }

    private AvroStep make(Schema schema) {
        return switch (schema.getType()) {
            case INT, LONG, ENUM -> (in, record) -> in.readLong();
            case BOOLEAN -> (in, record) -> in.readBoolean();
            case STRING, BYTES -> (in, record) -> in.skip(in.readLong());
            case FLOAT -> (in, record) -> in.skip(Float.BYTES);
            case DOUBLE -> (in, record) -> in.skip(Double.BYTES);
            case FIXED -> {
                int size = schema.getFixedSize();
                yield (in, record) -> in.skip(size);
            }
            case UNION -> union(schema);
            case RECORD -> record(schema);
            case ARRAY -> {
                AvroStep item = of(schema.getElementType());
                yield items(item, fewestBytes(schema.getElementType()));
            }
            case MAP -> {
                AvroStep value = of(schema.getValueType());
                AvroStep entry = (in, record) -> {
                    in.skip(in.readLong());
                    value.read(in, record);
                };
                yield items(entry, 1 + fewestBytes(schema.getValueType()));
            }
            case NULL -> AvroStep.NOTHING;
        };
    }

    private AvroStep union(Schema schema) {
        return AvroStep.union(schema.getTypes().stream().map(this::of).toList());
    }

    private AvroStep record(Schema schema) {
        return AvroStep.record(schema.getFields().stream().map(field -> of(field.schema())));
    }

    private static AvroStep items(AvroStep item, long itemBytes) {
        return (in, record) -> {
            for (long count = in.readBlock(itemBytes); count > 0; count = in.readBlock(itemBytes)) {
                for (long i = item == AvroStep.NOTHING ? count : 0; i < count; i++) {
                    item.read(in, record);
                }
            }
        };
    }

    /** Stands for a step that is still being made: schemas may hold themselves. */
    private static final class Forward implements AvroStep {
        private AvroStep target = NOTHING;

        @Override
        public void read(AvroInput in, RecordAppender record) throws BadRecordException {
            target.read(in, record);
        }
    }
}
