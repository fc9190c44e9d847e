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

import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.BufferFullException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.hadoopmpsr.ingest.source.SourcePosition;
import org.jspecify.annotations.Nullable;

/** Decodes records into the buffer of the next commit, and reports those that cannot be stored. For one thread. */
final class RecordIntake {
    /** The bytes are counted each time that many records are added. */
    private static final int COUNT_EVERY = 1024;

    private final Function<String, RecordDecoder> decoders;
    private final RecordBuffer buffer;
    private final RecordAppender appender;
    private final BadRecords badRecords;
    private @Nullable SourcePosition last;
    private @Nullable RecordDecoder decoder;

    /**
     * Makes an intake with an empty buffer.
     *
     * @param decoders reads the records of a topic
     * @param lost how many records Connect could not send to the dead letter queue so far
     */
    RecordIntake(
            Dataset dataset,
            Function<String, RecordDecoder> decoders,
            LongSupplier lost,
            SinkTaskContext context,
            IngestMetrics metrics) {
        this.decoders = decoders;
        buffer = new RecordBuffer(dataset.schema());
        appender = new RecordAppender(buffer, dataset.writtenGroups());
        badRecords = new BadRecords(context, lost, metrics);
        metrics.buffer(buffer::rows, buffer::sizeBytes);
    }

    RecordBuffer buffer() {
        return buffer;
    }

    /** The bytes of memory that records take that are not committed, bad records among them. */
    long sizeBytes() {
        return buffer.sizeBytes() + badRecords.sizeBytes();
    }

    /** Throws what {@code decoders} throws when the topic's messages cannot fill the dataset. */
    void requireReadable(String topic) {
        Objects.requireNonNull(decoders.apply(topic));
    }

    /**
     * Adds a record of a position. A record for which there is no memory although the buffer is empty is a bad record.
     *
     * @return false when there is no memory for the record beside what is buffered
     */
    boolean add(SinkRecord record, SourcePosition position) {
        for (boolean isAlone = false; ; isAlone = true) {
            try {
                append(record, position);
                return true;
            } catch (BadRecordException e) {
                badRecords.report(record, e);
                return true;
            } catch (BufferFullException e) {
                if (buffer.rows() > 0) {
                    return false;
                }
                if (isAlone) {
                    badRecords.report(record, new BadRecordException(String.valueOf(e.getMessage()), e));
                    return true;
                }
                buffer.release(); // earlier records may have left it large
            }
        }
    }

    private void append(SinkRecord record, SourcePosition position) throws BadRecordException {
        RecordDecoder reader = decoder(position);
        appender.begin();
        reader.decode(record.value(), appender);
        appender.end(position.origin);
    }

    private RecordDecoder decoder(SourcePosition position) {
        if (decoder == null || position != last) {
            last = position;
            decoder = decoders.apply(position.partition.topic());
        }
        return decoder;
    }

    /** True when what is not committed has reached a limit. The bytes are looked at now and then only. */
    boolean isFull(FlushLimits limits) {
        long records = buffer.rows() + badRecords.sinceCommit();
        return records >= limits.records() || records % COUNT_EVERY == 0 && holds(limits.bytes());
    }

    /** True when something is not committed, and takes that many bytes or more. */
    boolean holds(long bytes) {
        return buffer.rows() + badRecords.sinceCommit() > 0 && sizeBytes() >= bytes;
    }

    /** Waits until all bad records are kept, as {@link BadRecords#awaitKept}. */
    void awaitKept() {
        badRecords.awaitKept();
    }

    /** Drops all rows but those of some origins. */
    void retain(Set<Integer> origins) {
        buffer.retain(origins::contains);
    }

    void clear() {
        buffer.clear();
    }

    /** Gives the memory of an empty buffer back. */
    void release() {
        buffer.release();
    }
}
