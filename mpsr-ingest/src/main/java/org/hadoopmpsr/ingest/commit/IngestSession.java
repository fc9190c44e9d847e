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

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.BufferMemory;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one sink task: every record of its topic-partitions comes to the dataset exactly once. The dataset's
 * committed offsets are the only truth; Kafka's are a copy for monitoring. A commit that fails is tried again with the
 * records still buffered; a commit that is fenced makes the task drop them and go on where the dataset is. Used by one
 * thread, Connect's.
 */
public final class IngestSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IngestSession.class);

    private final CommitTarget target;
    private final SinkTaskContext context;
    private final FlushLimits limits;
    private final LongSupplier clockMs;
    private final Function<String, RecordDecoder> decoders;
    private final RecordBuffer buffer;
    private final BufferMemory.Share memory;
    private final RecordAppender appender;
    private final BadRecords badRecords;
    private final OffsetGaps gaps;
    private final SourceOffsets offsets;
    private final Committer committer;
    private final IngestMetrics metrics;
    /** Partitions whose committed end is not known yet. */
    private final Set<TopicPartition> unknown = new HashSet<>();

    private long firstAcceptedMs;

    /**
     * When accepted records are committed: at the latest when one of the limits is reached.
     *
     * @param workerBytes how many bytes all sessions that share their memory may buffer
     * @param retryBackoffMs how long to wait before a failed commit is tried again
     */
    public record FlushLimits(long records, long bytes, long workerBytes, long intervalMs, long retryBackoffMs) {}

    /**
     * Makes a session.
     *
     * @param decoders reads the records of a topic
     * @param clockMs a clock in milliseconds that only goes forward
     */
    public IngestSession(
            CommitTarget target,
            CommitStager stager,
            Function<String, RecordDecoder> decoders,
            RecordBuffer buffer,
            BufferMemory memory,
            RecordAppender appender,
            OffsetGaps gaps,
            FlushLimits limits,
            SinkTaskContext context,
            LongSupplier clockMs) {
        this.target = target;
        this.context = context;
        this.limits = limits;
        this.clockMs = clockMs;
        this.decoders = decoders;
        this.buffer = buffer;
        this.memory = memory.join();
        this.appender = appender;
        this.gaps = gaps;
        metrics = new IngestMetrics(context, target.path());
        metrics.counter("buffered-records", "Records buffered and not committed", buffer::rows);
        metrics.counter("buffered-bytes", "Bytes of memory that they take", buffer::sizeBytes);
        metrics.counter("staged-bytes-total", "Bytes of files written, in all groups", stager::stagedBytes);
        badRecords = new BadRecords(context, metrics);
        offsets = new SourceOffsets(gaps, context::offset);
        committer = new Committer(target, stager, metrics);
    }

    /** Takes on topic-partitions, each from its committed end. */
    public void open(Collection<TopicPartition> partitions) {
        partitions.forEach(offsets::assign);
        unknown.addAll(partitions);
        try {
            seekToCommitted();
        } catch (IOException e) {
            LOG.warn("cannot ask for the committed offsets of {}; trying again with the next records", partitions, e);
        }
    }

    /**
     * Buffers records, and commits what is buffered when it is time. Called without records, too.
     *
     * @throws RetriableException when it must be called again with the same records
     */
    public void put(Collection<SinkRecord> records) {
        seekLate();
        if (committer.isPending()) {
            commit(); // before anything else is buffered
        }
        gaps.newRecords();
        append(records);
        memory.set(buffer.sizeBytes());
        boolean mustGive = memory.mustGive(limits.workerBytes());
        if (mustGive || isDue()) {
            commit();
            if (mustGive) {
                buffer.release();
            }
            memory.set(0);
        }
        offsets.endBatch();
    }

    /** In how many milliseconds, 1 at least, it must be called again, with records or without. */
    public long untilDueMs() {
        return offsets.isAhead()
                ? Math.max(1, firstAcceptedMs + limits.intervalMs() - clockMs.getAsLong())
                : Long.MAX_VALUE;
    }

    /** The committed end of each topic-partition, as far as it is known. */
    public Map<TopicPartition, Long> committed() {
        return offsets.committed();
    }

    /** Gives topic-partitions back; what is buffered of them is dropped, and comes again to whoever takes them on. */
    public void close(Collection<TopicPartition> partitions) {
        partitions.forEach(offsets::remove);
        unknown.removeAll(partitions);
        if (offsets.partitions().isEmpty()) {
            committer.dropPending();
            buffer.clear();
        } else if (committer.isPending()) {
            resolvePending();
        }
        buffer.retain(offsets.origins()::contains);
        memory.set(buffer.sizeBytes());
    }

    @Override
    public void close() {
        memory.close();
        committer.close();
    }

    /** The rows of one partition cannot be dropped from a commit that may be published. */
    private void resolvePending() {
        try {
            commit();
        } catch (RetriableException e) {
            throw new ConnectException(
                    "partitions were taken away while the outcome of a commit is unknown; restart the task: "
                            + e.getMessage(),
                    e);
        }
    }

    private void seekLate() {
        if (!unknown.isEmpty()) {
            try {
                seekToCommitted();
            } catch (IOException e) {
                context.timeout(limits.retryBackoffMs());
                throw new RetriableException("cannot ask for the committed offsets: " + e.getMessage(), e);
            }
        }
    }

    private void seekToCommitted() throws IOException {
        for (CommittedOffset offset : target.dataset().offsets()) {
            TopicPartition partition = new TopicPartition(offset.topic(), offset.partition());
            if (unknown.contains(partition)) {
                offsets.seek(partition, offset.end());
                LOG.info("{} is committed up to {} by {}", partition, offset.end(), offset.commitId());
            }
        }
        unknown.clear();
    }

    private void append(Collection<SinkRecord> records) {
        if (!offsets.isAhead()) {
            firstAcceptedMs = clockMs.getAsLong();
        }
        SourceOffsets.Position position = null;
        RecordDecoder decoder = null;
        for (SinkRecord record : records) {
            if (decoder == null
                    || position == null
                    || !position.isOf(record.originalTopic(), record.originalKafkaPartition())) {
                position =
                        offsets.position(new TopicPartition(record.originalTopic(), record.originalKafkaPartition()));
                decoder = decoders.apply(record.originalTopic());
            }
            if (!offsets.accept(position, record.originalKafkaOffset())) {
                continue;
            }
            appender.begin();
            try {
                decoder.decode(record.value(), appender);
                appender.end(position.origin());
            } catch (BadRecordException e) {
                badRecords.report(record, e);
            }
        }
    }

    private boolean isDue() {
        return buffer.rows() >= limits.records()
                || buffer.rows() > 0 && buffer.sizeBytes() >= limits.bytes()
                || offsets.isAhead() && clockMs.getAsLong() - firstAcceptedMs >= limits.intervalMs();
    }

    private void commit() {
        badRecords.awaitKept();
        List<CommitSource> sources = offsets.sources();
        PublishResult result;
        try {
            result = committer.commit(buffer, sources);
        } catch (RetriableException e) {
            metrics.retry();
            context.timeout(limits.retryBackoffMs());
            throw e;
        }
        buffer.clear();
        if (result.verdict() == Fence.Verdict.FENCED) {
            offsets.committedByOthers(result.offsets());
            offsets.rewind();
        } else {
            offsets.committed(sources);
            context.requestCommit();
        }
    }
}
