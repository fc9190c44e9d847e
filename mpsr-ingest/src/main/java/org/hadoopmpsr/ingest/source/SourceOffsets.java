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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;

/** How far each assigned topic-partition is committed and buffered. Not safe for use by several threads. */
public final class SourceOffsets {
    private static final long NONE = SourcePosition.NONE;

    private final Arrivals arrivals;
    private final Map<TopicPartition, SourcePosition> positions = new LinkedHashMap<>();
    private int nextOrigin;

    /** Makes Kafka send a partition's records from an offset on, at the latest after the current batch. */
    @FunctionalInterface
    public interface Seeker {
        void seek(TopicPartition partition, long offset);
    }

    public SourceOffsets(OffsetGaps gaps, Seeker seeker) {
        arrivals = new Arrivals(gaps, seeker);
    }

    /** Begins with a partition of which nothing is committed, as far as is known. */
    public SourcePosition assign(TopicPartition partition) {
        SourcePosition position = new SourcePosition(partition, nextOrigin++);
        positions.put(partition, position);
        return position;
    }

    /** Forgets a partition. */
    public void remove(TopicPartition partition) {
        positions.remove(partition);
    }

    public Set<TopicPartition> partitions() {
        return positions.keySet();
    }

    /** @throws IllegalStateException when the partition is not assigned */
    public SourcePosition position(TopicPartition partition) {
        SourcePosition position = positions.get(partition);
        if (position == null) {
            throw new IllegalStateException("a record came of " + partition + ", which is not assigned to this task");
        }
        return position;
    }

    /** The origins of all partitions. */
    public Set<Integer> origins() {
        return positions.values().stream().map(p -> p.origin).collect(Collectors.toSet());
    }

    /** Begins with what was fetched after everything before. */
    public void nextCall() {
        arrivals.nextCall();
    }

    /** Goes back, or forward, to a committed end; what was buffered beyond must be dropped. */
    public void seek(TopicPartition partition, long end) {
        SourcePosition position = position(partition);
        position.committed = end;
        position.moveTo(end);
        arrivals.seek(position, end);
    }

    /** Forgets what was buffered and not committed, of all partitions. */
    public void rewind() {
        for (SourcePosition position : positions.values()) {
            long offset = position.committed != NONE ? position.committed : position.start;
            if (offset != NONE) {
                position.moveTo(offset);
                arrivals.seek(position, offset);
            }
        }
    }

    /** Makes Kafka send records once more that were not taken note of. */
    public void giveBack(Collection<SinkRecord> records) {
        firstOffsets(records).forEach((partition, offset) -> {
            SourcePosition position = position(partition);
            arrivals.seek(position, position.next != NONE ? position.next : offset);
        });
    }

    /** The first offset of each topic-partition that records are of. */
    public static Map<TopicPartition, Long> firstOffsets(Collection<SinkRecord> records) {
        Map<TopicPartition, Long> first = new LinkedHashMap<>();
        for (SinkRecord record : records) {
            TopicPartition partition = new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
            first.merge(partition, record.originalKafkaOffset(), Math::min);
        }
        return first;
    }

    /**
     * Takes note of a record.
     *
     * @return false when the record is not to be buffered: it is buffered or committed already, or comes again
     * @throws ConnectException when records before it are missing, or the topic is another one than before
     */
    public boolean accept(SourcePosition position, long offset) {
        return arrivals.accept(position, offset);
    }

    /** Takes the record back that was accepted last, and is not buffered. */
    public void takeBack(SourcePosition position, long offset) {
        Arrivals.takeBack(position, offset);
    }

    /**
     * Takes note of how far Connect has come: of the offsets below there is nothing that was not handed over; converters and
     * transformations have dropped the rest. No effect before a seek has taken effect.
     */
    public void consumed(TopicPartition partition, long end) {
        SourcePosition position = positions.get(partition);
        if (position != null) {
            arrivals.consumed(position, end);
        }
    }

    /**
     * Goes past what is no record, such as the end of a transaction, in partitions that were quiet since the last look.
     * Later nobody can tell it from a record that retention has deleted.
     */
    public void lookPastRecords() {
        positions.values().forEach(arrivals::lookPastRecords);
    }

    /** Whether there is anything that the next commit covers. */
    public boolean isAhead() {
        return positions.values().stream().anyMatch(SourcePosition::isAhead);
    }

    /** What a commit of everything buffered covers. */
    public List<CommitSource> sources() {
        List<CommitSource> sources = new ArrayList<>();
        for (SourcePosition position : positions.values()) {
            if (position.isAhead()) {
                sources.add(new CommitSource(
                        position.partition.topic(),
                        position.partition.partition(),
                        position.start,
                        position.next,
                        position.topicId));
            }
        }
        return sources;
    }

    /** Everything buffered is committed. */
    public void committed(List<CommitSource> sources) {
        for (CommitSource source : sources) {
            SourcePosition position = positions.get(new TopicPartition(source.topic(), source.partition()));
            if (position != null) {
                position.committed = source.end();
                position.start = source.end();
            }
        }
    }

    /** Takes over what others have committed. */
    public void committedByOthers(List<CommittedOffset> offsets) {
        for (CommittedOffset offset : offsets) {
            SourcePosition position = positions.get(new TopicPartition(offset.topic(), offset.partition()));
            if (position != null) {
                position.committed = offset.end();
            }
        }
    }

    /**
     * How far each partition is done, as far as that is known: its committed end. Where nothing of a partition is
     * committed, it is done up to where Connect stood when it was first asked: what came before was dropped on the way.
     */
    public Map<TopicPartition, Long> done() {
        Map<TopicPartition, Long> done = new LinkedHashMap<>();
        positions.forEach((partition, position) -> {
            long end = position.committed != NONE ? position.committed : position.consumed;
            if (end != NONE) {
                done.put(partition, end);
            }
        });
        return done;
    }
}
