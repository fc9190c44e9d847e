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
package org.hadoopmpsr.benchmarks.settings;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.tune.DatasetFeatures;
import org.jspecify.annotations.Nullable;

/**
 * Generated records with a key, a time, and further columns; sorted in files by key and time, which arrive by time.
 *
 * @param rows by the schema's columns, of the classes String, Long and Double
 * @param width the mean bytes of a record, without compression
 */
record TrialData(String name, Schema schema, List<List<Object>> rows, double width) {
    static final String KEY = "key";
    static final String TIME = "t";
    /** A text of which a few records have one that no others have. */
    static final String KIND = "kind";

    private static final int KEYS = 40;
    private static final long START_US = 1_493_596_800_000_000L;
    private static final long STEP_US = 1_000_000L;
    private static final String RARE = "alarm";

    /** What one read asks for. */
    enum Query {
        /** All columns of one key, of which files are sorted. */
        KEY_OF_ALL,
        /** The first further column in a fiftieth of the time. */
        RANGE,
        /** One further column of all records. */
        COLUMN,
        /** Everything. */
        ALL,
        /** All columns of the few records of a rare kind. */
        RARE_KIND
    }

    private static TrialData of(String name, Schema schema, List<List<Object>> rows) {
        double width = rows.stream()
                .mapToDouble(row -> DatasetFeatures.width(new ArrayList<@Nullable Object>(row)))
                .average()
                .orElse(0);
        return new TrialData(name, schema, rows, width);
    }

    /** Readings: few columns, values of two digits that stay for a while. */
    static TrialData readings(String name, int count, long seed) {
        Random random = new Random(seed);
        double[] level = random.doubles(KEYS, -100, 100).toArray();
        List<List<Object>> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int key = random.nextInt(KEYS);
            level[key] += random.nextInt(3) == 0 ? Math.round(100 * random.nextGaussian()) / 100.0 : 0;
            rows.add(List.of(key(key), START_US + i * STEP_US, kind(random), level[key]));
        }
        return of(name, Schema.parse("key string not null, t bigint not null, kind string, v0 double"), rows);
    }

    /** A simulation: many columns with full mantissas. */
    static TrialData simulation(String name, int count, long seed) {
        int columns = 16;
        Random random = new Random(seed);
        double[] state = random.doubles(columns, -1, 1).toArray();
        StringBuilder ddl = new StringBuilder("key string not null, t bigint not null, kind string");
        for (int c = 0; c < columns; c++) {
            ddl.append(", v").append(c).append(" double");
        }
        List<List<Object>> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            List<Object> row =
                    new ArrayList<>(List.of(key(random.nextInt(KEYS)), START_US + i * STEP_US, kind(random)));
            for (int c = 0; c < columns; c++) {
                state[c] = 0.95 * state[c] + 0.1 * random.nextGaussian();
                row.add(state[c]);
            }
            rows.add(row);
        }
        return of(name, Schema.parse(ddl.toString()), rows);
    }

    /** A log: texts of words. */
    static TrialData log(String name, int count, long seed) {
        Random random = new Random(seed);
        String[] words = new String[400];
        for (int i = 0; i < words.length; i++) {
            StringBuilder word = new StringBuilder();
            for (int length = 3 + random.nextInt(7); length > 0; length--) {
                word.append((char) ('a' + random.nextInt(26)));
            }
            words[i] = word.toString();
        }
        List<List<Object>> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = 8 + random.nextInt(10); length > 0; length--) {
                text.append(words[(int) Math.min(words.length - 1, Math.abs(random.nextGaussian()) * 120)])
                        .append(' ');
            }
            String session = Long.toHexString(random.nextLong());
            rows.add(
                    List.of(key(random.nextInt(KEYS)), START_US + i * STEP_US, kind(random), text.toString(), session));
        }
        return of(
                name, Schema.parse("key string not null, t bigint not null, kind string, v0 string, v1 string"), rows);
    }

    private static String key(int number) {
        return "device-" + (100 + number);
    }

    private static String kind(Random random) {
        return random.nextInt(4000) == 0 ? RARE : random.nextInt(10) == 0 ? "warning" : "usual";
    }

    /** One group of them, in files of a flush each. */
    static ReplicaGroups groups(String codec) {
        return new ReplicaGroups(
                List.of(new ReplicaGroup(
                        "g",
                        List.of(Predicate.parse("bucket(1, key)")),
                        SortKey.of(List.of(KEY, TIME)),
                        1,
                        Codec.parse(codec))),
                "g");
    }

    /** Appends records to what the sink buffers. */
    void append(RecordAppender appender, int from, int to) throws BadRecordException {
        for (int i = from; i < to; i++) {
            appender.begin();
            List<Object> row = rows.get(i);
            for (int c = 0; c < row.size(); c++) {
                put(appender, c, row.get(c));
            }
            appender.end(0);
        }
    }

    private static void put(RecordAppender appender, int column, Object value) throws BadRecordException {
        if (value instanceof Long number) {
            appender.putLong(column, number);
        } else if (value instanceof Double number) {
            appender.putDouble(column, number);
        } else {
            byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
            appender.putUtf8(column, utf8, 0, utf8.length);
        }
    }

    /** The columns that a query reads, with those of its conditions. */
    List<String> columns(Query query) {
        return switch (query) {
            case RANGE -> List.of(TIME, "v0");
            case COLUMN -> List.of("v0");
            case KEY_OF_ALL, ALL, RARE_KIND ->
                schema.columns().stream().map(column -> column.name()).toList();
        };
    }

    /** The condition of a query; null for none. */
    @Nullable
    FilterPredicate filter(Query query) {
        return switch (query) {
            case KEY_OF_ALL -> FilterApi.eq(FilterApi.binaryColumn(KEY), Binary.fromString(key(KEYS / 2)));
            case RANGE -> {
                long from = START_US + rows.size() / 2 * STEP_US;
                yield FilterApi.and(
                        FilterApi.gtEq(FilterApi.longColumn(TIME), from),
                        FilterApi.lt(FilterApi.longColumn(TIME), from + rows.size() / 50 * STEP_US));
            }
            case RARE_KIND -> FilterApi.eq(FilterApi.binaryColumn(KIND), Binary.fromString(RARE));
            case COLUMN, ALL -> null;
        };
    }
}
