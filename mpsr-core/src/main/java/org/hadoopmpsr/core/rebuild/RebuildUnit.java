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
package org.hadoopmpsr.core.rebuild;

import java.util.List;
import org.hadoopmpsr.core.commit.Segment;

/**
 * What one change rebuilds: segments of one group. Immutable.
 *
 * @param parts one for each segment, at least one
 */
public record RebuildUnit(List<Part> parts) {
    public RebuildUnit {
        parts = List.copyOf(parts);
    }

    /**
     * A segment.
     *
     * @param source the group that it is rebuilt from
     */
    public record Part(Damage damage, String source) {
        /** The bytes that the source has of the segment. */
        public long sourceBytes() {
            return damage.sources().getOrDefault(source, Segment.Group.EMPTY).bytes();
        }
    }

    /** The group that is rebuilt. */
    public String group() {
        return parts.get(0).damage().group();
    }

    /** The ids of the segments. */
    public List<String> segments() {
        return parts.stream().map(part -> part.damage().segment()).toList();
    }

    /** The inode ids of the files that are replaced. */
    public List<Long> replaces() {
        return parts.stream()
                .flatMap(part -> part.damage().files().stream())
                .map(file -> file.file().fileId())
                .toList();
    }

    /** True if some of the files that are replaced hold something else than they should. */
    public boolean hasFalseFiles() {
        return parts.stream().anyMatch(part -> part.damage().hasFalseFiles());
    }

    /** What it is, for operators. */
    public RebuildScope scope() {
        return new RebuildScope(group(), parts.size(), replaces().size(), bytes(), hasFalseFiles());
    }

    /** The length of the files that are replaced, in bytes. */
    public long bytes() {
        return parts.stream()
                .flatMap(part -> part.damage().files().stream())
                .mapToLong(file -> file.file().length())
                .sum();
    }
}
