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

/**
 * An operator's order to move the committed end of a topic-partition.
 *
 * @param from the committed end as the operator knows it; {@link #NONE} if there is none
 * @param to the new committed end, from 0 to {@link OffsetRules#MAX_OFFSET}
 */
public record OffsetReset(String topic, int partition, long from, long to) {
    /** Stands for a topic-partition without a committed end. */
    public static final long NONE = -1;

    public OffsetReset {
        if (topic.isEmpty() || partition < 0 || from < NONE || to < 0 || to > OffsetRules.MAX_OFFSET) {
            throw new IllegalArgumentException("cannot move the offset of partition " + partition + " of topic '"
                    + topic
                    + "' from " + from + " to " + to + "; name a topic, a partition from 0 and an offset from 0 to "
                    + OffsetRules.MAX_OFFSET);
        }
    }

    /** True if it is for the topic-partition of a committed offset. */
    public boolean isOf(CommittedOffset offset) {
        return partition == offset.partition() && topic.equals(offset.topic());
    }
}
