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
package org.hadoopmpsr.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.nested.ParquetTypes;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.testing.MiniCluster;
import org.jspecify.annotations.Nullable;

/** A dataset of measurements in three groups on a mini cluster, written by Parquet's example writer. */
public final class TestDataset {
    public static final Schema SCHEMA = Schema.parse("signal string not null, device string not null,"
            + " timestamp_ns timestamp_ns not null, value double, quality int, pos struct<x:double,y:int>");
    private static final long DAY_NS = 86_400_000_000_000L;

    private final Dataset dataset;
    private long committed;

    private TestDataset(Dataset dataset) {
        this.dataset = dataset;
    }

    /** Starts HDFS with MPSR and three DataNodes. */
    static MiniDFSCluster start() throws IOException {
        return start(MiniCluster.stock());
    }

    /** Starts such a cluster with what a configuration says besides. */
    static MiniDFSCluster start(Configuration conf) throws IOException {
        MiniCluster.addThreeGroups(conf);
        conf.set("dfs.mpsr.replica.group.device.predicates", "device");
        return MiniCluster.start(MiniCluster.builder(conf, 3, 3));
    }

    /** Creates the dataset and commits the records to it. */
    static TestDataset create(MiniDFSCluster cluster, String path, List<Map<String, Object>> records)
            throws IOException {
        return create(cluster, path, List.of(records), new ArrayList<>());
    }

    /**
     * Creates the dataset and commits the records to it.
     *
     * @param commits the records of each commit
     * @param published is given the published files of all commits
     */
    static TestDataset create(
            MiniDFSCluster cluster, String path, List<List<Map<String, Object>>> commits, List<StagedFile> published)
            throws IOException {
        try (MpsrClient client = MpsrClient.create(cluster.getConfiguration(0), cluster.getURI())) {
            TestDataset created = new TestDataset(client.createDataset(path, SCHEMA));
            for (List<Map<String, Object>> records : commits) {
                published.addAll(created.commit(client, cluster, records));
            }
            return created;
        }
    }

    /** Creates a dataset that is partitioned as wanted in a group, and commits the records to it. */
    static void create(MiniDFSCluster cluster, String path, WantedGroup wanted, List<Map<String, Object>> records)
            throws IOException {
        try (MpsrClient client = MpsrClient.create(cluster.getConfiguration(0), cluster.getURI())) {
            client.createDataset(path, SCHEMA);
            Dataset altered = client.alterations().set(path, null, wanted);
            new TestDataset(altered).commit(client, cluster, records);
        }
    }

    /** The path of a published file. */
    String path(StagedFile file) {
        return dataset.representations().stream()
                        .filter(r -> r.group().equals(file.group()))
                        .findFirst()
                        .orElseThrow()
                        .root()
                + "/" + file.relativePath();
    }

