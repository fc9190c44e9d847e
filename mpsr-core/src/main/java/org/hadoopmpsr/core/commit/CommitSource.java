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
 * Where the records of a commit come from: the offsets of one topic-partition from {@code start}, inclusive, to
 * {@code end}, exclusive. Offsets in between may be missing.
 */
public record CommitSource(String topic, int partition, long start, long end) {

    public CommitSource {
        if (topic.isEmpty() || partition < 0 || start < 0 || end <= start) {
            throw new IllegalArgumentException(
                    "a commit's source needs a topic, a partition from 0 and start < end, not " + topic + "-"
                            + partition + "-" + start + "-" + end);
        }
    }

    /** {@code topic-partition-start-end}. */
    public String text() {
        return topic + "-" + partition + "-" + start + "-" + end;
    }
}
