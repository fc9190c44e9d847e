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

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.log.PrintableThrowable;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** What becomes of bad records: with {@code errors.tolerance=all} Connect's reporter gets them, else the task fails. */
final class BadRecords {
    private static final Logger LOG = PrintableLog.of(BadRecords.class);
    /** The memory that a record on its way to the dead letter queue takes, without the value. */
    private static final long OVERHEAD_BYTES = 512;

    private final @Nullable ErrantRecordReporter reporter;
    private final LongSupplier lost;
    private final IngestMetrics metrics;
    private final Queue<Reported> underway = new ArrayDeque<>();
    private final long lostBefore;
    private long underwayBytes;
    private long sinceCommit;
    private long reported;

    private record Reported(Future<Void> kept, long bytes) {}

    /** @param lost how many records Connect could not send to the dead letter queue so far */
    BadRecords(SinkTaskContext context, LongSupplier lost, IngestMetrics metrics) {
        reporter = context.errantRecordReporter();
        this.lost = lost;
        this.metrics = metrics;
        lostBefore = lost.getAsLong();
    }

    /** How many bad records were reported since {@link #awaitKept}. */
    long sinceCommit() {
        return sinceCommit;
    }

    /** Roughly the memory that records on their way take, in bytes. */
    long sizeBytes() {
        return underwayBytes;
    }

    /**
     * Waits until all reported records are kept; only then may their offsets be committed.
     *
     * @throws ConnectException when one could not be kept
     */
    void awaitKept() {
        while (!underway.isEmpty()) {
            take();
        }
        requireNoneLost();
        sinceCommit = 0;
    }

    /** Connect reports a record that it could not begin to send as one that is kept. */
    private void requireNoneLost() {
        long now = lost.getAsLong();
        if (now > lostBefore) {
            throw new ConnectException(
                    "Connect could not send " + (now - lostBefore) + " bad records to the dead letter queue; the"
                            + " worker's log says why. Where they are larger"
                            + " than a request may be, raise"
                            + " producer.override.max.request.size of the"
                            + " connector and max.message.bytes of the queue's"
                            + " topic. Nothing after the last commit is"
                            + " committed; the records come again when the task"
                            + " is restarted.");
        }
    }

    private void take() {
        Reported first = underway.remove();
        underwayBytes -= first.bytes();
        try {
            first.kept().get();
        } catch (ExecutionException e) {
            throw new ConnectException("a bad record could not be kept in the dead letter queue", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while bad records were sent to the dead letter queue", e);
        }
    }

    /** What is said of a bad record: where it is and why it is bad, and what to do about it where it ends the task. */
    static String message(SinkRecord record, BadRecordException reason, boolean tolerated) {
        return "bad record at " + record.originalTopic() + "-" + record.originalKafkaPartition() + " offset "
                + record.originalKafkaOffset() + ": " + reason.getMessage()
                + (tolerated
                        ? ""
                        : ". Set errors.tolerance=all to leave such records out, with"
                                + " errors.deadletterqueue.topic.name to keep them.");
    }

    /** @throws DataException with the record's place and the reason, when bad records are not tolerated */
    void report(SinkRecord record, BadRecordException reason) {
        DataException error =
                new DataException(message(record, reason, reporter != null), PrintableThrowable.of(reason));
        if (reporter == null) {
            throw error;
        }
        long bytes = OVERHEAD_BYTES + (record.value() instanceof byte[] value ? value.length : 0);
        underway.add(new Reported(reporter.report(record, error), bytes));
        underwayBytes += bytes;
        while (!underway.isEmpty() && underway.element().kept().isDone()) {
            take();
        }
        metrics.badRecord();
        sinceCommit++;
        reported++;
        if (Long.bitCount(reported) == 1) {
            LOG.warn("{} bad records left out so far; the last one: {}", reported, reason.getMessage());
        }
    }
}
