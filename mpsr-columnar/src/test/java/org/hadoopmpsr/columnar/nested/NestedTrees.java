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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.StructType;

/**
 * Nested values as objects: a list is a list, a map a list of lists of a key and a value, and a struct a map with the names of
 * the fields that are not null. Numbers are as columns hold them.
 */
public final class NestedTrees {
    private NestedTrees() {}

    /** A random value that is not null. */
    public static Object random(ColumnType type, Random random) {
        return switch (type.kind()) {
            case LIST -> {
                List<Object> list = new ArrayList<>();
                for (int i = size(random); i > 0; i--) {
                    list.add(sometimesNull(((ListType) type).element(), random));
                }
                yield list;
            }
            case MAP -> {
                List<Object> entries = new ArrayList<>();
                for (int i = size(random); i > 0; i--) {
                    entries.add(Arrays.asList(
                            random(((MapType) type).key(), random), sometimesNull(((MapType) type).value(), random)));
                }
                yield entries;
            }
            case STRUCT -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                for (StructType.Field field : ((StructType) type).fields()) {
                    Object value = sometimesNull(field.type(), random);
                    if (value != null) {
                        fields.put(field.name(), value);
                    }
                }
                yield fields;
            }
            case STRING -> "s\u00e9\ud83d\ude00".repeat(random.nextInt(3)) + random.nextInt(50);
            case BOOLEAN -> random.nextBoolean();
            case FLOAT -> (double) random.nextFloat();
            case DOUBLE -> random.nextInt(5) == 0 ? -0.0 : random.nextGaussian();
            case DECIMAL ->
                new BigInteger(130, random)
                        .subtract(BigInteger.ONE.shiftLeft(129))
                        .remainder(BigInteger.TEN.pow(((DecimalType) type).precision()));
            case TINYINT -> (long) (byte) random.nextInt();
            case SMALLINT -> (long) (short) random.nextInt();
            case INT, DATE -> (long) random.nextInt();
            case LONG, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS -> random.nextLong();
            case BINARY -> throw new IllegalArgumentException("bytes are not equal to others");
        };
    }

    private static int size(Random random) {
        return random.nextInt(10) == 0 ? 40 : random.nextInt(4);
    }

    private static Object sometimesNull(ColumnType type, Random random) {
        return random.nextInt(4) == 0 ? null : random(type, random);
    }

    /** Writes the form of a value; null as an element is. */
    @SuppressWarnings("unchecked")
    public static void write(ColumnType type, Object value, NestedWriter out) {
        if (value == null) {
            out.putNull();
            return;
        }
        switch (type.kind()) {
            case LIST -> {
                int place = out.beginList();
                ((List<Object>) value).forEach(element -> write(((ListType) type).element(), element, out));
                out.end(place, ((List<Object>) value).size());
            }
            case MAP -> {
                int place = out.beginMap();
                for (Object entry : (List<Object>) value) {
                    write(((MapType) type).key(), ((List<Object>) entry).get(0), out);
                    write(((MapType) type).value(), ((List<Object>) entry).get(1), out);
                }
                out.end(place, ((List<Object>) value).size());
            }
            case STRUCT -> {
                int place = out.beginStruct();
                Map<String, Object> fields = (Map<String, Object>) value;
                List<StructType.Field> all = ((StructType) type).fields();
                for (int i = 0; i < all.size(); i++) {
                    if (fields.get(all.get(i).name()) != null) {
                        out.field(i);
                        write(all.get(i).type(), fields.get(all.get(i).name()), out);
                    }
                }
                out.end(place, fields.size());
            }
            case STRING -> {
                byte[] utf8 = ((String) value).getBytes(java.nio.charset.StandardCharsets.UTF_8);
                out.putBytes(utf8, 0, utf8.length);
            }
            case BOOLEAN -> out.putBoolean((Boolean) value);
            case FLOAT, DOUBLE -> out.putDouble((Double) value);
            case DECIMAL -> out.putDecimal((BigInteger) value);
            default -> out.putLong((Long) value);
        }
    }

    /** Adds a value that is not null to a field of a group of Parquet. */
    @SuppressWarnings("unchecked")
    public static void add(ColumnType type, Object value, Group group, String name) {
        switch (type.kind()) {
            case LIST -> {
                Group list = group.addGroup(name);
                for (Object element : (List<Object>) value) {
                    Group repeated = list.addGroup("list");
                    if (element != null) {
                        add(((ListType) type).element(), element, repeated, "element");
                    }
                }
            }
            case MAP -> {
                Group map = group.addGroup(name);
                for (Object each : (List<Object>) value) {
                    List<Object> entry = (List<Object>) each;
                    Group repeated = map.addGroup("key_value");
                    add(((MapType) type).key(), entry.get(0), repeated, "key");
                    if (entry.get(1) != null) {
                        add(((MapType) type).value(), entry.get(1), repeated, "value");
                    }
                }
            }
            case STRUCT -> {
                Group struct = group.addGroup(name);
                for (StructType.Field field : ((StructType) type).fields()) {
                    Object found = ((Map<String, Object>) value).get(field.name());
                    if (found != null) {
                        add(field.type(), found, struct, field.name());
                    }
                }
            }
            case STRING -> group.add(name, (String) value);
            case BOOLEAN -> group.add(name, (Boolean) value);
            case FLOAT -> group.add(name, ((Double) value).floatValue());
            case DOUBLE -> group.add(name, (Double) value);
            case DECIMAL -> {
                BigInteger digits = (BigInteger) value;
                if (type.isInt32()) {
                    group.add(name, digits.intValueExact());
                } else if (!type.isWideDecimal()) {
                    group.add(name, digits.longValueExact());
                } else {
                    byte[] fixed = new byte[((DecimalType) type).bytes()];
                    byte[] few = digits.toByteArray();
                    Arrays.fill(fixed, (byte) (digits.signum() < 0 ? -1 : 0));
                    System.arraycopy(few, 0, fixed, fixed.length - few.length, few.length);
                    group.add(name, Binary.fromConstantByteArray(fixed));
                }
            }
            case TINYINT, SMALLINT, INT, DATE -> group.add(name, ((Long) value).intValue());
            default -> group.add(name, (long) (Long) value);
        }
    }

    /** The value of a field of a group of Parquet; null if it has none. */
    public static Object get(ColumnType type, Group group, String name) {
        if (group.getFieldRepetitionCount(name) == 0) {
            return null;
        }
        return switch (type.kind()) {
            case LIST -> {
                Group list = group.getGroup(name, 0);
                List<Object> elements = new ArrayList<>();
                for (int i = 0; i < list.getFieldRepetitionCount("list"); i++) {
                    elements.add(get(((ListType) type).element(), list.getGroup("list", i), "element"));
                }
                yield elements;
            }
            case MAP -> {
                Group map = group.getGroup(name, 0);
                List<Object> entries = new ArrayList<>();
                for (int i = 0; i < map.getFieldRepetitionCount("key_value"); i++) {
                    Group entry = map.getGroup("key_value", i);
                    entries.add(Arrays.asList(
                            get(((MapType) type).key(), entry, "key"), get(((MapType) type).value(), entry, "value")));
                }
                yield entries;
            }
            case STRUCT -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                for (StructType.Field field : ((StructType) type).fields()) {
                    Object value = get(field.type(), group.getGroup(name, 0), field.name());
                    if (value != null) {
                        fields.put(field.name(), value);
                    }
                }
                yield fields;
            }
            case STRING -> group.getString(name, 0);
            case BOOLEAN -> group.getBoolean(name, 0);
            case FLOAT -> (double) group.getFloat(name, 0);
            case DOUBLE -> group.getDouble(name, 0);
            case DECIMAL -> {
                if (type.isInt32()) {
                    yield BigInteger.valueOf(group.getInteger(name, 0));
                }
                yield type.isWideDecimal()
                        ? new BigInteger(group.getBinary(name, 0).getBytes())
                        : BigInteger.valueOf(group.getLong(name, 0));
            }
            case TINYINT, SMALLINT, INT, DATE -> (long) group.getInteger(name, 0);
            default -> group.getLong(name, 0);
        };
    }
}
