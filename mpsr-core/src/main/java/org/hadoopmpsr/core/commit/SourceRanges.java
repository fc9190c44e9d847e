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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Ranges of offsets. */
final class SourceRanges {
    private static final Comparator<CommitSource> ORDER = Comparator.comparing(CommitSource::topic)
            .thenComparing(CommitSource::partition)
            .thenComparing(s -> Objects.toString(s.topicId(), ""))
            .thenComparing(CommitSource::start);

    private SourceRanges() {}

    /** The same offsets in as few ranges as possible, in order: ranges that meet or overlap are one. */
    static List<CommitSource> joined(Collection<CommitSource> sources) {
        List<CommitSource> joined = new ArrayList<>();
        CommitSource last = null;
        for (CommitSource next : sources.stream().sorted(ORDER).toList()) {
            if (last != null && meet(last, next)) {
                last = new CommitSource(
                        last.topic(), last.partition(), last.start(), Math.max(last.end(), next.end()), last.topicId());
                joined.set(joined.size() - 1, last);
            } else {
                last = next;
                joined.add(next);
            }
        }
        return joined;
    }

    private static boolean meet(CommitSource before, CommitSource next) {
        return before.topic().equals(next.topic())
                && before.partition() == next.partition()
                && Objects.equals(before.topicId(), next.topicId())
                && next.start() <= before.end();
    }
}
