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

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** How far one topic-partition is committed and buffered; {@code start} to {@code next} is what the next commit covers. */
public final class SourcePosition {
    static final long NONE = -1;

    public final TopicPartition partition;
    /** The number that marks the partition's rows in the buffer. */
    public final int origin;

    /** Kafka's id of the topic when the partition was taken on; null when unknown. */
    public @Nullable String topicId;

    long committed = NONE;
    long start = NONE;
    long next = NONE;
    /** Where Connect's consumer stood when Connect first said it; set only while no record has come. */
    long consumed = NONE;
    /** What {@link #next} was at the last look, and where Kafka was asked for what follows. */
    long quietAt = NONE;

    long askedAt = NONE;
    /** Records of before the last seek may still come. */
    boolean sought;
    /** In which call the last seek was made, and in which one the second for records that were not expected. */
    long soughtIn = NONE;

    long soughtAgainIn = NONE;

    SourcePosition(TopicPartition partition, int origin) {
        this.partition = partition;
        this.origin = origin;
    }

    boolean isAhead() {
        return next > start;
    }

    public boolean isOf(String topic, int number) {
        return partition.partition() == number && partition.topic().equals(topic);
    }

    /** Goes to an offset, and forgets what was buffered. */
    void moveTo(long offset) {
        start = offset;
        next = offset;
    }

    /** The next record that was fetched is the one expected, or is believed. */
    void advanceTo(long offset) {
        next = offset;
        sought = false;
        soughtAgainIn = NONE;
    }
}
