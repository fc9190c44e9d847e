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

import java.util.List;

/**
 * What compaction does with the segments of a dataset.
 *
 * @param merges in the order of sequences; no segment is in two of them, and they may be done in any order
 * @param kept the segments that no merge may replace now, in the order of sequences
 */
public record CompactionPlan(List<Merge> merges, List<HeldSegment> kept) {
    public CompactionPlan {
        merges = List.copyOf(merges);
        kept = List.copyOf(kept);
    }

    public boolean isEmpty() {
        return merges.isEmpty();
    }

    /** The number of segments that merges replace. */
    public long segments() {
        return merges.stream().mapToLong(m -> m.segments().size()).sum();
    }

    public long records() {
        return merges.stream().mapToLong(Merge::records).sum();
    }

    public long filesRead() {
        return merges.stream().mapToLong(Merge::filesRead).sum();
    }

    public long filesWritten() {
        return merges.stream().mapToLong(Merge::filesWritten).sum();
    }

    public long bytesRead() {
        return merges.stream().mapToLong(Merge::bytesRead).sum();
    }
}
