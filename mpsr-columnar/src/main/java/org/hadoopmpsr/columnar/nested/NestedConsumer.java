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
package org.hadoopmpsr.columnar.nested;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.core.nested.NestedReader;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.StructType;

/** Hands nested values to a writer of Parquet, in the types of {@link ParquetTypes}. For one thread. */
public final class NestedConsumer {
    private final RecordConsumer consumer;
    private final NestedReader form = new NestedReader();

    public NestedConsumer(RecordConsumer consumer) {
        this.consumer = consumer;
    }

    /** Hands over a value of a dictionary of forms, within a field that the caller begins and ends. */
    public void put(ColumnType type, ByteDictionary forms, int id) {
        form.start(forms.bytes(), forms.start(id));
        put(type);
    }

    private void put(ColumnType type) {
        switch (type.kind()) {
            case STRUCT -> putStruct(((StructType) type).fields());
            case LIST -> putList(((ListType) type).element());
            case MAP -> putMap((MapType) type);
            case BOOLEAN -> consumer.addBoolean(form.readBoolean());
            case FLOAT -> consumer.addFloat((float) form.readDouble());
            case DOUBLE -> consumer.addDouble(form.readDouble());
            case STRING, BINARY -> {
                form.readBytes();
                consumer.addBinary(Binary.fromReusedByteArray(form.bytes(), form.start(), form.length()));
            }
            case DECIMAL -> putDecimal((DecimalType) type);
            case TINYINT, SMALLINT, INT, DATE -> consumer.addInteger((int) form.readLong());
            case LONG, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS -> consumer.addLong(form.readLong());
        }
    }

    private void putDecimal(DecimalType type) {
        if (type.isInt32()) {
            consumer.addInteger((int) form.readLong());
        } else if (!type.isWideDecimal()) {
            consumer.addLong(form.readLong());
        } else {
            BigInteger digits = form.readDecimal();
            byte[] few = digits.toByteArray();
            byte[] bytes = new byte[type.bytes()];
            Arrays.fill(bytes, 0, bytes.length - few.length, (byte) (digits.signum() < 0 ? -1 : 0));
            System.arraycopy(few, 0, bytes, bytes.length - few.length, few.length);
            consumer.addBinary(Binary.fromConstantByteArray(bytes));
        }
    }

    private void putStruct(List<StructType.Field> fields) {
        consumer.startGroup();
        for (int left = form.readStruct(); left > 0; left--) {
            int position = form.readField();
            StructType.Field field = fields.get(position);
            consumer.startField(field.name(), position);
            put(field.type());
            consumer.endField(field.name(), position);
        }
        consumer.endGroup();
    }

    private void putList(ColumnType element) {
        int count = form.readList();
        consumer.startGroup();
        if (count > 0) {
            consumer.startField(ParquetTypes.LIST, 0);
            for (int i = 0; i < count; i++) {
                consumer.startGroup();
                putNullable(element, ParquetTypes.ELEMENT, 0);
                consumer.endGroup();
            }
            consumer.endField(ParquetTypes.LIST, 0);
        }
        consumer.endGroup();
    }

    private void putMap(MapType type) {
        int count = form.readMap();
        consumer.startGroup();
        if (count > 0) {
            consumer.startField(ParquetTypes.ENTRY, 0);
            for (int i = 0; i < count; i++) {
                consumer.startGroup();
                consumer.startField(ParquetTypes.KEY, 0);
                put(type.key());
                consumer.endField(ParquetTypes.KEY, 0);
                putNullable(type.value(), ParquetTypes.VALUE, 1);
                consumer.endGroup();
            }
            consumer.endField(ParquetTypes.ENTRY, 0);
        }
        consumer.endGroup();
    }

    private void putNullable(ColumnType type, String name, int index) {
        if (!form.takeNull()) {
            consumer.startField(name, index);
            put(type);
            consumer.endField(name, index);
        }
    }
}