    /** Records of so many signals, devices and days; a value or a quality is missing now and then. */
    public static List<Map<String, Object>> records(Random random, int count) {
        List<Map<String, Object>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, Object> record = new HashMap<>();
            record.put("signal", "SIG" + random.nextInt(10));
            record.put("device", "DEV" + random.nextInt(3));
            record.put("timestamp_ns", (16_000L + random.nextInt(5)) * DAY_NS + random.nextInt(1_000_000));
            record.put("value", random.nextInt(5) == 0 ? null : (Object) (random.nextInt(100) / 4.0));
            record.put("quality", random.nextInt(4) == 0 ? null : (Object) (long) random.nextInt(3));
            record.put("pos", random.nextInt(4) == 0 ? null : position(random));
            records.add(record);
        }
        return records;
    }

    /** The fields x and y of a struct, of which each may be null. */
    private static List<@Nullable Object> position(Random random) {
        return Arrays.asList(
                random.nextInt(3) == 0 ? null : (Object) (random.nextInt(9) / 2.0),
                random.nextInt(3) == 0 ? null : (Object) (long) random.nextInt(5));
    }

    private List<StagedFile> commit(MpsrClient client, MiniDFSCluster cluster, List<Map<String, Object>> records)
            throws IOException {
        CommitSource source = new CommitSource("t", 0, committed, committed + records.size());
        String id = source.text();
        String staging =
                client.beginCommit(dataset.path(), dataset.id(), id).require().stagingDir();
        List<StagedFile> files = new ArrayList<>();
        for (ReplicaGroup group : dataset.groups().groups()) {
            Map<List<Object>, List<Map<String, Object>>> partitions = new LinkedHashMap<>();
            for (Map<String, Object> record : records) {
                partitions
                        .computeIfAbsent(tuple(group, record), t -> new ArrayList<>())
                        .add(record);
            }
            for (Map.Entry<List<Object>, List<Map<String, Object>>> partition : partitions.entrySet()) {
                String relative = PartitionPath.of(group.partitionFields(SCHEMA), partition.getKey()) + "/" + id + "-"
                        + files.size() + ".parquet";
                write(
                        new org.apache.hadoop.fs.Path(cluster.getURI() + staging + "/" + group.name() + "/" + relative),
                        cluster.getConfiguration(0),
                        dataset.groups().physicalColumns(group.name(), SCHEMA),
                        partition.getValue(),
                        Map.of("mpsr.commit", id));
                FileStatistics statistics = statistics(id, partition.getKey(), partition.getValue());
                files.add(new StagedFile(group.name(), relative, statistics));
            }
        }
        client.publish(dataset.path(), dataset.id(), id, List.of(source), files);
        committed += records.size();
        return files;
    }

    private List<@Nullable Object> tuple(ReplicaGroup group, Map<String, Object> record) {
        List<@Nullable Object> tuple = new ArrayList<>();
        for (Predicate predicate : group.predicates()) {
            Object value = value(record, predicate.column());
            ColumnType type = predicate.source(SCHEMA).type();
            tuple.add(value == null ? null : predicate.transform().apply(type, value));
        }
        return tuple;
    }

    /** The value of a column, or of a field of a struct. */
    private static @Nullable Object value(Map<String, Object> record, String path) {
        Object value = record.get(ColumnPath.root(path));
        for (int place : ColumnPath.places(SCHEMA, path)) {
            value = value == null ? null : ((List<?>) value).get(place);
        }
        return value;
    }

    /** Writes a Parquet file as the sink writes them: {@code day} is computed where it is among the columns. */
    public static void write(
            org.apache.hadoop.fs.Path file,
            Configuration conf,
            List<Column> columns,
            List<Map<String, Object>> records,
            Map<String, String> metadata)
            throws IOException {
        MessageType type =
                new MessageType("record", columns.stream().map(ParquetTypes::of).toList());
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(file)
                .withConf(conf)
                .withType(type)
                .withExtraMetaData(metadata)
                .build()) {
            for (Map<String, Object> record : records) {
                writer.write(group(type, columns, record));
            }
        }
    }

    private static Group group(MessageType type, List<Column> columns, Map<String, Object> record) {
        SimpleGroup group = new SimpleGroup(type);
        for (Column column : columns) {
            Object value = column.name().equals("day")
                    ? Long.valueOf((Long) record.get("timestamp_ns") / DAY_NS)
                    : record.get(column.name());
            if (value instanceof String s) {
                group.add(column.name(), s);
            } else if (value instanceof Double d) {
                group.add(column.name(), d);
            } else if (value instanceof Long l && column.type() == ColumnType.TIMESTAMP_NS) {
                group.add(column.name(), l);
            } else if (value instanceof Long l) {
                group.add(column.name(), l.intValue());
            } else if (value instanceof List<?> position) {
                Group struct = group.addGroup(column.name());
                if (position.get(0) instanceof Double x) {
                    struct.add("x", x);
                }
                if (position.get(1) instanceof Long y) {
                    struct.add("y", y.intValue());
                }
            }
        }
        return group;
    }

    /** What the NameNode is told of a file. */
    public static FileStatistics statistics(String commit, List<Object> tuple, List<Map<String, Object>> records) {
        RecordHasher hasher = new RecordHasher(HashKind.CURRENT);
        Map<String, ColumnStatistics> columns = new HashMap<>();
        for (Map<String, Object> record : records) {
            for (int i = 0; i < SCHEMA.columns().size(); i++) {
                Object value = record.get(SCHEMA.columns().get(i).name());
                hasher.put(i, value instanceof List<?> position ? form(position) : value);
            }
            hasher.endRecord();
        }
        for (Column column : SCHEMA.columns()) {
            List<Object> values = new ArrayList<>();
            records.forEach(r -> values.add(r.get(column.name())));
            values.removeIf(v -> v == null);
            if (column.type() instanceof NestedType) {
                columns.put(column.name(), new ColumnStatistics(null, null, records.size() - values.size()));
                continue;
            }
            values.sort(Values::compare);
            columns.put(
                    column.name(),
                    values.isEmpty()
                            ? new ColumnStatistics(null, null, records.size())
                            : ColumnStatistics.of(
                                    values.get(0), values.get(values.size() - 1), records.size() - values.size()));
        }
        return new FileStatistics(commit, hasher.take(), tuple, columns);
    }

    private static NestedWriter form(List<?> position) {
        NestedWriter form = new NestedWriter();
        int place = form.beginStruct();
        int count = 0;
        if (position.get(0) instanceof Double x) {
            form.field(0);
            form.putDouble(x);
            count++;
        }
        if (position.get(1) instanceof Long y) {
            form.field(1);
            form.putLong(y);
            count++;
        }
        form.end(place, count);
        return form;
    }
}
