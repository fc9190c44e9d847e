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
package org.hadoopmpsr.namenode.segment;

import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * A current segment. Immutable.
 *
 * @param segment its record, with what the groups hold now
 * @param content the segment's records, each counted once
 * @param recorded what each group holds by the segment's record; null if it has none
 * @param newestFile the id of the newest file in any group
 * @param notReplaceable why it cannot be replaced now; null if it can
 * @param rights the rights of all of its files in the default group; null if they differ
 */
public record SegmentInfo(
        Segment segment,
        ContentHash content,
        @Nullable ContentHash recorded,
        long newestFile,
        @Nullable String notReplaceable,
        @Nullable String rights) {}
