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
package org.hadoopmpsr.benchmarks.namenode;

import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types.NestedField;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Appends the files of the planned dataset's default group to an Iceberg table that is partitioned by day, with the
 * statistics that they would have if each day were sorted by signal. To be planned, not read.
 */
@Command(name = "iceberg-files", mixinStandardHelpOptions = true, description = "Fills an Iceberg table's metadata.")
public final class IcebergFiles implements Callable<Integer> {
    private static final long RECORDS = 50_000;
    private static final long BYTES = 1_000_000;
    /** Each append is of whole days. */
    private static final int FILES_PER_APPEND = 1_000;

    @Option(names = "--warehouse", required = true, description = "the directory of the Hadoop catalog")
    private String warehouse = "";

    @Option(names = "--table", required = true, description = "namespace.name of a table partitioned by day")
    private String name = "";

    @Option(names = "--dataset", required = true, description = "the dataset whose files they are, as an URI")
    private String dataset = "";

    @Option(names = "--files", required = true, description = "how many, a whole number for each of 334 days")
    private int files;

    public static void main(String[] args) {
        System.exit(new CommandLine(new IcebergFiles()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        int days = PlanningCost.FILES_PER_GROUP;
        if (files < days || files % days != 0) {
            throw new IllegalArgumentException("--files " + files + " is no multiple of the " + days + " days");
        }
        try (HadoopCatalog catalog = new HadoopCatalog(new Configuration(), warehouse)) {
            Table table = catalog.loadTable(TableIdentifier.parse(name));
            int perDay = files / days;
            AppendFiles append = table.newAppend();
            int waiting = 0;
            for (int day = 0; day < days; day++) {
                for (int i = 0; i < perDay; i++) {
                    append.appendFile(file(table, day, i, perDay));
                }
                waiting += perDay;
                if (waiting >= FILES_PER_APPEND || day == days - 1) {
                    append.commit();
                    append = table.newAppend();
                    waiting = 0;
                }
            }
        }
        return 0;
    }

    /** A day's signals are dealt to its files in their order. */
    private DataFile file(Table table, int day, int number, int perDay) {
        int signals = PlanningCost.FILES_PER_GROUP;
        int first = (int) ((long) number * signals / perDay);
        int last = (int) (((number + 1L) * signals - 1) / perDay);
        Map<Integer, ByteBuffer> lower = new HashMap<>();
        Map<Integer, ByteBuffer> upper = new HashMap<>();
        Map<Integer, Long> counts = new HashMap<>();
        Map<Integer, Long> nulls = new HashMap<>();
        bounds(table, "signal", Commit.signal(first), Commit.signal(last) + "9", lower, upper);
        bounds(table, "device", Commit.device(0), Commit.device(signals) + "9", lower, upper);
        bounds(table, "system", Commit.SYSTEM, Commit.SYSTEM, lower, upper);
        bounds(table, "timestamp_ns", Commit.time(day), Commit.time(day + 1) - 1_000_000, lower, upper);
        bounds(table, "value", -1.5 * number, 273.15 + number / 7.0, lower, upper);
        for (int id : lower.keySet()) {
            counts.put(id, RECORDS);
            nulls.put(id, 0L);
        }
        String partition = "day=" + LocalDate.ofEpochDay(Commit.time(day) / (Commit.time(1) - Commit.time(0)));
        return DataFiles.builder(table.spec())
                .withPath(dataset + "/" + partition + "/" + Commit.fileName(number, day))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(BYTES)
                .withPartitionPath(partition)
                .withMetrics(new Metrics(RECORDS, counts, counts, nulls, Map.of(), lower, upper))
                .build();
    }

    private static void bounds(
            Table table,
            String column,
            Object least,
            Object most,
            Map<Integer, ByteBuffer> lower,
            Map<Integer, ByteBuffer> upper) {
        NestedField field = table.schema().findField(column);
        lower.put(field.fieldId(), Conversions.toByteBuffer(field.type(), least));
        upper.put(field.fieldId(), Conversions.toByteBuffer(field.type(), most));
    }
}
