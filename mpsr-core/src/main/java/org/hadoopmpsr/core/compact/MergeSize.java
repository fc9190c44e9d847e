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

import java.util.HashMap;
import java.util.Map;

/** How large a merge becomes as segments are added. For one thread. */
final class MergeSize {
    private final MergeRules rules;
    private final Map<String, GroupShare> read = new HashMap<>();
    private final Map<String, Long> partitions = new HashMap<>();
    private long oldFiles;
    private long largest;

    MergeSize(MergeRules rules) {
        this.rules = rules;
    }

    void add(HeldSegment segment) {
        segment.groups().forEach((group, share) -> {
            read.merge(group, share, GroupShare::plus);
            partitions.merge(group, partitions(share), Math::max);
        });
        oldFiles += segment.files();
        largest = Math.max(largest, segment.bytes());
    }

    /** The partitions in which a group has files, at least: files that did not end because they were large. */
    private long partitions(GroupShare share) {
        boolean small = share.bytes() < share.files() * (double) rules.fileBytes() / 2;
        return small ? share.files() : rules.filesOf(share.bytes());
    }

    /** About what the merged segment has in each group. */
    Map<String, GroupShare> written() {
        Map<String, GroupShare> written = new HashMap<>();
        read.forEach((group, share) -> written.put(group, new GroupShare(files(group, share), share.bytes())));
        return written;
    }

    private long files(String group, GroupShare share) {
        return Math.max(partitions.getOrDefault(group, 0L), rules.filesOf(share.bytes()));
    }

    private long newFiles() {
        long files = 0;
        for (Map.Entry<String, GroupShare> group : read.entrySet()) {
            files += files(group.getKey(), group.getValue());
        }
        return files;
    }

    /** The bytes in the group that has the most. */
    long bytes() {
        return read.values().stream().mapToLong(GroupShare::bytes).max().orElse(0);
    }

    long largest() {
        return largest;
    }

    /** Whether one change may do it, as far as that is known without looking at files. */
    boolean fits() {
        return bytes() <= rules.targetBytes() && oldFiles <= rules.maxOldFiles() && newFiles() <= rules.maxNewFiles();
    }
}
