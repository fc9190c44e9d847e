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
package org.hadoopmpsr.client;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * The current segments of a dataset. Immutable.
 *
 * @param datasetId the dataset's id, to name in a change
 * @param sequence the number of the last change when the last page was made; 0 if the dataset does not count its changes
 * @param segments in the order of their ids
 */
public record Segments(String datasetId, long sequence, List<Info> segments) {
    public Segments {
        segments = List.copyOf(segments);
    }

    /**
     * A segment.
     *
     * @param since the number of the change that brought it; 0 if the dataset did not count its changes then
     * @param first the first number of the changes that brought its records to the dataset
     * @param last the last one
     * @param timeMs when it was brought, in milliseconds since the epoch
     * @param content its records, each counted once
     * @param recorded what each group holds of it by the segment's record; null if it has none
     * @param groups what each group holds of it now
     * @param newestFile the id of the newest file in any group: another one once a file was written anew, by a rebuild for
     *     example, which leaves the segment as it is
     * @param notReplaceable why it cannot be replaced now; null if it can
     * @param rights the rights of all of its files in the default group, in an unspecified form; null if they differ. Only
     *     segments with equal rights can be merged
     */
    public record Info(
            String id,
            long since,
            long first,
            long last,
            long timeMs,
            ContentHash content,
            @Nullable ContentHash recorded,
            Map<String, Segment.Group> groups,
            long newestFile,
            @Nullable String notReplaceable,
            @Nullable String rights) {
        public Info {
            groups = Map.copyOf(groups);
        }

        /** True if it can be replaced, as far as is known. */
        public boolean isReplaceable() {
            return notReplaceable == null;
        }
    }
}
