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

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/**
 * Judges offsets that Connect does not hand over. Compaction, transactions, converters and transformations leave out
 * offsets that hold nothing for the dataset; retention deletes records that the dataset then lacks. Only the
 * partition's earliest offset tells one from the other.
 */
public final class OffsetGaps {
    private static final Logger LOG = PrintableLog.of(OffsetGaps.class);

    private final boolean skip;
    private final SourceTopics topics;
    private final Map<TopicPartition, OptionalLong> asked = new HashMap<>();

    /** @param skip to go on, whatever is lost */
    public OffsetGaps(boolean skip, SourceTopics topics) {
        this.skip = skip;
        this.topics = topics;
    }

    /** New records came: what was asked before them says nothing about them. */
    void newRecords() {
        asked.clear();
    }

    /** Whether Kafka has, or may have, records of a partition before an offset. */
    boolean mayLackBefore(TopicPartition partition, long offset) {
        return offset > 0 && earliest(partition).orElse(0) < offset;
    }

    /** How far a partition goes on from an offset without a record; the offset itself when Kafka does not say. */
    long endOf(TopicPartition partition, long from) {
        try {
            return topics.endOfGap(partition, from);
        } catch (IOException e) {
            LOG.info("cannot ask Kafka what follows offset {} of {}: {}", from, partition, e.getMessage());
            return from;
        }
    }

    private OptionalLong earliest(TopicPartition partition) {
        return asked.computeIfAbsent(partition, topics::earliest);
    }

    /**
     * Judges the gap from {@code expected}, inclusive, to {@code found}, exclusive.
     *
     * @return an offset in between that Kafka still has, to be fetched first; empty to go on with {@code found}
     * @throws ConnectException when records are, or may be, lost, and that is not allowed
     */
    OptionalLong check(TopicPartition partition, long expected, long found) {
        OptionalLong first = earliest(partition);
        if (first.isPresent() && first.getAsLong() <= expected) {
            return OptionalLong.empty();
        }
        if (skip) {
            boolean isBefore = first.isPresent() && first.getAsLong() < found;
            LOG.warn(
                    "{}: goes on at offset {}; offsets from {} on are not in Kafka",
                    partition,
                    isBefore ? first.getAsLong() : found,
                    expected);
            return isBefore ? first : OptionalLong.empty();
        }
        if (first.isEmpty()) {
            throw new ConnectException(partition + ": the next record should have offset " + expected + " but has "
                    + found + ". Either Kafka has deleted what lies between, or there is nothing to store (ends of"
                    + " transactions, compaction, records that a transformation or a converter drops). Set"
                    + " consumer.override.bootstrap.servers of the connector to the brokers that the worker has in"
                    + " bootstrap.servers, and the sink asks Kafka; or set mpsr.offset.gap=skip to go on in either"
                    + " case.");
        }
        throw new ConnectException(partition + ": Kafka has deleted offsets " + expected + " to "
                + (first.getAsLong() - 1) + " before they were committed to the dataset (retention). Bring the"
                + " records back, or set mpsr.offset.gap=skip to go on without them.");
    }
}
