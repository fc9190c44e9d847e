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
package org.hadoopmpsr.namenode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.stats.DataFile;

/**
 * The published files of one representation. Immutable.
 *
 * @param files in a fixed order
 * @param byId the same by inode id
 * @param commits the content of each commit in this representation
 */
record GroupIndex(List<DataFile> files, Map<Long, DataFile> byId, Map<String, ContentHash> commits) {
    static final GroupIndex EMPTY = new GroupIndex(List.of(), Map.of(), Map.of());

    /** This with more files, at the end. */
    GroupIndex plus(List<DataFile> more) {
        List<DataFile> all = new ArrayList<>(files);
        Map<Long, DataFile> ids = new HashMap<>(byId);
        Map<String, ContentHash> sums = new HashMap<>(commits);
        for (DataFile file : more) {
            all.add(file);
            ids.put(file.fileId(), file);
            sums.merge(file.statistics().commitId(), file.statistics().content(), ContentHash::plus);
        }
        return new GroupIndex(
                Collections.unmodifiableList(all), Collections.unmodifiableMap(ids), Collections.unmodifiableMap(sums));
    }

    /** True when these very files are all that it holds, in any order. */
    boolean holdsExactly(List<DataFile> others) {
        return others.size() == files.size() && others.stream().allMatch(f -> byId.get(f.fileId()) == f);
    }

    long bytes() {
        return files.stream().mapToLong(DataFile::length).sum();
    }

    /** The records of one commit; 0 when it is not here. */
    long records(String commitId) {
        return commits.getOrDefault(commitId, ContentHash.EMPTY).count();
    }

    ContentHash content() {
        return commits.values().stream().reduce(ContentHash.EMPTY, ContentHash::plus);
    }
}
