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
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of bad records: with {@code errors.tolerance=all} Connect's reporter gets them, else the task fails. */
final class BadRecords {
    private static final Logger LOG = LoggerFactory.getLogger(BadRecords.class);

    private final @Nullable ErrantRecordReporter reporter;
    private final IngestMetrics metrics;
    private final List<Future<Void>> underway = new ArrayList<>();
    private long reported;

    BadRecords(SinkTaskContext context, IngestMetrics metrics) {
        reporter = context.errantRecordReporter();
        this.metrics = metrics;
    }

    /**
     * Waits until all reported records are kept; only then may their offsets be committed.
     *
     * @throws ConnectException when one could not be kept
     */
    void awaitKept() {
        for (Future<Void> future : underway) {
            try {
                future.get();
            } catch (ExecutionException e) {
                throw new ConnectException("a bad record could not be kept in the dead letter queue", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ConnectException("interrupted while bad records were sent to the dead letter queue", e);
            }
        }
        underway.clear();
    }

    /** @throws DataException with the record's place and the reason, when bad records are not tolerated */
    void report(SinkRecord record, BadRecordException reason) {
        DataException error = new DataException(
                "bad record at " + record.originalTopic() + "-" + record.originalKafkaPartition() + " offset "
                        + record.originalKafkaOffset() + ": " + reason.getMessage()
                        + ". Set errors.tolerance=all to leave such records out, with"
                        + " errors.deadletterqueue.topic.name to keep them.",
                reason);
        if (reporter == null) {
            throw error;
        }
        underway.add(reporter.report(record, error));
        metrics.badRecord();
        reported++;
        if (Long.bitCount(reported) == 1) {
            LOG.warn("{} bad records left out so far; the last one: {}", reported, reason.getMessage());
        }
    }
}
