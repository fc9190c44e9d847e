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
import java.util.Map;

/**
 * Segments that one change replaces by one segment. They lie next to each other in the order of sequences.
 *
 * @param segments at least two, in the order of their sequences
 * @param written about what the merged segment has in each replica group: at best so many files, and about as many bytes
 *     as its segments together
 */
public record Merge(List<HeldSegment> segments, Map<String, GroupShare> written) {
    public Merge {
        segments = List.copyOf(segments);
        written = Map.copyOf(written);
    }

    static Merge of(List<HeldSegment> segments, MergeRules rules) {
        MergeSize size = new MergeSize(rules);
        segments.forEach(size::add);
        return new Merge(segments, size.written());
    }

    public long first() {
        return segments.get(0).first();
    }

    public long last() {
        return segments.get(segments.size() - 1).last();
    }

    public long records() {
        return segments.stream().mapToLong(HeldSegment::records).sum();
    }

    /** The files that it reads and replaces, in all groups. */
    public long filesRead() {
        return segments.stream().mapToLong(HeldSegment::files).sum();
    }

    /** The bytes that it reads, in all groups; about as many are written, times the copies of each group. */
    public long bytesRead() {
        return segments.stream()
                .flatMap(s -> s.groups().values().stream())
                .mapToLong(GroupShare::bytes)
                .sum();
    }

    /** The files that it writes at best, in all groups. */
    public long filesWritten() {
        return written.values().stream().mapToLong(GroupShare::files).sum();
    }

    /** The merged segment, as far as it is known before. */
    HeldSegment result() {
        HeldSegment end = segments.get(segments.size() - 1);
        return new HeldSegment(
                "merge-" + first() + "-" + last(),
                first(),
                last(),
                end.timeMs(),
                records(),
                written,
                end.rights(),
                null);
    }
}
