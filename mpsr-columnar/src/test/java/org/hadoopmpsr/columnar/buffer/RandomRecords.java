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
package org.hadoopmpsr.columnar.buffer;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopmpsr.columnar.nested.NestedTrees;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;

/** Random records of a schema: few and many distinct values, nulls, Unicode, NaN and the ends of the ranges. */
public final class RandomRecords {
    private static final String[] PIECES = {"a", "B7", "é", "漢", "😀", "\uffff", "/", "=", "%", ":", " ", "\u0001", "_x"
    };
    private static final long DAY_NS = 86_400_000_000_000L;

    private RandomRecords() {}

    /** Fills a buffer and returns what it holds, as columns hold it. */
    public static List<Map<String, Object>> fill(RecordBuffer buffer, ReplicaGroups groups, int rows, Random random)
            throws BadRecordException {
        List<Column> columns = buffer.schema().columns();
        double[] nulls = new double[columns.size()];
        int[] distinct = new int[columns.size()];
        for (int i = 0; i < nulls.length; i++) {
            nulls[i] = columns.get(i).nullable() ? new double[] {0, 0.1, 0.9, 1}[random.nextInt(4)] : 0;
            boolean partitions = columns.get(i).type() == ColumnType.STRING && i > 0;
            distinct[i] = 1 + random.nextInt(partitions || random.nextBoolean() ? 5 : 100_000);
        }
        List<Map<String, Object>> records = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            Map<String, Object> record = new HashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                Object value = random.nextDouble() < nulls[i]
                        ? null
                        : value(columns.get(i), new Random(random.nextInt(distinct[i])));
                record.put(columns.get(i).name(), value);
            }
            records.add(record);
        }
        append(buffer, groups, records);
        return records;
    }

    /** Adds records to a buffer. */
    public static void append(RecordBuffer buffer, ReplicaGroups groups, List<Map<String, Object>> records)
            throws BadRecordException {
        RecordAppender appender = new RecordAppender(buffer, groups);
        List<Column> columns = buffer.schema().columns();
        for (int row = 0; row < records.size(); row++) {
            appender.begin();
            for (int i = 0; i < columns.size(); i++) {
                put(appender, i, records.get(row).get(columns.get(i).name()));
            }
            appender.end(row % 3);
        }
    }

    private static void put(RecordAppender appender, int column, Object value) throws BadRecordException {
        if (value instanceof String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            appender.putUtf8(column, utf8, 0, utf8.length);
        } else if (appender.column(column).type() instanceof DecimalType type && value != null) {
            BigInteger digits = value instanceof BigInteger wide ? wide : BigInteger.valueOf((Long) value);
            appender.putDecimal(column, new BigDecimal(digits, type.scale()));
        } else if (value instanceof Long number) {
            appender.putLong(column, number);
        } else if (value instanceof Double number) {
            appender.putDouble(column, number);
        } else if (value instanceof Boolean truth) {
            appender.putBoolean(column, truth);
        } else if (value != null) {
            NestedWriter form = new NestedWriter();
            NestedTrees.write(appender.column(column).type(), value, form);
            appender.putNested(column, form);
        }
    }

    private static Object value(Column column, Random random) {
        random.nextInt(); // the first numbers of seeds that follow each other are alike
        return switch (column.type().kind()) {
            case STRING -> text(random);
            case INT -> random.nextInt(10) == 0 ? Integer.MIN_VALUE : (long) random.nextInt(5000) - 2500;
            case LONG ->
                switch (random.nextInt(10)) {
                    case 0 -> Long.MIN_VALUE;
                    case 1 -> Long.MAX_VALUE;
                    default -> (long) random.nextInt(1000) - 500;
                };
            case DATE -> (long) random.nextInt(2000) - 1000;
            case TIMESTAMP -> (random.nextLong() % (40 * DAY_NS)) / 1000;
            case TIMESTAMP_NS -> 1_400_000_000_000_000_000L + Math.floorMod(random.nextLong(), 3 * DAY_NS);
            case TINYINT -> (long) (byte) random.nextInt();
            case SMALLINT -> random.nextInt(5) == 0 ? Short.MIN_VALUE : (long) (short) random.nextInt(300);
            case TIMESTAMP_NTZ ->
                random.nextInt(20) == 0 ? -62_135_596_800_000_000L : (random.nextLong() % DAY_NS) / 1000;
            case TIME_NS -> random.nextInt(20) == 0 ? DAY_NS - 1 : Math.floorMod(random.nextLong(), DAY_NS);
            case DECIMAL -> digits((DecimalType) column.type(), random);
            case BINARY -> throw new IllegalArgumentException("bytes are not equal to others in a map");
            case LIST, STRUCT, MAP -> throw new IllegalArgumentException("NestedTrees makes these");
            case FLOAT -> (double) (float) floating(random);
            case DOUBLE -> floating(random);
            case BOOLEAN -> random.nextBoolean();
        };
    }

    /** A Long where all digits of the type fit into one. */
    private static Object digits(DecimalType type, Random random) {
        BigInteger limit = BigInteger.TEN.pow(type.precision());
        BigInteger digits = switch (random.nextInt(6)) {
            case 0 -> limit.subtract(BigInteger.ONE);
            case 1 -> BigInteger.ONE.subtract(limit);
            case 2 -> new BigInteger(130, random).mod(limit);
            default -> BigInteger.valueOf(random.nextInt(2000) - 1000).mod(limit);
        };
        return type.isWideDecimal() ? digits : (Object) digits.longValueExact();
    }

    private static double floating(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> random.nextInt(40) == 0 ? Double.NaN : 1.5;
            case 1 -> -0.0;
            case 2 -> 0.0;
            case 3 -> Double.NEGATIVE_INFINITY;
            default -> random.nextGaussian() * 1000;
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        if (random.nextInt(50) == 0) {
            text.append("long".repeat(random.nextInt(20)));
        }
        return text.toString();
    }
}
