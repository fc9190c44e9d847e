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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.ingest.source.SourceOffsets;
import org.jspecify.annotations.Nullable;

/**
 * The part of a task that writes to one dataset. It opens the dataset when it takes on the first topic-partitions.
 * While the NameNode does not answer, or runs without MPSR, the part waits, and the rest of the task goes on. Used by
 * one thread, Connect's.
 */
public final class DatasetWriter implements AutoCloseable {
    private final String path;
    private final Opener opener;
    private final boolean waitsForDataset;
    private final FlushLimits limits;
    private final SinkTaskContext context;
    private final LongSupplier clockMs;
    private final IngestMetrics metrics;
    private final Backoff backoff;
    private final Set<TopicPartition> partitions = new LinkedHashSet<>();
    private @Nullable IngestSession session;

    /** Opens the dataset. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the dataset.
         *
         * @throws FileNotFoundException when there is none
         * @throws IOException when nobody knows, and it may be tried again
         * @throws ConnectException when it cannot be written with this configuration
         */
        OpenDataset open() throws IOException;
    }

    /**
     * Makes a writer without topic-partitions.
     *
     * @param path the dataset's path
     * @param waitsForDataset to wait for a dataset where there is none, rather than to end the task
     * @param clockMs a clock in milliseconds that only goes forward
     */
    public DatasetWriter(
            String path,
            Opener opener,
            boolean waitsForDataset,
            FlushLimits limits,
            SinkTaskContext context,
            LongSupplier clockMs) {
        this.path = path;
        this.opener = opener;
        this.waitsForDataset = waitsForDataset;
        this.limits = limits;
        this.context = context;
        this.clockMs = clockMs;
        metrics = new IngestMetrics(context, path);
        backoff = new Backoff(path, limits.retryBackoffMs(), context, clockMs);
        metrics.counter("waiting", "1 while the dataset cannot be written, else 0", () -> backoff.isWaiting() ? 1 : 0);
    }

    /**
     * Takes on topic-partitions.
     *
     * @throws ConnectException when there is no dataset, or the messages cannot fill it
     */
    public void open(Collection<TopicPartition> added) {
        partitions.addAll(added);
        if (session != null) {
            guarded(() -> session().open(added), Set.of());
        } else if (backoff.isWaiting()) {
            backoff.pause(added);
        } else {
            openDataset();
        }
    }

    /** Buffers records, and commits what is buffered when it is time. Called without records, too. */
    public void put(Collection<SinkRecord> records) {
        if (session == null && (backoff.untilDueMs() > 0 || !openDataset())) {
            giveBack(records);
        } else {
            guarded(() -> session().put(records), records);
        }
    }

    /** Takes note of how far Connect has handed records over or dropped them, by topic-partition. */
    public void consumed(Map<TopicPartition, Long> ends) {
        if (session != null) {
            session.consumed(ends);
        }
    }

    /** In how many milliseconds, 1 at least, it must be called again, with records or without. */
    public long untilDueMs() {
        if (session != null) {
            return session.untilDueMs();
        }
        return backoff.isWaiting() ? Math.max(1, backoff.untilDueMs()) : Long.MAX_VALUE;
    }

    /** How far each topic-partition is done, as far as that is known. What is not done comes again at a start. */
    public Map<TopicPartition, Long> done() {
        return session == null ? Map.of() : session.done();
    }

    /** Gives topic-partitions back; what is buffered of them is dropped, and comes again to whoever takes them on. */
    public void close(Collection<TopicPartition> removed) {
        partitions.removeAll(removed);
        backoff.forget(removed);
        if (session != null) {
            guarded(() -> session().close(removed), Set.of());
        }
    }

    @Override
    public void close() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    private boolean openDataset() {
        OpenDataset dataset;
        try {
            dataset = opener.open();
        } catch (FileNotFoundException e) {
            return waits("there is no dataset at " + path + "; create it with 'hdfs mpsr dataset create'", e);
        } catch (IOException e) {
            metrics.retry();
            backoff.begin(e.getClass().getName(), "cannot open it: " + problem(e), partitions);
            return false;
        }
        IngestSession opened = new IngestSession(dataset, limits, backoff, metrics, context, clockMs);
        session = opened;
        backoff.end();
        guarded(() -> opened.open(partitions), Set.of());
        return session != null;
    }

    private static String problem(IOException e) {
        String text = e.getClass().getSimpleName() + ": " + MpsrClient.answer(e);
        if (e instanceof UnknownHostException) {
            return "the worker knows no such host; check mpsr.fs.uri, and set mpsr.hadoop.conf.dir where it names a"
                    + " nameservice (" + text + ")";
        }
        return MpsrClient.isWithoutMpsr(e)
                ? "the NameNode runs without MPSR; set dfs.namenode.plugins to org.hadoopmpsr.namenode.MpsrPlugin in"
                        + " hdfs-site.xml and restart it (" + text + ")"
                : text;
    }

    /** Runs a call of the session; where the dataset is gone, or its groups are others, there is none any more. */
    private void guarded(Runnable call, Collection<SinkRecord> records) {
        try {
            call.run();
        } catch (DatasetGoneException e) {
            waits(String.valueOf(e.getMessage()), e);
            end(records);
        } catch (GroupsChangedException e) {
            metrics.retry();
            backoff.begin("groups", String.valueOf(e.getMessage()), partitions);
            end(records);
        }
    }

    /** Ends the session; the records that it has not committed come again. */
    private void end(Collection<SinkRecord> records) {
        giveBack(records);
        session().rewind();
        close();
    }

    private boolean waits(String text, Exception cause) {
        if (!waitsForDataset) {
            throw new ConnectException(text, cause);
        }
        backoff.begin("no dataset", text, partitions);
        return false;
    }

    private void giveBack(Collection<SinkRecord> records) {
        SourceOffsets.firstOffsets(records).forEach(context::offset);
    }

    private IngestSession session() {
        return Objects.requireNonNull(session);
    }
}
