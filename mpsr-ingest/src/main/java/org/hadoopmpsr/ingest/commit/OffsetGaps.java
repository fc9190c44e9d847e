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

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges offsets that Kafka leaves out. Compaction and transactions leave out offsets that never were records for us;
 * retention deletes records that the dataset lacks then. Only the partition's earliest offset can tell.
 */
public final class OffsetGaps {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetGaps.class);

    private final boolean skip;
    private final EarliestOffsets earliest;
    private final Map<TopicPartition, OptionalLong> asked = new HashMap<>();

    /** Where a partition begins in Kafka now. */
    @FunctionalInterface
    public interface EarliestOffsets {
        /** The offset of the first record that Kafka still has, or may have; empty when nobody can be asked. */
        OptionalLong of(TopicPartition partition);
    }

    /** @param skip to go on, whatever is lost */
    public OffsetGaps(boolean skip, EarliestOffsets earliest) {
        this.skip = skip;
        this.earliest = earliest;
    }

    /** New records came: what was asked before them says nothing about them. */
    void newRecords() {
        asked.clear();
    }

    /**
     * Judges the gap from {@code expected}, inclusive, to {@code found}, exclusive.
     *
     * @throws ConnectException when records are, or may be, lost, and that is not allowed
     */
    void check(TopicPartition partition, long expected, long found) {
        OptionalLong first = asked.computeIfAbsent(partition, earliest::of);
        if (first.isPresent() && first.getAsLong() <= expected) {
            return;
        }
        if (skip) {
            LOG.warn("{}: goes on at offset {}; offsets from {} on are not in Kafka", partition, found, expected);
            return;
        }
        if (first.isEmpty()) {
            throw new ConnectException(partition + ": the next record should have offset " + expected + " but has "
                    + found + ". Kafka may have deleted what lies between, or there were never records (transactions,"
                    + " compaction). Set mpsr.kafka.bootstrap.servers so that the sink can tell, or"
                    + " mpsr.offset.gap=skip to go on without them.");
        }
        throw new ConnectException(partition + ": Kafka has deleted offsets " + expected + " to "
                + (first.getAsLong() - 1) + " before they were committed to the dataset (retention). Bring the"
                + " records back, or set mpsr.offset.gap=skip to go on without them.");
    }
}
