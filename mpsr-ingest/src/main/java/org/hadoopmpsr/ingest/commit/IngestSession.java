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
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.ingest.source.OffsetGaps;
import org.hadoopmpsr.ingest.source.SourceOffsets;
import org.hadoopmpsr.ingest.source.SourcePosition;
import org.hadoopmpsr.ingest.source.SourceTopics;
import org.hadoopmpsr.ingest.source.TopicIdentity;
import org.slf4j.Logger;

/**
 * The work of one sink task on one dataset: every record of its topic-partitions comes to the dataset exactly once. The
 * dataset's committed offsets are the only truth; Kafka's are a copy for monitoring. What fails for a while is tried again
 * with the records still buffered, and meanwhile nothing is fetched; a commit that is fenced makes the task drop them and go
 * on where the dataset is. Used by one thread, Connect's.
 */
final class IngestSession implements AutoCloseable {
    private static final Logger LOG = PrintableLog.of(IngestSession.class);

    private final CommitTarget target;
    private final SourceTopics topics;
    private final FlushLimits limits;
    private final Backoff backoff;
    private final RecordIntake intake;
    private final BufferMemory.Share memory;
    private final SourceOffsets offsets;
    private final Beginnings beginnings;
    private final Setbacks setbacks;
    private final SessionCommits commits;

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
        intake = new RecordIntake(target.dataset(), dataset.decoders(), dataset.lostDeadLetters(), context, metrics);
        memory = dataset.memory().join();
        TopicIdentity identity = new TopicIdentity(topics);
        offsets = new SourceOffsets(new OffsetGaps(dataset.skipsGaps(), topics), context::offset);
        beginnings = new Beginnings(target, identity, offsets);
        metrics.staged(dataset.stager()::stagedBytes);
        metrics.codecs(dataset.stager().codecs());
        setbacks = new Setbacks(target.dataset().path(), backoff, metrics, offsets.partitions());
        Committer committer = new Committer(target, dataset.stager(), metrics);
        commits = new SessionCommits(committer, intake, offsets, identity, setbacks, context, limits, clockMs);
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
        if ((mustGive || commits.isDue()) && commits.commit() && mustGive) {
            intake.release();
        }
    }

    /** Takes note of how far Connect has handed records over or dropped them, by topic-partition. */
    void consumed(Map<TopicPartition, Long> ends) {
        if (!backoff.isWaiting()) {
            boolean wasAhead = offsets.isAhead();
            ends.forEach(offsets::consumed);
            offsets.lookPastRecords();
            if (!wasAhead) {
                commits.beginInterval();
            }
        }
    }

    /** In how many milliseconds, 1 at least, it must be called again, with records or without. */
    long untilDueMs() {
        return backoff.isWaiting() ? Math.max(1, backoff.untilDueMs()) : commits.untilDueMs();
    }

    /** How far each topic-partition is done, as {@link SourceOffsets#done}. */
    Map<TopicPartition, Long> done() {
        return offsets.done();
    }

    /** Gives topic-partitions back; what is buffered of them is dropped, and comes again to whoever takes them on. */
    void close(Collection<TopicPartition> partitions) {
        partitions.forEach(offsets::remove);
        beginnings.remove(partitions);
        if (offsets.partitions().isEmpty()) {
            commits.drop();
        } else if (commits.isPending() && !commits.commit()) {
            startOver(); // the rows of one partition cannot be dropped from a commit that may be published
        }
        intake.retain(offsets.origins());
        memory.set(intake.sizeBytes());
    }

    /** Drops what is not committed; it comes again to whoever takes the partitions on. */
    void rewind() {
        commits.drop();
        offsets.rewind();
    }

    private void startOver() {
        rewind();
        beginnings.add(offsets.partitions());
    }

    @Override
    public void close() {
        memory.close();
        commits.close();
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
                || (offsets.isAhead() || commits.isPending()) && !commits.commit()) {
            return false;
        }
        backoff.end();
        return true;
    }

    private boolean seekToCommitted() {
        try {
            Refusal refusal = beginnings.seek();
            if (refusal == null) {
                return true;
            }
            setbacks.refused(refusal);
        } catch (IOException e) {
            setbacks.failed("cannot ask for the committed offsets: " + MpsrClient.answer(e), e);
        }
        return false;
    }

    /** False when a commit on the way fails: the records after it are given back. */
    private boolean append(List<SinkRecord> records) {
        if (!offsets.isAhead()) {
            commits.beginInterval();
        }
        SourcePosition position = null;
        for (int i = 0; i < records.size(); i++) {
            SinkRecord record = records.get(i);
            if (position == null || !position.isOf(record.originalTopic(), record.originalKafkaPartition())) {
                position =
                        offsets.position(new TopicPartition(record.originalTopic(), record.originalKafkaPartition()));
            }
            if (!take(record, position)) {
                offsets.giveBack(records.subList(i, records.size()));
                return false;
            }
            if (intake.isFull(limits) && !commits.commit()) {
                offsets.giveBack(records.subList(i + 1, records.size()));
                return false;
            }
        }
        return true;
    }

    /** False when there is no memory for a record, and what is buffered cannot be committed. */
    private boolean take(SinkRecord record, SourcePosition position) {
        long offset = record.originalKafkaOffset();
        while (offsets.accept(position, offset) && !intake.add(record, position)) {
            offsets.takeBack(position, offset);
            if (!commits.commit()) {
                return false;
            }
            intake.release();
        }
        return true;
    }
}
