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
package org.hadoopmpsr.core.compact;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A current segment of a dataset, as far as compaction looks at it.
 *
 * @param first the sequence of the first change whose records it holds
 * @param last the sequence of the last change whose records it holds; the ranges of two segments do not overlap
 * @param timeMs when its change was published, in milliseconds since the epoch
 * @param groups what each replica group holds of it, by the group's name
 * @param rights the rights of its files; only segments of equal rights are merged
 * @param keptBecause the reason why no merge may replace it now, or null if one may
 */
public record HeldSegment(
        String id,
        long first,
        long last,
        long timeMs,
        long records,
        Map<String, GroupShare> groups,
        String rights,
        @Nullable String keptBecause) {
    public HeldSegment {
        groups = Map.copyOf(groups);
    }

    /** The bytes in the group that has the most. */
    public long bytes() {
        return groups.values().stream().mapToLong(GroupShare::bytes).max().orElse(0);
    }

    /** The files in all groups. */
    public long files() {
        return groups.values().stream().mapToLong(GroupShare::files).sum();
    }
}
