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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.hadoopmpsr.benchmarks.year.Year;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;

/** A segment of the year: as many files in each directory of each group as its bytes need, with statistics of all columns. */
final class YearSegment {
    private static final int FIRST_DAY = 16_000;
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int FILE_BYTES = 1 << 20;
    private static final int COLUMNS = 5;
    private static final long FILE_RECORDS = 100_000;
    /** More than all files of a group have, but for the last one, which has the rest. */
    private static final long SEGMENT_RECORDS = 10_000_000_000L;

    private static final int SIGNALS = 10_000;
    private static final String SYSTEM = "CRYO";

    private final Dataset dataset;
    private final HeldSegment segment;
    private final long firstNs;
    private final long lastNs;
    private final List<StagedFile> files = new ArrayList<>();
    /** The records that the files of the group at hand have until now. */
    private ContentHash held = ContentHash.EMPTY;

    /** @param bytesByDay the bytes in each group by the day of the records, counted from 0 */
    YearSegment(Dataset dataset, HeldSegment segment, Map<Integer, Long> bytesByDay) {
        this.dataset = dataset;
        this.segment = segment;
        this.firstNs =
                startOf(bytesByDay.keySet().stream().min(Integer::compare).orElseThrow());
        this.lastNs = startOf(bytesByDay.keySet().stream().max(Integer::compare).orElseThrow()) + DAY_NS - 1;
        bytesByDay.forEach((day, bytes) -> add("time", List.of((long) FIRST_DAY + day), Year.filesOf(1, bytes)));
        end();
        long bytes = bytesByDay.values().stream().mapToLong(b -> b).sum();
        for (int bucket = 0; bucket < Year.BUCKETS; bucket++) {
            add("signal", List.of((long) bucket), Year.filesOf(1, bytes / Year.BUCKETS));
        }
        end();
        for (int device = 0; device < Year.DEVICES; device++) {
            add("device", List.of(SYSTEM, Commit.device(device)), Year.filesOf(1, bytes / Year.DEVICES));
        }
        end();
    }

    private static long startOf(int day) {
        return (FIRST_DAY + day) * DAY_NS;
    }

    private void add(String group, List<Object> partition, long count) {
        String directory = PartitionPath.of(
                dataset.groups().find(group).orElseThrow().partitionFields(dataset.schema()), partition);
        for (int i = 0; i < count; i++) {
            int number = files.size();
            ContentHash content = new ContentHash(HashKind.CURRENT, FILE_RECORDS, 0x9E3779B97F4A7C15L * number, number);
            held = held.plus(content);
            String name = segment.id() + "-" + String.format("%05d", number) + ".parquet";
            files.add(new StagedFile(group, directory + "/" + name, statistics(group, partition, content)));
        }
    }

    /** Gives the group's last file what its other files have not. */
    private void end() {
        StagedFile last = files.remove(files.size() - 1);
        FileStatistics statistics = last.statistics();
        ContentHash whole = new ContentHash(HashKind.CURRENT, SEGMENT_RECORDS, 1, segment.first());
        ContentHash rest = whole.minus(held.minus(statistics.content()));
        files.add(new StagedFile(
                last.group(),
                last.relativePath(),
                new FileStatistics(segment.id(), rest, statistics.partition(), statistics.columns())));
        held = ContentHash.EMPTY;
    }

    private FileStatistics statistics(String group, List<Object> partition, ContentHash content) {
        boolean byTime = group.equals("time");
        boolean byDevice = group.equals("device");
        long from = byTime ? (Long) partition.get(0) * DAY_NS : firstNs;
        Object device = byDevice ? partition.get(1) : Commit.device(0);
        return new FileStatistics(
                segment.id(),
                content,
                partition,
                Map.of(
                        "signal", column(Commit.signal(0), Commit.signal(SIGNALS), 200),
                        "device", column(device, byDevice ? device : Commit.device(Year.DEVICES), 10),
                        "system", column(SYSTEM, SYSTEM, 1),
                        "timestamp_ns", column(from, byTime ? from + DAY_NS - 1 : lastNs, 50_000),
                        "value", column(-1.5 * files.size(), 273.15 + files.size() / 7.0, 4_000)));
    }

    private static ColumnStatistics column(Object min, Object max, int distinct) {
        return new ColumnStatistics(min, max, 0, distinct, true, FILE_BYTES / COLUMNS);
    }

    /** Puts the files into a staging directory and publishes them. */
    void publish(MpsrClient client, GeneratedFiles generated, long sequence) throws IOException {
        String staging = client.beginCommit(dataset.path(), dataset.id(), segment.id())
                .require()
                .stagingDir();
        Map<String, List<String>> names = new HashMap<>();
        for (StagedFile file : files) {
            String path = staging + "/" + file.group() + "/" + file.relativePath();
            int slash = path.lastIndexOf('/');
            names.computeIfAbsent(path.substring(0, slash), d -> new ArrayList<>())
                    .add(path.substring(slash + 1));
        }
        for (Map.Entry<String, List<String>> directory : names.entrySet()) {
            generated.add(directory.getKey(), directory.getValue(), FILE_BYTES);
        }
        CommitSource source = new CommitSource("meas", 0, sequence, sequence + 1);
        PublishResult result = client.publish(dataset.path(), dataset.id(), segment.id(), List.of(source), files);
        if (result.outcome() != PublishResult.Outcome.COMMITTED) {
            throw new IllegalStateException(
                    "segment " + segment.id() + " was not published: " + result.outcome() + " " + result.reason());
        }
    }
}
