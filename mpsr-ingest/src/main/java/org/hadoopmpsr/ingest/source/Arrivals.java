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
package org.hadoopmpsr.ingest.source;

import java.util.OptionalLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.ingest.source.SourceOffsets.Seeker;
import org.slf4j.Logger;

/**
 * Judges what Connect hands over of a topic-partition. After a seek, records that were fetched before may still come, and
 * which ones depends on what else Connect does. The first record that is not the expected one therefore leads to a second
 * seek, and only what comes after the second seek is believed. For one thread.
 */
final class Arrivals {
    private static final Logger LOG = PrintableLog.of(Arrivals.class);
    private static final long NONE = SourcePosition.NONE;

    private final OffsetGaps gaps;
    private final Seeker seeker;
    private long call;

    Arrivals(OffsetGaps gaps, Seeker seeker) {
        this.gaps = gaps;
        this.seeker = seeker;
    }

    /** Begins with what was fetched after everything before. */
    void nextCall() {
        call++;
        gaps.newRecords();
    }

    /** Makes Kafka send the records from an offset on. */
    void seek(SourcePosition position, long offset) {
        position.sought = position.next != NONE;
        position.soughtAgainIn = NONE;
        position.soughtIn = call;
        seeker.seek(position.partition, offset);
    }

    /**
     * Takes note of a record.
     *
     * @return false when the record is not to be buffered: it is buffered or committed already, or comes again
     * @throws ConnectException when records before it are missing, or the topic is another one than before
     */
    boolean accept(SourcePosition position, long offset) {
        if (position.next == NONE) {
            warnOfBeginning(position, offset);
            position.moveTo(offset);
        } else if (offset != position.next) {
            position.sought |= offset < position.next;
            if (position.sought && isStale(position)) {
                return false;
            }
            if (offset < position.next) {
                throw new ConnectException(position.partition + ": Kafka sends offset " + offset + ", but the dataset"
                        + " is committed up to " + position.next + ", beyond what Kafka has. The topic was probably"
                        + " deleted and made anew, or cut off: send its records to a topic of another name.");
            }
            OptionalLong present = gaps.check(position.partition, position.next, offset);
            if (present.isPresent()) {
                position.next = present.getAsLong();
                seek(position, position.next);
                return false;
            }
        }
        position.advanceTo(offset + 1);
        return true;
    }

    private boolean isStale(SourcePosition position) {
        if (position.soughtAgainIn == NONE) {
            position.soughtAgainIn = call;
            position.soughtIn = call;
            seeker.seek(position.partition, position.next);
        }
        return position.soughtAgainIn == call;
    }

    /** Takes a record back that was accepted last, and is not buffered: it is expected again. */
    static void takeBack(SourcePosition position, long offset) {
        position.next = offset;
    }

    /** Takes note of how far Connect has come. No effect before a seek has taken effect. */
    void consumed(SourcePosition position, long end) {
        if (position.soughtIn == call) {
            return;
        }
        if (position.next == NONE && position.consumed == NONE) {
            warnOfBeginning(position, end);
            position.consumed = end;
        } else if (position.next == NONE && end > position.consumed) {
            position.moveTo(position.consumed);
            position.advanceTo(end);
        } else if (position.next != NONE && end > position.next) {
            position.advanceTo(end);
        }
    }

    /** Goes past what is no record, where the partition was quiet since the last look. */
    void lookPastRecords(SourcePosition position) {
        long next = position.next;
        if (next != NONE && position.soughtIn != call && position.quietAt == next && position.askedAt != next) {
            position.askedAt = next;
            long end = gaps.endOf(position.partition, next);
            if (end > next) {
                position.advanceTo(end);
            }
        }
        position.quietAt = position.next;
    }

    private void warnOfBeginning(SourcePosition position, long offset) {
        if (position.consumed == NONE && gaps.mayLackBefore(position.partition, offset)) {
            LOG.warn(
                    "{}: nothing of it is committed to the dataset, and Connect's consumer group begins at offset {}:"
                            + " the records before it are left out, unless a transformation or a converter drops them"
                            + " anyway. To have them too, stop the connector, delete its offsets (DELETE"
                            + " /connectors/NAME/offsets) and resume it, before this task commits.",
                    position.partition,
                    offset);
        }
    }
}
