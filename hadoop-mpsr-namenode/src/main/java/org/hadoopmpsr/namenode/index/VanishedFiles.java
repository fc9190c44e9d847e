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

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.hadoopmpsr.namenode.store.Namespace;

/** Names the published files that are not in their places any more. */
final class VanishedFiles {
    /** So many are named. */
    private static final int NAMED = 3;

    private VanishedFiles() {}

    /**
     * A text for operators. Looks at the directories that hold fewer files than were published there, with the read lock
     * in short holds.
     *
     * @param count how many there are
     */
    static String text(Namespace namespace, String root, GroupIndex index, SeenDirectories seen, int count)
            throws IOException {
        List<String> names = new ArrayList<>();
        for (Map.Entry<Long, PartitionIndex> entry : index.byDirectory().entrySet()) {
            long id = entry.getKey();
            PartitionIndex partition = entry.getValue();
            if (names.size() < NAMED && seen.trackedFiles(id) < partition.size()) {
                names.addAll(partition.without(new HashSet<>(namespace.entries(id, INode::getId))));
            }
        }
        String more = count > NAMED ? " and " + (count - NAMED) + " more" : "";
        return count + " published file(s) below " + root + " have vanished: "
                + String.join(", ", names.subList(0, Math.min(NAMED, names.size()))) + more;
    }
}
