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
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;

/**
 * How far each assigned topic-partition is committed and buffered. After a seek, records that were fetched before may
 * still come, and which ones depends on what else Connect does: so the first record that is not the one expected leads
 * to a second seek, and only what comes after that is believed. Not safe for use by several threads.
 */
final class SourceOffsets {
    private static final long NONE = -1;

    private final OffsetGaps gaps;
    private final Seeker seeker;
    private final Map<TopicPartition, Position> positions = new LinkedHashMap<>();
    private int nextOrigin;
    private long batch;

    /** Makes Kafka send a partition's records from an offset on, at the latest after the current batch. */
    @FunctionalInterface
    interface Seeker {
        void seek(TopicPartition partition, long offset);
    }

    SourceOffsets(OffsetGaps gaps, Seeker seeker) {
        this.gaps = gaps;
        this.seeker = seeker;
    }

    /** Where one partition stands; {@code start} to {@code next} is what the next commit covers. */
    static final class Position {
        private final TopicPartition partition;
        private final int origin;
        private long committed = NONE;
        private long start = NONE;
        private long next = NONE;
        private boolean sought;
        private long soughtAgainIn = NONE;

        private Position(TopicPartition partition, int origin) {
            this.partition = partition;
            this.origin = origin;
        }

        /** The number that marks the partition's rows in the buffer. */
        int origin() {
            return origin;
        }

        boolean isAhead() {
            return next > start;
        }

        boolean isOf(String topic, int number) {
            return partition.partition() == number && partition.topic().equals(topic);
        }
    }

    /** Begins with a partition of which nothing is committed, as far as is known. */
    Position assign(TopicPartition partition) {
        Position position = new Position(partition, nextOrigin++);
        positions.put(partition, position);
        return position;
    }

    /** Forgets a partition. */
    void remove(TopicPartition partition) {
        positions.remove(partition);
    }

    Set<TopicPartition> partitions() {
        return positions.keySet();
    }

    /** @throws IllegalStateException when the partition is not assigned */
    Position position(TopicPartition partition) {
        Position position = positions.get(partition);
        if (position == null) {
            throw new IllegalStateException("a record came of " + partition + ", which is not assigned to this task");
        }
        return position;
    }

    /** The origins of all partitions. */
    Set<Integer> origins() {
        return positions.values().stream().map(p -> p.origin).collect(Collectors.toSet());
    }

    /** Goes back, or forward, to a committed end; what was buffered beyond must be dropped. */
    void seek(TopicPartition partition, long end) {
        Position position = position(partition);
        position.committed = end;
        seekTo(position, end);
    }

    /** Forgets what was buffered and not committed, of all partitions. */
    void rewind() {
        for (Position position : positions.values()) {
            if (position.committed != NONE) {
                seekTo(position, position.committed);
            } else if (position.start != NONE) {
                seekTo(position, position.start);
            }
        }
    }

    private void seekTo(Position position, long offset) {
        position.start = offset;
        position.next = offset;
        position.sought = true;
        position.soughtAgainIn = NONE;
        seeker.seek(position.partition, offset);
    }

    /** All records of a batch were accepted or not; what comes now was fetched after it. */
    void endBatch() {
        batch++;
    }

    /**
     * Takes note of a record.
     *
     * @return false when it is not to be buffered: it is buffered or committed already, or comes again
     * @throws ConnectException when records before it are missing, or the topic is another one than before
     */
    boolean accept(Position position, long offset) {
        if (position.next == NONE) {
            position.start = offset;
        } else if (offset != position.next) {
            if (position.sought && isStale(position) || offset < position.next && !position.sought) {
                return false;
            }
            if (offset < position.next) {
                throw new ConnectException(position.partition + ": Kafka sends offset " + offset + ", but the dataset"
                        + " is committed up to " + position.next + ", beyond what Kafka has. The topic was probably"
                        + " deleted and made anew, or cut off: send its records to a topic of another name.");
            }
            gaps.check(position.partition, position.next, offset);
        }
        position.next = offset + 1;
        position.sought = false;
        return true;
    }

    private boolean isStale(Position position) {
        if (position.soughtAgainIn == NONE) {
            position.soughtAgainIn = batch;
            seeker.seek(position.partition, position.next);
        }
        return position.soughtAgainIn == batch;
    }

    /** Whether there is anything that the next commit covers. */
    boolean isAhead() {
        return positions.values().stream().anyMatch(Position::isAhead);
    }

    /** What a commit of everything buffered covers. */
    List<CommitSource> sources() {
        List<CommitSource> sources = new ArrayList<>();
        for (Position position : positions.values()) {
            if (position.isAhead()) {
                sources.add(new CommitSource(
                        position.partition.topic(), position.partition.partition(), position.start, position.next));
            }
        }
        return sources;
    }

    /** Everything buffered is committed. */
    void committed(List<CommitSource> sources) {
        for (CommitSource source : sources) {
            Position position = positions.get(new TopicPartition(source.topic(), source.partition()));
            if (position != null) {
                position.committed = source.end();
                position.start = source.end();
            }
        }
    }

    /** Takes over what others have committed. */
    void committedByOthers(List<CommittedOffset> offsets) {
        for (CommittedOffset offset : offsets) {
            Position position = positions.get(new TopicPartition(offset.topic(), offset.partition()));
            if (position != null) {
                position.committed = offset.end();
            }
        }
    }

    /** The committed ends that are known. */
    Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new LinkedHashMap<>();
        positions.forEach((partition, position) -> {
            if (position.committed != NONE) {
                committed.put(partition, position.committed);
            }
        });
        return committed;
    }
}
