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
package org.hadoopmpsr.ingest.commit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Avg;
import org.apache.kafka.common.metrics.stats.Max;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.columnar.flush.FlushCodecs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What a task has done, as metrics of Connect ({@code kafka.connect:type=plugins}), which Connect has from 4.1 on. The
 * metrics end with the task. Any thread may read them; the task's thread writes them.
 *
 * <p>A task that Connect could not stop in time keeps its metrics until it ends. The task that replaces it would have
 * metrics of equal names, and has none until then.
 */
final class IngestMetrics {
    private static final Logger LOG = PrintableLog.of(IngestMetrics.class);

    private final LongAdder records = new LongAdder();
    private final LongAdder badRecords = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder files = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder fenced = new LongAdder();
    private final List<Runnable> waiting = new ArrayList<>();
    private final @Nullable PluginMetrics metrics;
    private final @Nullable Sensor stageMs;
    private final @Nullable Sensor publishMs;

    private final Map<String, String> tags;
    private volatile LongSupplier bufferedRecords = () -> 0;
    private volatile LongSupplier bufferedBytes = () -> 0;
    private volatile LongSupplier stagedBytes = () -> 0;
    private volatile @Nullable FlushCodecs codecs;

    /** @param dataset the path of the dataset, which the metrics have as a tag */
    IngestMetrics(SinkTaskContext context, String dataset) {
        this(find(context), dataset);
    }

    IngestMetrics(@Nullable PluginMetrics metrics, String dataset) {
        this.metrics = metrics;
        tags = Map.of("dataset", dataset);
        counter("records-total", "Records committed", records::sum);
        counter("bad-records-total", "Records that could not be stored and were reported", badRecords::sum);
        counter("commits-total", "Commits published", commits::sum);
        counter("files-total", "Files published, in all groups", files::sum);
        counter("retries-total", "Failed attempts to stage or publish that are tried again", retries::sum);
        counter("fenced-total", "Commits refused because another writer was faster", fenced::sum);
        counter("buffered-records", "Records buffered and not committed", () -> bufferedRecords.getAsLong());
        counter("buffered-bytes", "Bytes of memory that they take", () -> bufferedBytes.getAsLong());
        counter("staged-bytes-total", "Bytes of files written, in all groups", () -> stagedBytes.getAsLong());
        codecs("codec-changes-total", "How often a column got another codec", FlushCodecs::changes);
        codecs("codec-sampling-per-mille", "CPU time of samples, in that of encoding", FlushCodecs::sampledPerMille);
        codecs("codec-cpu-per-mille", "The part of a core that a writing thread has", FlushCodecs::cpuSharePerMille);
        codecs("codec-bytes-per-second", "What a writing thread is taken to send", FlushCodecs::bytesPerSecond);
        stageMs = time("stage-time-ms", "Milliseconds to write the files of a commit");
        publishMs = time("publish-time-ms", "Milliseconds to publish a commit");
    }

    private static @Nullable PluginMetrics find(SinkTaskContext context) {
        try {
            return context.pluginMetrics();
        } catch (NoSuchMethodError | NoClassDefFoundError e) {
            return null; // Connect before 4.1
        }
    }

    /** Adds a value that is read when it is asked for. */
    void counter(String name, String description, LongSupplier value) {
        if (metrics != null) {
            PluginMetrics found = metrics;
            Gauge<Long> gauge = (config, now) -> value.getAsLong();
            add(() -> found.addMetric(found.metricName(name, description, new LinkedHashMap<>(tags)), gauge));
        }
    }

    private void add(Runnable metric) {
        if (!isAdded(metric)) {
            if (waiting.isEmpty()) {
                LOG.warn("a task that this one replaces has not ended, and keeps its metrics until then");
            }
            waiting.add(metric);
        }
    }

    private static boolean isAdded(Runnable metric) {
        try {
            metric.run();
            return true;
        } catch (IllegalArgumentException e) {
            return false; // there is one of that name
        }
    }

    private @Nullable Sensor time(String name, String description) {
        if (metrics == null) {
            return null;
        }
        // Sensors of one name are one for all tasks of a worker, and end with the first of them.
        Sensor sensor = metrics.addSensor(name + "-" + UUID.randomUUID());
        MetricName average = metrics.metricName(name + "-avg", description, new LinkedHashMap<>(tags));
        MetricName longest = metrics.metricName(name + "-max", description, new LinkedHashMap<>(tags));
        add(() -> sensor.add(average, new Avg()));
        add(() -> sensor.add(longest, new Max()));
        return sensor;
    }

    /** Says what is buffered from now on. */
    void buffer(LongSupplier records, LongSupplier bytes) {
        bufferedRecords = records;
        bufferedBytes = bytes;
    }

    /** 0 as long as nothing is written. */
    private void codecs(String name, String description, ToLongFunction<FlushCodecs> value) {
        counter(name, description, () -> {
            FlushCodecs now = codecs;
            return now == null ? 0 : value.applyAsLong(now);
        });
    }

    /** Says who chooses codecs from now on. */
    void codecs(FlushCodecs codecs) {
        this.codecs = codecs;
    }

    /** Says how many bytes were written from now on. */
    void staged(LongSupplier bytes) {
        stagedBytes = bytes;
    }

    void badRecord() {
        badRecords.increment();
    }

    void retry() {
        retries.increment();
    }

    void fenced() {
        fenced.increment();
    }

    void committed(PendingCommit commit, long stagedMs, long publishedMs) {
        commits.increment();
        records.add(commit.records());
        files.add(commit.files().size());
        waiting.removeIf(IngestMetrics::isAdded);
        if (stageMs != null && publishMs != null) {
            stageMs.record(stagedMs);
            publishMs.record(publishedMs);
        }
    }
}
