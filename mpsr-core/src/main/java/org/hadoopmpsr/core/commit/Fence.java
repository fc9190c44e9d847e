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

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether a commit may be published. Each source of the commit must start where the committed offsets of its
 * topic-partition end. This rule stops writers that were replaced and do not know it.
 */
public final class Fence {

    private Fence() {}

    /** The outcome of the decision. */
    public enum Verdict {
        /** The commit may be published. */
        OPEN,
        /** The commit was published before. To publish it again succeeds without effect. */
        ALREADY_COMMITTED,
        /** Another writer has committed some of the commit's offsets, or replaced a segment that it removes. */
        FENCED
    }

    /** @param reason why the commit is fenced; empty for other verdicts */
    public record Decision(Verdict verdict, String reason) {}

    /** Decides on a commit, given the committed offsets. */
    public static Decision decide(String commitId, List<CommitSource> sources, Collection<CommittedOffset> committed) {
        Map<TopicPartition, CommittedOffset> offsets = byTopicPartition(committed);
        int same = 0;
        for (CommitSource source : sources) {
            CommittedOffset offset = offsets.get(TopicPartition.of(source));
            if (offset == null) {
                continue;
            }
            if (offset.commitId().equals(commitId) && offset.end() == source.end()) {
                same++;
            } else if (offset.end() != source.start()) {
                return new Decision(
                        Verdict.FENCED,
                        "commit " + commitId + " starts " + source.topic() + "-" + source.partition() + " at offset "
                                + source.start() + ", but commit " + offset.commitId() + " has committed it up to "
                                + offset.end() + "; " + cause(source, offset)
                                + ": drop the staged files and go on from offset " + offset.end());
            }
        }
        return same == sources.size() ? new Decision(Verdict.ALREADY_COMMITTED, "") : new Decision(Verdict.OPEN, "");
    }

    /**
     * Compares the topic ids of the sources with those of the committed offsets. A source whose id differs comes from
     * another topic of the same name. An unknown id equals any id.
     *
     * @return the problem and the remedy; empty if all ids are equal
     */
    public static Optional<String> otherTopic(List<CommitSource> sources, Collection<CommittedOffset> committed) {
        Map<TopicPartition, CommittedOffset> offsets = byTopicPartition(committed);
        for (CommitSource source : sources) {
            CommittedOffset offset = offsets.get(TopicPartition.of(source));
            if (offset != null
                    && source.topicId() != null
                    && offset.topicId() != null
                    && !source.topicId().equals(offset.topicId())) {
                return Optional.of(otherTopic(source.topic(), source.topicId(), offset));
            }
        }
        return Optional.empty();
    }

    private record TopicPartition(String topic, int partition) {
        static TopicPartition of(CommitSource source) {
            return new TopicPartition(source.topic(), source.partition());
        }
    }

    private static Map<TopicPartition, CommittedOffset> byTopicPartition(Collection<CommittedOffset> committed) {
        Map<TopicPartition, CommittedOffset> offsets = new HashMap<>();
        committed.forEach(o -> offsets.putIfAbsent(new TopicPartition(o.topic(), o.partition()), o));
        return offsets;
    }

    /** The message about a topic whose id differs from that of the committed offsets. */
    public static String otherTopic(String topic, String topicId, CommittedOffset offset) {
        return "the topic " + topic + " (id " + topicId + ") is not the one that the dataset is committed from (id "
                + offset.topicId() + ", partition " + offset.partition() + " up to " + offset.end()
                + "): it was deleted and made anew. Send its records to a topic of another name";
    }

    private static String cause(CommitSource source, CommittedOffset committed) {
        return source.start() < committed.end()
                ? "another writer is at work"
                : "the records from offset " + committed.end() + " to " + source.start()
                        + " are not in the dataset, because the NameNode was rolled back to an earlier state or a"
                        + " writer passed over them";
    }
}
