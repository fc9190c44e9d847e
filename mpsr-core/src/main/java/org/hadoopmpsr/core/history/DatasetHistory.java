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

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.history.AsOf.Sequence;
import org.hadoopmpsr.core.history.AsOf.Time;

/**
 * The changes of a dataset of which something is known, and which states they left can be read. Immutable.
 *
 * @param last the number of the last change
 * @param times when the changes were published, in milliseconds since the epoch, by number; a change of which nothing is
 *     left is missing
 * @param kept what is kept of earlier states
 */
public record DatasetHistory(long last, NavigableMap<Long, Long> times, HistoryRecord kept) {

    public DatasetHistory {
        times = new TreeMap<>(times);
    }

    /**
     * The number of the change that left a state.
     *
     * @param nowMs the time, in milliseconds since the epoch
     * @throws UnknownStateException if there is no such state, or what it had is deleted
     */
    public long resolve(AsOf wanted, long nowMs) throws UnknownStateException {
        if (wanted instanceof Sequence sequence) {
            return readable(wanted, sequence.number());
        }
        if (wanted instanceof Time time) {
            return at(time, nowMs);
        }
        String name = ((AsOf.Tag) wanted).name();
        Optional<Tag> tag = kept.tag(name);
        if (tag.isEmpty()) {
            String tags = kept.tags().stream().map(Tag::name).collect(Collectors.joining(", "));
            throw new UnknownStateException("there is no tag '" + name + "'; "
                    + (tags.isEmpty() ? "the dataset has no tags" : "the tags are " + tags));
        }
        return readable(wanted, tag.get().sequence());
    }

    /** True if all that the state after a change had is still there. */
    public boolean isReadable(long sequence) {
        return sequence <= last
                && (sequence >= kept.horizon() || kept.tags().stream().anyMatch(tag -> tag.sequence() == sequence));
    }

    private long readable(AsOf wanted, long sequence) throws UnknownStateException {
        if (sequence > last) {
            throw new UnknownStateException("there is no change " + sequence + " yet; the last one is " + last);
        }
        if (!isReadable(sequence)) {
            throw gone(wanted);
        }
        return sequence;
    }

    private long at(Time wanted, long nowMs) throws UnknownStateException {
        if (wanted.ms() > nowMs) {
            throw new UnknownStateException("the time " + wanted + " has not come yet");
        }
        OptionalLong before = times.entrySet().stream()
                .filter(change -> change.getValue() <= wanted.ms())
                .mapToLong(Map.Entry::getKey)
                .max();
        if (before.isEmpty() || !isReadable(before.getAsLong()) || !isFollowedByKnown(before.getAsLong())) {
            throw gone(wanted);
        }
        return before.getAsLong();
    }

    /** False if changes after a tagged one may be forgotten, and with them what state there was at a later time. */
    private boolean isFollowedByKnown(long sequence) {
        return sequence >= kept.horizon() || times.containsKey(sequence + 1);
    }

    private UnknownStateException gone(AsOf wanted) {
        Map.Entry<Long, Long> first = times.ceilingEntry(kept.horizon());
        String since = first == null ? "" : ", at " + new Time(first.getValue());
        return new UnknownStateException(
                "the state of " + wanted + " is not known any more: the history that is kept begins with change "
                        + kept.horizon() + since + ", and files of older states were purged, or had their time"
                        + "; see 'hdfs mpsr dataset history'");
    }
}
