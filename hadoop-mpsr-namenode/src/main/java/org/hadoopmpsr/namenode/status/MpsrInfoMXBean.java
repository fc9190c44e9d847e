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
package org.hadoopmpsr.namenode.status;

import java.util.List;

/**
 * The state of MPSR as the NameNode's {@code /jmx} shows it: {@code Hadoop:service=NameNode,name=MpsrInfo}. The page
 * {@code mpsr.html} shows nothing else. Reading it takes the namesystem's lock for moments only, and builds no index.
 */
public interface MpsrInfoMXBean {

    /**
     * A DataNode.
     *
     * @param group empty: not allocated
     * @param host empty for a node that has not registered since the NameNode was started
     * @param state as the NameNode's other pages name it, such as {@code In Service}; {@code Dead} when it is not
     *     alive
     * @param usedBytes what HDFS stores there, MPSR's and other files
     */
    record Node(
            String uuid,
            String group,
            String host,
            String rack,
            String state,
            long capacityBytes,
            long usedBytes,
            long remainingBytes) {}

    /**
     * A replica group.
     *
     * @param capacityBytes of its live nodes, like used and remaining
     * @param files of the datasets that were asked about since the NameNode started, like records and bytes
     * @param degradedFiles files with a block that has no live replica, when last looked at
     */
    record Group(
            String name,
            boolean isDefault,
            List<String> predicates,
            List<String> sort,
            int replication,
            String codec,
            List<Node> nodes,
            long capacityBytes,
            long usedBytes,
            long remainingBytes,
            long files,
            long records,
            long bytes,
            long degradedFiles) {}

    /**
     * The files of a dataset in one group.
     *
     * @param health {@code ok}, {@code degraded} (files without a live replica), {@code diverged} (not what was
     *     published) or {@code unknown} (not looked at yet)
     * @param degradedFiles when last looked at, like untracked files and problem
     * @param untrackedFiles files that came without a commit
     * @param problem why it cannot be read; empty when it can
     */
    record Representation(
            String group,
            String health,
            long files,
            long records,
            long bytes,
            long degradedFiles,
            long untrackedFiles,
            String problem) {}

    /**
     * A commit.
     *
     * @param sources {@code topic-partition-start-end} of each; of commits before the NameNode's last start only
     *     the ends of those that are the last of their topic-partition
     * @param time when it was published; when its last file was closed, for commits before the NameNode's last
     *     start. In milliseconds since the epoch
     * @param files in all groups
     * @param records which is the same in every group
     */
    record Commit(String id, List<String> sources, long time, long files, long records) {}

    /** How far a topic-partition is committed: all offsets below the end. */
    record Offset(String topic, int partition, long end, String commitId) {}

    /**
     * A dataset.
     *
     * @param commits the last ones, the latest first
     */
    record Dataset(
            String path,
            String id,
            String defaultGroup,
            List<Representation> representations,
            List<Commit> commits,
            List<Offset> offsets) {}

    /** {@code ready}, {@code not_ready} or {@code off}. */
    String getState();

    /** Why it is not ready; empty when it is. */
    List<String> getProblems();

    /** What to look at although it is ready. */
    List<String> getWarnings();

    /** Empty when the configuration of the groups has problems. */
    List<Group> getGroups();

    /** DataNodes that belong to no group. */
    List<Node> getUnallocatedNodes();

    /** All datasets by path. */
    List<Dataset> getDatasets();

    /** When all files were last looked at, in milliseconds since the epoch; 0: not yet. */
    long getLastHealthCheck();

    String getStoreDirectory();

    String getVersion();
}
