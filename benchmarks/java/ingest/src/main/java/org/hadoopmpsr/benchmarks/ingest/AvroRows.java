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
package org.hadoopmpsr.benchmarks.ingest;

import java.util.Date;
import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/** Connect's flat structs as Avro records: strings, longs, doubles and dates. Immutable. */
final class AvroRows {
    private static final long DAY_MS = 86_400_000L;

    private final org.apache.kafka.connect.data.Schema of;
    private final Schema schema;
    private final boolean[] dates;

    /**
     * @param of the structs' schema
     * @throws DataException if it has a field of another type
     */
    AvroRows(org.apache.kafka.connect.data.Schema of) {
        this.of = of;
        List<Field> fields = of.fields();
        dates = new boolean[fields.size()];
        SchemaBuilder.FieldAssembler<Schema> record =
                SchemaBuilder.record("record").fields();
        for (Field field : fields) {
            dates[field.index()] = org.apache.kafka.connect.data.Date.LOGICAL_NAME.equals(
                    field.schema().name());
            Schema type = type(field);
            record = field.schema().isOptional()
                    ? record.name(field.name())
                            .type(Schema.createUnion(Schema.create(Schema.Type.NULL), type))
                            .withDefault(null)
                    : record.name(field.name()).type(type).noDefault();
        }
        schema = record.endRecord();
    }

    private Schema type(Field field) {
        if (dates[field.index()]) {
            return LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
        }
        return switch (field.schema().type()) {
            case STRING -> Schema.create(Schema.Type.STRING);
            case INT64 -> Schema.create(Schema.Type.LONG);
            case FLOAT64 -> Schema.create(Schema.Type.DOUBLE);
            default ->
                throw new DataException("field " + field.name() + " is of type "
                        + field.schema().type() + "; this sink knows STRING, INT64, FLOAT64 and dates");
        };
    }

    /** Whether structs of a schema can be given. */
    boolean isOf(org.apache.kafka.connect.data.Schema other) {
        return of == other || of.equals(other);
    }

    Schema schema() {
        return schema;
    }

    GenericRecord row(Struct struct) {
        GenericData.Record row = new GenericData.Record(schema);
        for (Field field : of.fields()) {
            Object value = struct.get(field);
            row.put(
                    field.index(),
                    value != null && dates[field.index()]
                            ? (Object) (int) Math.floorDiv(((Date) value).getTime(), DAY_MS)
                            : value);
        }
        return row;
    }
}
