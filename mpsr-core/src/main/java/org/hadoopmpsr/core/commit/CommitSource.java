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
package org.hadoopmpsr.core.commit;

import org.jspecify.annotations.Nullable;

/**
 * A range of offsets that the records of a commit come from. Immutable.
 *
 * @param start the first offset of the topic-partition
 * @param end the offset after the last one; offsets in between may be missing
 * @param topicId Kafka's id of the topic, which differs from the id of an earlier topic of this name; null if unknown
 */
public record CommitSource(
        String topic,
        int partition,
        long start,
        long end,
        @Nullable String topicId) {
    private static final int MAX_TOPIC_ID = 64;

    public CommitSource(String topic, int partition, long start, long end) {
        this(topic, partition, start, end, null);
    }

    public CommitSource {
        if (topic.isEmpty() || partition < 0 || start < 0 || end <= start) {
            throw new IllegalArgumentException(
                    "a commit's source needs a topic, a partition from 0 and start < end, not " + topic + "-"
                            + partition + "-" + start + "-" + end);
        }
        if (topicId != null && (topicId.isEmpty() || topicId.length() > MAX_TOPIC_ID)) {
            throw new IllegalArgumentException("the id of the topic " + topic + " must have 1 to " + MAX_TOPIC_ID
                    + " characters, not " + topicId.length());
        }
    }

    /** This source with another topic id. */
    public CommitSource withTopicId(@Nullable String id) {
        return new CommitSource(topic, partition, start, end, id);
    }

    /** The source in the form {@code topic-partition-start-end}. */
    public String text() {
        return topic + "-" + partition + "-" + start + "-" + end;
    }
}
