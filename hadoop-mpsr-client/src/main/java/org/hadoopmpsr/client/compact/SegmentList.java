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
package org.hadoopmpsr.client.compact;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.compact.GroupShare;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.jspecify.annotations.Nullable;

/** The segments of a dataset, as compaction looks at them. */
public final class SegmentList {

    private SegmentList() {}

    /** The current segments, in any order. Needs the right to read all of the dataset. */
    public static List<HeldSegment> of(MpsrClient client, String path) throws IOException {
        return client.segments(path).segments().stream().map(SegmentList::held).toList();
    }

    private static HeldSegment held(Segments.Info segment) {
        Map<String, GroupShare> groups = new HashMap<>();
        segment.groups().forEach((name, group) -> groups.put(name, new GroupShare(group.files(), group.bytes())));
        return new HeldSegment(
                segment.id(),
                segment.first(),
                segment.last(),
                segment.timeMs(),
                segment.content().count(),
                groups,
                segment.rights() == null ? "" : segment.rights(),
                keptBecause(segment));
    }

    private static @Nullable String keptBecause(Segments.Info segment) {
        if (segment.notReplaceable() != null) {
            return segment.notReplaceable();
        }
        return segment.rights() == null
                ? "its files have different owners, permissions or ACLs; give them those of the dataset directory"
                : null;
    }
}
