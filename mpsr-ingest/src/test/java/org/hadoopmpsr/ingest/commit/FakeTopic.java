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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.hadoopmpsr.ingest.source.SourceTopics;

/** A topic in memory, with what Kafka keeps for the sink's consumer group. */
final class FakeTopic implements SourceTopics {
    /** Tells the records of different partitions apart. */
    static final long PARTITION_STEP = 1_000_000;

    final List<TopicPartition> partitions = new ArrayList<>();
    private final Map<TopicPartition, NavigableMap<Long, Object>> records = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<TopicPartition, Long> groupOffsets = new HashMap<>();
    private final Map<TopicPartition, Long> earliest = new HashMap<>();
    boolean skipGaps;
    /** Whether somebody can be asked. */
    boolean answers = true;
    /** Kafka's reset policy for a consumer that is out of range. */
    boolean resetsToLatest;
    /** What a transformation drops. */
    Predicate<Object> dropped = value -> false;

    private final String name;
    private int incarnation = 1;

    FakeTopic(String name, int count) {
        this.name = name;
        for (int i = 0; i < count; i++) {
            TopicPartition partition = new TopicPartition(name, i);
            partitions.add(partition);
            records.put(partition, new TreeMap<>());
        }
    }

    /** Appends a record and returns its offset. */
    long append(int partition, Object value) {
        TopicPartition p = partitions.get(partition);
        long offset = ends.merge(p, 1L, Long::sum) - 1;
        records.get(p).put(offset, value);
        return offset;
    }

    /** Leaves out an offset, as the end of a transaction does. */
    void appendMarker(int partition) {
        ends.merge(partitions.get(partition), 1L, Long::sum);
    }

    /** What retention does. */
    void deleteBefore(int partition, long offset) {
        TopicPartition p = partitions.get(partition);
        records.get(p).headMap(offset).clear();
        earliest.put(p, offset);
    }

    /** What deleting the topic and making it anew does; the group's offsets go, too. */
    void recreate() {
        records.values().forEach(Map::clear);
        ends.clear();
        groupOffsets.clear();
        earliest.clear();
        incarnation++;
    }

    @Override
    public OptionalLong earliest(TopicPartition partition) {
        return answers ? OptionalLong.of(earliest.getOrDefault(partition, 0L)) : OptionalLong.empty();
    }

    @Override
    public Map<String, String> ids(Collection<String> topics) {
        return answers && topics.contains(name) ? Map.of(name, name + "#" + incarnation) : Map.of();
    }

    @Override
    public long endOfGap(TopicPartition partition, long from) {
        if (!answers || from < earliest.getOrDefault(partition, 0L)) {
            return from;
        }
        Long next = records.get(partition).ceilingKey(from);
        return next == null ? Math.max(from, end(partition)) : next;
    }

    @Override
    public void close() {}

    long groupOffset(TopicPartition partition) {
        return Math.max(groupOffsets.getOrDefault(partition, 0L), earliest.getOrDefault(partition, 0L));
    }

    void commit(Map<TopicPartition, Long> offsets) {
        groupOffsets.putAll(offsets);
    }

    /** Where Kafka's client reads from when it is to read from an offset: another place when that is out of range. */
    long position(TopicPartition partition, long from) {
        long first = earliest.getOrDefault(partition, 0L);
        boolean outOfRange = from > end(partition) || from < first;
        return outOfRange ? resetsToLatest ? end(partition) : first : from;
    }

    List<SinkRecord> fetch(TopicPartition partition, long from, int most) {
        return records.get(partition).tailMap(from).entrySet().stream()
                .limit(most)
                .map(e -> new SinkRecord(
                        partition.topic(),
                        partition.partition(),
                        null,
                        null,
                        null,
                        e.getValue(),
                        e.getKey(),
                        0L,
                        TimestampType.CREATE_TIME))
                .toList();
    }

    long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }
}
