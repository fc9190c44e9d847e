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
package org.hadoopmpsr.namenode.exchange;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** The files of ordinary writers that a change takes for a segment, in the states in which its job has read them. */
public final class AdoptedFiles {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    /** By inode id. */
    private final Map<Long, Long> states = new HashMap<>();

    /**
     * Of a change.
     *
     * @param ids the inode ids of the files
     * @param read their states when they were read, in their order, see {@link StoredStatistics#stateOf}
     */
    public AdoptedFiles(MpsrNamesystem system, Namespace namespace, List<Long> ids, List<Long> read) {
        this.system = system;
        this.namespace = namespace;
        for (int i = 0; i < ids.size(); i++) {
            states.put(ids.get(i), read.get(i));
        }
    }

    /** What has become of the first file that is not as the job has read it; empty if all are. Needs the read lock. */
    public Optional<String> changed(List<String> paths) throws IOException {
        system.holds().look(paths.size());
        for (String path : paths) {
            Optional<String> problem = problem(path, namespace.find(path));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private Optional<String> problem(String path, @Nullable INode inode) {
        if (inode == null || !inode.isFile()) {
            return Optional.of(path + " is not there any more");
        }
        INodeFile file = inode.asFile();
        Long read = states.get(file.getId());
        if (read == null) {
            return Optional.of(path + " is another file than the job has read");
        }
        if (StoredStatistics.isUnchanged(file)) {
            return Optional.of(path + " belongs to a segment already");
        }
        if (file.isStriped()) {
            return Optional.of(path + " is erasure-coded, and files of datasets have copies; write it anew");
        }
        return file.isUnderConstruction() || StoredStatistics.stateOf(file) != read
                ? Optional.of(path + " was changed since the job has read it")
                : Optional.empty();
    }
}
