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
package org.hadoopmpsr.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.util.PartitionUtil;

/** Reads tables with Iceberg's readers, and checks what they give. */
final class TableChecks {
    private TableChecks() {}

    /**
     * Checks that a scan gives the records that pass a filter, each once.
     *
     * @param all the records of the state that is read
     */
    static void check(TableScan scan, Expression filter, List<Map<String, Object>> all, String what)
            throws IOException {
        List<String> expected = new ArrayList<>();
        Evaluator passes = new Evaluator(scan.table().schema().asStruct(), filter);
        for (Map<String, Object> record : all) {
            Record row = GenericRecord.create(scan.table().schema());
            record.forEach(row::setField);
            row.setField("day", (int) ((Long) record.get("timestamp_ns") / 86_400_000_000_000L));
            if (passes.eval(row)) {
                expected.add(text(row, row.getField("day")));
            }
        }
        List<String> found = read(scan, passes);
        Collections.sort(found); // the checks of lists without an order take long
        Collections.sort(expected);
        assertThat(found).as(what).isEqualTo(expected);
    }

    /** The records of a scan, as text; those that pass. */
    static List<String> read(TableScan scan, Evaluator passes) throws IOException {
        List<String> rows = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
            for (FileScanTask task : tasks) {
                read(scan.table(), task, passes, rows);
            }
        }
        return rows;
    }

    private static void read(Table table, FileScanTask task, Evaluator passes, List<String> rows) {
        Map<Integer, Object> constants = new HashMap<>(PartitionUtil.constantsMap(task, (type, value) -> value));
        try (CloseableIterable<Record> records = Parquet.read(
                        table.io().newInputFile(task.file().location()))
                .project(table.schema())
                .withNameMapping(NameMappingParser.fromJson(table.properties().get("schema.name-mapping.default")))
                .createReaderFunc(type -> GenericParquetReaders.buildReader(table.schema(), type, constants))
                .build()) {
            Predicate<Record> kept = row -> {
                Record plain = row.copy();
                if (row.getField("day") instanceof java.time.LocalDate day) {
                    plain.setField("day", (int) day.toEpochDay());
                }
                return passes.eval(plain);
            };
            for (Record row : records) {
                if (kept.test(row)) {
                    Object day = row.getField("day");
                    rows.add(text(
                            row, day instanceof java.time.LocalDate date ? (Object) (int) date.toEpochDay() : day));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Record row, Object day) {
        return row.struct().fields().stream()
                .map(field -> field.name().equals("day") ? day : row.getField(field.name()))
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    /** A random filter of the columns of {@link WrittenDataset}. */
    static Expression filter(Random random, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            Expression left = filter(random, depth - 1);
            Expression right = filter(random, depth - 1);
            return switch (random.nextInt(5)) {
                case 0, 1, 2 -> Expressions.and(left, right);
                case 3 -> Expressions.or(left, right);
                default -> Expressions.not(left);
            };
        }
        String signal = "SIG" + random.nextInt(11);
        return switch (random.nextInt(12)) {
            case 0 -> Expressions.equal("signal", signal);
            case 1 -> Expressions.in("signal", signal, "SIG" + random.nextInt(10));
            case 2 -> Expressions.notIn("device", "DEV" + random.nextInt(3));
            case 3 -> Expressions.startsWith("device", "DEV" + random.nextInt(4));
            case 4 -> Expressions.notStartsWith("signal", signal);
            case 5 -> Expressions.lessThan("value", random.nextInt(100) / 4.0);
            case 6 -> Expressions.greaterThanOrEqual("value", random.nextInt(100) / 4.0);
            case 7 -> Expressions.isNull(random.nextBoolean() ? "value" : "quality");
            case 8 -> Expressions.notNull("quality");
            case 9 -> Expressions.notEqual("quality", random.nextInt(3));
            case 10 -> Expressions.greaterThan("day", "2013-10-2" + (2 + random.nextInt(5)));
            default -> Expressions.equal("device", "DEV" + random.nextInt(3));
        };
    }
}
