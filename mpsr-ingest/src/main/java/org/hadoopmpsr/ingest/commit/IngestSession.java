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
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.ingest.buffer.BufferMemory;
import org.hadoopmpsr.ingest.source.OffsetGaps;
import org.hadoopmpsr.ingest.source.SourceOffsets;
import org.hadoopmpsr.ingest.source.SourcePosition;
import org.hadoopmpsr.ingest.source.SourceTopics;
import org.hadoopmpsr.ingest.source.TopicIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of one sink task on one dataset: every record of its topic-partitions comes to the dataset exactly once. The
 * dataset's committed offsets are the only truth; Kafka's are a copy for monitoring. What fails for a while is tried again
 * with the records still buffered, and meanwhile nothing is fetched; a commit that is fenced makes the task drop them and go
 * on where the dataset is. Used by one thread, Connect's.
 */
final class IngestSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IngestSession.class);

    private final CommitTarget target;
    private final SourceTopics topics;
    private final SinkTaskContext context;
    private final FlushLimits limits;
    private final LongSupplier clockMs;
    private final Backoff backoff;
    private final RecordIntake intake;
    private final BufferMemory.Share memory;
    private final TopicIdentity identity;
    private final SourceOffsets offsets;
    private final Committer committer;
    private final IngestMetrics metrics;
    private final Beginnings beginnings;

    private long firstAcceptedMs;

    /** There is no dataset any more, or another one, where the session writes. */
    static final class DatasetGoneException extends ConnectException {
        private static final long serialVersionUID = 1;

        DatasetGoneException(String message) {
            super(message);
        }
    }

    /**
     * Makes a session.
     *
     * @param dataset what it works on; closed with the session
     * @param backoff where it waits while the dataset cannot be written
     * @param clockMs a clock in milliseconds that only goes forward
     */
    IngestSession(
            OpenDataset dataset,
            FlushLimits limits,
            Backoff backoff,
            IngestMetrics metrics,
            SinkTaskContext context,
            LongSupplier clockMs) {
        this.target = dataset.target();
        this.topics = dataset.topics();
        this.limits = limits;
        this.backoff = backoff;
        this.metrics = metrics;
        this.context = context;
        this.clockMs = clockMs;
        intake = new RecordIntake(target.dataset(), dataset.decoders(), dataset.lostDeadLetters(), context, metrics);
        memory = dataset.memory().join();
        identity = new TopicIdentity(topics);
        offsets = new SourceOffsets(new OffsetGaps(dataset.skipsGaps(), topics), context::offset);
        beginnings = new Beginnings(target, identity, offsets);
        metrics.staged(dataset.stager()::stagedBytes);
        committer = new Committer(target, dataset.stager(), metrics);
    }

    /**
     * Takes on topic-partitions, each from its committed end.
     *
     * @throws ConnectException when a topic's messages cannot fill the dataset
     */
    void open(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> intake.requireReadable(partition.topic()));
        partitions.forEach(offsets::assign);
        beginnings.add(partitions);
        if (backoff.isWaiting()) {
            backoff.pause(partitions);
        } else {
            seekToCommitted();
        }
    }

    /** Buffers records, and commits what is buffered when it is time. Called without records, too. */
    void put(Collection<SinkRecord> records) {
        offsets.nextCall();
        if (!resume()) {
            offsets.giveBack(records);
            return;
        }
        if (append(List.copyOf(records))) {
            commitWhenDue();
        }
        memory.set(intake.sizeBytes());
    }

    private void commitWhenDue() {
        memory.set(intake.sizeBytes());
        boolean mustGive = memory.mustGive(limits.workerBytes());
        if ((mustGive || isDue()) && commit() && mustGive) {
            intake.release();
        }
    }

    /** Takes note of how far Connect has handed records over or dropped them, by topic-partition. */
    void consumed(Map<TopicPartition, Long> ends) {
        if (!backoff.isWaiting()) {
            boolean wasAhead = offsets.isAhead();
            ends.forEach(offsets::consumed);
            offsets.lookPastRecords();
            firstAcceptedMs = wasAhead ? firstAcceptedMs : clockMs.getAsLong();
        }
    }

    /** In how many milliseconds, 1 at least, it must be called again, with records or without. */
    long untilDueMs() {
        if (backoff.isWaiting()) {
            return Math.max(1, backoff.untilDueMs());
        }
        return offsets.isAhead()
                ? Math.max(1, firstAcceptedMs + limits.intervalMs() - clockMs.getAsLong())
                : Long.MAX_VALUE;
    }

    /** The committed end of each topic-partition, as far as it is known. */
    Map<TopicPartition, Long> committed() {
        return offsets.committed();
    }

    /** Gives topic-partitions back; what is buffered of them is dropped, and comes again to whoever takes them on. */
    void close(Collection<TopicPartition> partitions) {
        partitions.forEach(offsets::remove);
        beginnings.remove(partitions);
        if (offsets.partitions().isEmpty()) {
            committer.dropPending();
            intake.clear();
        } else if (committer.isPending() && !commit()) {
            startOver(); // the rows of one partition cannot be dropped from a commit that may be published
        }
        intake.retain(offsets.origins());
        memory.set(intake.sizeBytes());
    }

    /** Drops what is not committed; it comes again to whoever takes the partitions on. */
    void rewind() {
        committer.dropPending();
        intake.clear();
        offsets.rewind();
    }

    private void startOver() {
        rewind();
        beginnings.add(offsets.partitions());
    }

    @Override
    public void close() {
        memory.close();
        committer.close();
        topics.close();
        try {
            target.close();
        } catch (IOException e) {
            LOG.warn("cannot close the connection to HDFS", e);
        }
    }

    /** Tries again what failed, when it is time; true when records may be buffered. */
    private boolean resume() {
        if (!backoff.isWaiting()) {
            return true;
        }
        if (backoff.untilDueMs() > 0
                || !beginnings.areKnown() && !seekToCommitted()
                || (offsets.isAhead() || committer.isPending()) && !commit()) {
            return false;
        }
        backoff.end();
        return true;
    }

    private boolean seekToCommitted() {
        try {
            Refusal refusal = beginnings.seek();
            return refusal == null || refused(refusal);
        } catch (IOException e) {
            return failed("cannot ask for the committed offsets: " + MpsrClient.answer(e), e);
        }
    }

    /** False when a commit on the way fails: the records after it are given back. */
    private boolean append(List<SinkRecord> records) {
        if (!offsets.isAhead()) {
            firstAcceptedMs = clockMs.getAsLong();
        }
        SourcePosition position = null;
        for (int i = 0; i < records.size(); i++) {
            SinkRecord record = records.get(i);
            if (position == null || !position.isOf(record.originalTopic(), record.originalKafkaPartition())) {
                position =
                        offsets.position(new TopicPartition(record.originalTopic(), record.originalKafkaPartition()));
            }
            if (offsets.accept(position, record.originalKafkaOffset())) {
                intake.add(record, position);
                if (intake.isFull(limits) && !commit()) {
                    offsets.giveBack(records.subList(i + 1, records.size()));
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isDue() {
        return intake.holds(limits.bytes())
                || offsets.isAhead() && clockMs.getAsLong() - firstAcceptedMs >= limits.intervalMs();
    }

    /** Commits what is buffered. False when that is to be tried again later. */
    private boolean commit() {
        intake.awaitKept();
        List<CommitSource> sources = offsets.sources();
        PublishResult result;
        try {
            if (!committer.isPending()) {
                identity.requireUnchanged(sources);
            }
            result = committer.commit(intake.buffer(), sources);
        } catch (IOException e) {
            return failed(String.valueOf(e.getMessage()), e);
        }
        if (result.refusal() != null) {
            return refused(result.refusal());
        }
        intake.clear();
        firstAcceptedMs = clockMs.getAsLong();
        if (result.isCommitted()) {
            offsets.committed(sources);
            context.requestCommit();
        } else {
            offsets.committedByOthers(result.offsets());
            offsets.rewind();
        }
        return true;
    }

    private boolean failed(String text, IOException e) {
        metrics.retry();
        Throwable root = e.getCause() == null ? e : e.getCause();
        backoff.begin(root.getClass().getName(), text, offsets.partitions());
        return false;
    }

    /** @throws ConnectException when waiting is of no use */
    private boolean refused(Refusal refusal) {
        String text = "the dataset " + target.dataset().path() + " takes no commit: " + refusal.reason();
        switch (refusal.kind()) {
            case NO_SUCH_DATASET, OTHER_DATASET -> throw new DatasetGoneException(text);
            case NOT_STAGED, NO_PERMISSION, NO_SPACE, NOT_READY, OTHER_VERSION -> {
                metrics.retry();
                backoff.begin(refusal.kind().name(), text, offsets.partitions());
                return false;
            }
            default -> throw new ConnectException(text);
        }
    }
}
