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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * A commit of many files: so many in each group, each of another signal, device and day, with statistics of all columns
 * as ingest writes them.
 */
final class Commit extends Change {
    /** The system of all devices. */
    static final String SYSTEM = "CRYO";

    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int RECORDS = 50_000;
    private static final int COLUMNS = 5;

    private final int number;
    private final boolean spread;
    private final int filesPerGroup;
    private final List<StagedFile> files = new ArrayList<>();

    Commit(Dataset dataset, int number, int filesPerGroup) {
        this(dataset, number, filesPerGroup, false);
    }

    /** @param spread whether a file holds all signals, devices and days but for those that its group is partitioned by */
    Commit(Dataset dataset, int number, int filesPerGroup, boolean spread) {
        super(dataset, id(number));
        this.spread = spread;
        this.filesPerGroup = filesPerGroup;
        this.number = number;
        for (ReplicaGroup group : dataset.groups().groups()) {
            for (int i = 0; i < filesPerGroup; i++) {
                files.add(file(group, i));
            }
        }
    }

    private static String id(int number) {
        return "meas-0-" + number + "00000-" + (number + 1) + "00000";
    }

    /** The name of the file with that number in each group of a commit. */
    static String fileName(int number, int i) {
        return id(number) + "-" + i + ".parquet";
    }

    /** The signal of a commit's file of that number. */
    static String signal(int i) {
        return "PT-" + (1_000 + i);
    }

    static String device(int i) {
        return "DEV-" + (100 + i);
    }

    /** When its day begins. */
    static long time(int i) {
        return (16_000L + i) * DAY_NS;
    }

    private StagedFile file(ReplicaGroup group, int i) {
        String signal = signal(i);
        String device = device(i);
        long time = time(i);
        Map<String, Object> values = Map.of("signal", signal, "device", device, "system", SYSTEM, "timestamp_ns", time);
        List<Object> partition = group.predicates().stream()
                .map(p -> p.transform()
                        .apply(
                                p.source(dataset().schema()).type(),
                                switch (p.column()) {
                                    case "signal" -> signal;
                                    case "device" -> device;
                                    case "system" -> SYSTEM;
                                    default -> (Object) time;
                                }))
                .toList();
        FileStatistics statistics = new FileStatistics(
                id(),
                new ContentHash(
                        HashKind.CURRENT,
                        RECORDS,
                        0x9E3779B97F4A7C15L * (i + 1),
                        0xC2B2AE3D27D4EB4FL * (number + i + 1L)),
                partition,
                Map.of(
                        "signal",
                                range(
                                        group,
                                        "signal",
                                        signal,
                                        signal + "9",
                                        signal(0),
                                        signal(filesPerGroup) + "9",
                                        10),
                        "device",
                                range(
                                        group,
                                        "device",
                                        device,
                                        device + "9",
                                        device(0),
                                        device(filesPerGroup) + "9",
                                        10),
                        "system", column(SYSTEM, SYSTEM, 0, 1),
                        "timestamp_ns",
                                range(
                                        group,
                                        "timestamp_ns",
                                        time,
                                        time + DAY_NS - 1_000_000,
                                        time(0),
                                        time(filesPerGroup) - 1_000_000,
                                        RECORDS),
                        "value", column(-1.5 * i, 273.15 + i / 7.0, 3, 4_000)));
        String directory = PartitionPath.of(group.partitionFields(dataset().schema()), partition);
        return new StagedFile(group.name(), directory + "/" + fileName(number, i), statistics);
    }

    /** The first bounds where the group is partitioned by the column, or nothing is spread; else the others. */
    private ColumnStatistics range(
            ReplicaGroup group, String column, Object min, Object max, Object least, Object most, int distinct) {
        boolean whole =
                spread && group.predicates().stream().noneMatch(p -> p.column().equals(column));
        return whole ? column(least, most, 0, distinct) : column(min, max, 0, distinct);
    }

    /** As the sink writes it. */
    private static ColumnStatistics column(Object min, Object max, long nulls, int distinct) {
        return new ColumnStatistics(min, max, nulls, distinct, true, FILE_BYTES / COLUMNS);
    }

    @Override
    PublishResult ask(MpsrClient client) throws IOException {
        CommitSource source = new CommitSource("meas", 0, number * 100_000L, (number + 1) * 100_000L);
        return client.publish(dataset().path(), dataset().id(), id(), List.of(source), files);
    }

    @Override
    List<StagedFile> files() {
        return files;
    }

    /** Checks that all groups hold the records of so many files, and can be read. */
    static void checkRecords(MpsrClient client, Dataset dataset, long files) throws IOException {
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            if (r.content().count() != files * RECORDS || r.unusable() != null) {
                throw new IllegalStateException("group " + r.group() + " holds "
                        + r.content().count() + " records instead of " + files * RECORDS + "; " + r.unusable());
            }
        }
    }

    /** Checks that all groups hold the files of so many such commits, and can be read. */
    void check(MpsrClient client, int commits) throws IOException {
        long expected =
                (long) commits * files.size() / dataset().groups().names().size();
        for (Dataset.Representation r : client.getDataset(dataset().path()).representations()) {
            if (r.files() != expected) {
                throw new IllegalStateException(
                        "group " + r.group() + " holds " + r.files() + " files instead of " + expected);
            }
        }
        checkRecords(client, dataset(), expected);
    }
}
