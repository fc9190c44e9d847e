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
 * The state of MPSR in the NameNode's {@code /jmx}: {@code Hadoop:service=NameNode,name=MpsrInfo}. The page {@code
 * mpsr.html} shows nothing else. To read it takes the namesystem's lock only for moments, and builds no index.
 */
public interface MpsrInfoMXBean {

    /**
     * A DataNode.
     *
     * @param group empty if the node has no group
     * @param host empty for a node that has not registered since the NameNode was started
     * @param state the state as the NameNode's other pages name it, such as {@code In Service}; {@code Dead} if the
     *     node is not alive
     * @param usedBytes the bytes that HDFS stores on the node, of MPSR's and other files
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
     * @param defaultGroup whether it is the one that stock readers read
     * @param segmentNodes over how many nodes the files of a segment are spread: a number, or {@code all}
     * @param capacityBytes the capacity of its live nodes; used and remaining bytes likewise
     * @param files the files of the datasets that were asked about since the NameNode started; records and bytes
     *     likewise
     * @param degradedFiles the files with a block that had no live replica at the last health check
     */
    record Group(
            String name,
            boolean defaultGroup,
            List<String> predicates,
            List<String> sort,
            int replication,
            String codec,
            String segmentNodes,
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
     *     published) or {@code unknown} (not checked yet)
     * @param degradedFiles as of the last health check; untracked files and problem likewise
     * @param untrackedFiles files without a commit
     * @param problem the reason why it cannot be read; empty if it can
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
     * @param sources {@code topic-partition-start-end} of each source. For commits before the NameNode's last start
     *     only the ends that are the last of their topic-partition
     * @param time when it was published; for commits before the NameNode's last start, when its last file was closed.
     *     In milliseconds since the epoch
     * @param files the number of files in all groups
     * @param records the number of records, which is equal in all groups
     */
    record Commit(String id, List<String> sources, long time, long files, long records) {}

    /** How far a topic-partition is committed: all offsets below the end. */
    record Offset(String topic, int partition, long end, String commitId) {}

    /**
     * How many records have a number of live copies: groups that hold all of their segment.
     *
     * @param bytes of one copy of these records
     */
    record LiveCopies(int copies, long records, long bytes) {}

    /**
     * What a group lacks of a dataset, and another group has, at the last health check. Times in milliseconds since the epoch.
     *
     * @param segments the segments of which it lacks something
     * @param files the damaged files that are there
     * @param bytes about how long the missing files are together
     * @param cause how many files are lost, corrupt, changed or deleted
     * @param since when the first of it was seen
     * @param due when that is to be rebuilt
     * @param runningSince since when a maintenance run rebuilds the dataset; 0 if none does
     * @param secondsLeft until nothing of the dataset is left to rebuild, at the pace so far; -1 while nothing was rebuilt
     *     yet
     */
    record ToRebuild(
            String group,
            long segments,
            long files,
            long bytes,
            String cause,
            long since,
            long due,
            long runningSince,
            long secondsLeft) {}

    /**
     * A dataset.
     *
     * @param toRebuild for each group that lacks something, as of the last health check
     * @param liveCopies for each number of copies from that of the groups to 0, as of the last health check; empty before
     * @param commits the last commits, the latest first
     */
    record Dataset(
            String path,
            String id,
            String defaultGroup,
            List<Representation> representations,
            List<LiveCopies> liveCopies,
            List<ToRebuild> toRebuild,
            List<Commit> commits,
            List<Offset> offsets) {}

    /**
     * The last run of a maintenance task in a dataset. Times in milliseconds since the epoch.
     *
     * @param dataset the dataset directory
     * @param outcome {@code running}, {@code done}, {@code failed} or {@code ended}
     * @param ended 0 while it runs
     * @param failures how many runs have failed one after the other
     * @param lastDone when a run was done last; 0 if none was
     * @param segments the segments that it has replaced
     * @param bytes the bytes that it has read
     * @param problem why it failed; empty if it did not
     * @param scrub of the task scrub how far it is and what it has found; else empty
     */
    record MaintenanceRunInfo(
            String dataset,
            String task,
            String outcome,
            long started,
            long ended,
            int failures,
            long lastDone,
            long segments,
            long bytes,
            String problem,
            String scrub) {}

    /**
     * What maintains the datasets. Times in milliseconds since the epoch; 0 if there was no such time.
     *
     * @param enabled false if the configuration has it switched off
     * @param holder the process that maintains the cluster until its lease expires; empty if the last one has left
     * @param since since when it does, or when the last one left
     * @param expires when its lease expires
     * @param checked when all tasks last had nothing left to do
     * @param runs the last runs, those that failed first, then the latest first; at most a hundred
     */
    record MaintenanceInfo(
            boolean enabled, String holder, long since, long expires, long checked, List<MaintenanceRunInfo> runs) {}

    /**
     * A change that rebuilds files, and that is begun.
     *
     * @param dataset the dataset directory
     * @param files the files that are replaced, without those that were deleted
     * @param bytes the length of these files
     * @param cause {@code scrub} if a scrub has found files to be false, else {@code damage}
     * @param since when it was begun, in milliseconds since the epoch
     */
    record Rebuilding(String dataset, String group, long segments, long files, long bytes, String cause, long since) {}

    /**
     * The further copies of files that are read much, as of the last look.
     *
     * @param budgetPercent 0 if there are to be none
     * @param budgetBytes the most bytes that they may take
     * @param bytes that they take
     * @param files the files that have some
     * @param copies their number
     * @param waiting copies that are due and wait for earlier ones
     * @param refused copies that would be due and fit into no budget or quota
     */
    record FurtherCopiesInfo(
            int budgetPercent, long budgetBytes, long bytes, long files, long copies, long waiting, long refused) {}

    /** {@code ready}, {@code not_ready} or {@code off}. */
    String getState();

    /** The reasons why MPSR is not ready; empty if it is ready. */
    List<String> getProblems();

    /** What an operator should look at although MPSR is ready. */
    List<String> getWarnings();

    /** The groups; empty if their configuration has problems. */
    List<Group> getGroups();

    /** The DataNodes without a group. */
    List<Node> getUnallocatedNodes();

    /** All datasets by path. */
    List<Dataset> getDatasets();

    /** Who maintains the cluster, and the last runs. */
    MaintenanceInfo getMaintenance();

    /** The rebuilds that are begun and not ended, as far as this NameNode was told; the oldest first. */
    List<Rebuilding> getRebuilding();

    /** The further copies of files that are read much. */
    FurtherCopiesInfo getFurtherCopies();

    /** The time of the last health check in milliseconds since the epoch; 0 if there was none yet. */
    long getLastHealthCheck();

    String getStoreDirectory();

    String getVersion();
}
