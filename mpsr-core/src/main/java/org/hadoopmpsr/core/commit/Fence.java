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
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a commit may be published: each of its sources must start where that topic-partition's committed
 * offsets end. That keeps out writers that were replaced without knowing it.
 */
public final class Fence {

    private Fence() {}

    /** What the fence says. */
    public enum Verdict {
        /** Publish it. */
        OPEN,
        /** This very commit was published before: success without effect. */
        ALREADY_COMMITTED,
        /** Another writer has committed some of it. */
        FENCED
    }

    /** The verdict, and for {@code FENCED} why. */
    public record Decision(Verdict verdict, String reason) {}

    /** Decides on a commit, given what is committed so far. */
    public static Decision decide(String commitId, List<CommitSource> sources, Collection<CommittedOffset> committed) {
        int same = 0;
        for (CommitSource source : sources) {
            Optional<CommittedOffset> last =
                    committed.stream().filter(c -> c.isOf(source)).findFirst();
            if (last.isEmpty()) {
                continue;
            }
            CommittedOffset offset = last.get();
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
     * Finds a source whose topic is another one, of the same name, than the one that the committed offsets are of. Where the
     * id of either is unknown nothing is found.
     *
     * @return what is wrong
     */
    public static Optional<String> otherTopic(List<CommitSource> sources, Collection<CommittedOffset> committed) {
        for (CommitSource source : sources) {
            for (CommittedOffset offset : committed) {
                if (offset.isOf(source)
                        && source.topicId() != null
                        && offset.topicId() != null
                        && !source.topicId().equals(offset.topicId())) {
                    return Optional.of(otherTopic(source.topic(), source.topicId(), offset));
                }
            }
        }
        return Optional.empty();
    }

    /** Says that a topic is another one than committed offsets are of. */
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
