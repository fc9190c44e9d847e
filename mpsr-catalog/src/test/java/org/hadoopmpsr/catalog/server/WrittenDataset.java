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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.commit.HdfsCommitTarget;

/** A dataset that the sink's own code writes, with the records that are in it. */
final class WrittenDataset {
    static final Schema SCHEMA = Schema.parse(
            "signal string not null, device string not null, timestamp_ns timestamp_ns not null, value double, quality int");
    private static final int STAGING_THREADS = 6;
    private static final long DAY_NS = 86_400_000_000_000L;

    private final MiniDFSCluster cluster;
    private final String path;
    private final List<Map<String, Object>> records = new ArrayList<>();

    WrittenDataset(MiniDFSCluster cluster, String path) throws IOException {
        this.cluster = cluster;
        this.path = path;
        try (MpsrClient client = client()) {
            client.createDataset(path, SCHEMA);
        }
    }

    /** The records of all commits. */
    List<Map<String, Object>> records() {
        return records;
    }

    MpsrClient client() throws IOException {
        return MpsrClient.create(new Configuration(cluster.getConfiguration(0)), cluster.getURI());
    }

    /** Commits records of ten signals, four devices and five days. */
    void commit(Random random, int count) throws Exception {
        commit(count, i -> record(random));
    }

    /** Commits a record of each of many signals. */
    void commitSignals(Random random, int signals) throws Exception {
        commit(signals, i -> {
            Map<String, Object> record = record(random);
            record.put("signal", "SIGNAL" + i);
            return record;
        });
    }

    private void commit(int count, IntFunction<Map<String, Object>> made) throws Exception {
        List<Map<String, Object>> more = new ArrayList<>();
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        try (HdfsCommitTarget target =
                HdfsCommitTarget.open(new Configuration(cluster.getConfiguration(0)), cluster.getURI(), path)) {
            RecordAppender appender =
                    new RecordAppender(buffer, target.dataset().writtenGroups());
            for (int i = 0; i < count; i++) {
                Map<String, Object> record = made.apply(i);
                more.add(record);
                append(appender, record);
            }
            CommitSource source = new CommitSource("t", 0, records.size(), records.size() + count);
            try (CommitStager stager = new CommitStager(target, target.dataset().writtenGroups(), STAGING_THREADS)) {
                PublishResult result = target.publish(
                        source.text(),
                        List.of(source),
                        stager.stage(
                                        buffer,
                                        source.text(),
                                        target.begin(source.text()).require())
                                .files());
                if (result.outcome() != PublishResult.Outcome.COMMITTED) {
                    throw new IOException(result.reason());
                }
            }
        }
        records.addAll(more);
    }

    private static Map<String, Object> record(Random random) {
        Map<String, Object> record = new HashMap<>();
        record.put("signal", "SIG" + random.nextInt(10));
        record.put(
                "device", random.nextInt(5) == 0 ? "" : "DEV" + random.nextInt(3)); // a directory is that of null, too
        record.put("timestamp_ns", (16_000L + random.nextInt(5)) * DAY_NS + random.nextInt(1_000_000));
        record.put("value", random.nextInt(5) == 0 ? null : (Object) (random.nextInt(100) / 4.0));
        record.put("quality", random.nextInt(4) == 0 ? null : (Object) random.nextInt(3));
        return record;
    }

    private static void append(RecordAppender appender, Map<String, Object> record) throws Exception {
        appender.begin();
        for (int column = 0; column < SCHEMA.columns().size(); column++) {
            Object value = record.get(SCHEMA.columns().get(column).name());
            if (value instanceof String text) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                appender.putUtf8(column, utf8, 0, utf8.length);
            } else if (value instanceof Double number) {
                appender.putDouble(column, number);
            } else if (value instanceof Number number) {
                appender.putLong(column, number.longValue());
            }
        }
        appender.end(0);
    }
}
