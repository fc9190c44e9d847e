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
package org.hadoopmpsr.namenode.index;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;

/**
 * A publish in the sequence of publishes. The files that it added are known by their inode ids, and not by the commit's
 * id, which a writer chooses. Immutable.
 */
public final class Publish {
    private final long[] fileIds;
    private final Map<String, FileTotals> before;

    private Publish(long[] fileIds, Map<String, FileTotals> before) {
        this.fileIds = fileIds;
        this.before = Map.copyOf(before);
    }

    static Publish of(Map<String, List<GroupFile>> files, Map<String, FileTotals> before) {
        long[] ids = files.values().stream()
                .flatMap(List::stream)
                .mapToLong(file -> file.file().getId())
                .toArray();
        return new Publish(ids, before);
    }

    /** The number of files in all groups. */
    int files() {
        return fileIds.length;
    }

    public void addFileIds(Set<Long> ids) {
        Arrays.stream(fileIds).forEach(ids::add);
    }

    /** The totals of each group before the publish. */
    public Map<String, FileTotals> before() {
        return before;
    }
}
