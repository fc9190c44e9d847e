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
package org.hadoopmpsr.core.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is kept of the earlier states of a dataset. Immutable.
 *
 * @param horizon the number of the first change after which every state can be read: what older states have besides may be deleted
 * @param keptSeconds how long replaced files are kept; negative if the cluster's configuration says so
 * @param tags in the order in which they were given. What the tagged states have is kept, also if they are older than the horizon
 */
public record HistoryRecord(long horizon, long keptSeconds, List<Tag> tags) {
    /** For {@link #keptSeconds}. */
    public static final long AS_CONFIGURED = -1;

    public HistoryRecord {
        tags = List.copyOf(tags);
    }

    /** What is kept from now on: nothing is known of the states before a change. */
    public static HistoryRecord from(long horizon) {
        return new HistoryRecord(horizon, AS_CONFIGURED, List.of());
    }

    public Optional<Tag> tag(String name) {
        return tags.stream().filter(tag -> tag.name().equals(name)).findFirst();
    }

    /** This record, when what was replaced by a change is deleted. */
    public HistoryRecord without(long change) {
        return new HistoryRecord(Math.max(horizon, change), keptSeconds, tags);
    }

    /** This record, when the tagged states between two changes cannot be read any more. */
    public HistoryRecord withoutTags(long from, long until) {
        return new HistoryRecord(
                horizon,
                keptSeconds,
                tags.stream()
                        .filter(tag -> tag.sequence() < from || tag.sequence() >= until)
                        .toList());
    }

    /** This record with one more tag; one of the same name is replaced. */
    public HistoryRecord with(Tag tag) {
        List<Tag> all = new ArrayList<>(without(tag.name()).tags);
        all.add(tag);
        return new HistoryRecord(horizon, keptSeconds, all);
    }

    /** This record without a tag. */
    public HistoryRecord without(String name) {
        return new HistoryRecord(
                horizon,
                keptSeconds,
                tags.stream().filter(tag -> !tag.name().equals(name)).toList());
    }

    /** This record with another time for replaced files. */
    public HistoryRecord keeping(long seconds) {
        return new HistoryRecord(horizon, seconds, tags);
    }

    /**
     * Whether a tagged state needs segments.
     *
     * @param since the least number of a change that brought one of them
     * @param until the number of the change that removed them
     */
    public boolean needs(long since, long until) {
        return tags.stream().anyMatch(tag -> since <= tag.sequence() && tag.sequence() < until);
    }
}
