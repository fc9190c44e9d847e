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
package org.hadoopmpsr.namenode.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.segment.ReplacedFiles;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/**
 * Finds the files of removed segments, which are kept for a while, in the directories where they were: who asks for such a path gets the
 * file. Thread-safe.
 */
public final class PastFiles {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final ReplacedFiles replacedFiles;

    public PastFiles(MpsrNamesystem system, Namespace namespace, StoreLayout layout, ReplacedFiles replacedFiles) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.replacedFiles = replacedFiles;
    }

    /** The files of removed segments, by group, in the directories where they were. Takes the read lock in short holds. */
    public Map<String, List<GroupFile>> of(DatasetRecord dataset, Map<String, Segment> removed) throws IOException {
        Map<String, List<GroupFile>> files = new HashMap<>();
        Set<String> changes = new HashSet<>();
        removed.values().forEach(segment -> changes.add(String.valueOf(segment.replacedBy())));
        for (String change : changes) {
            String directory = layout.replacedDir(dataset.id(), change);
            INode there = system.read(() -> namespace.find(directory));
            if (there == null) {
                continue; // the group lacks the segment then
            }
            namespace.walk(directory, (path, file) -> {
                Header header = StoredStatistics.header(file);
                Segment segment = header == null ? null : removed.get(header.commitId());
                if (segment != null && change.equals(segment.replacedBy())) {
                    add(dataset, files, path.substring(directory.length() + 1), file);
                }
                return true;
            });
        }
        return files;
    }

    /**
     * Adds a replaced file, if its path still tells it. An ordinary writer may have given the name of an adopted file to another one
     * since: the group then lacks the file.
     *
     * @param relative the group, the directory in it, and the name
     */
    private void add(DatasetRecord dataset, Map<String, List<GroupFile>> files, String relative, INodeFile file)
            throws IOException {
        String group = relative.substring(0, relative.indexOf('/'));
        String directory =
                dataset.root(layout, group) + PathNames.parent(relative).substring(group.length());
        String path = directory + "/" + file.getLocalName();
        if (isOwnName(file) && namespace.find(path) == null || replacedFiles.gives(dataset, path, relative, file)) {
            files.computeIfAbsent(group, g -> new ArrayList<>()).add(GroupFile.of(directory, file));
        }
    }

    /** True if no other file than one of the file's segment has such a name. */
    static boolean isOwnName(INodeFile file) {
        Header header = StoredStatistics.header(file);
        return header != null && file.getLocalName().startsWith(header.commitId() + "-");
    }
}
