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
import java.util.Map;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.alloc.ScatterWidth;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.namenode.damage.Redundancy;
import org.hadoopmpsr.namenode.elastic.FurtherCopiesView;
import org.hadoopmpsr.namenode.lifecycle.DropStatus;
import org.hadoopmpsr.namenode.maintain.MaintenanceView;
import org.jspecify.annotations.Nullable;

/**
 * The state of MPSR at one moment, as far as the caller may know it.
 *
 * @param state {@code ready}, {@code not_ready} or {@code off}
 * @param problems the reasons why it is not ready
 * @param datasets the number of datasets
 * @param defaultGroup the name of the default group, or null without groups
 * @param nodes the live DataNodes, and those that have a group and are not alive
 * @param warnings what an operator should look at although MPSR works, one line each
 * @param dropped the dropped datasets whose other representations are still there; empty unless for a superuser
 * @param maintenance what is known of maintenance; without runs unless for a superuser
 * @param redundancy the live copies of the datasets' records, by path, where some lack copies, the most endangered first
 * @param toRebuild what is to be rebuilt, by dataset and group, of datasets that the caller may read
 * @param underway the rebuilds that are begun, of datasets that the caller may read
 * @param furtherCopies the further copies of files that are read much
 * @param counters counters and gauges by name
 */
public record Status(
        String state,
        List<ConfigProblem> problems,
        String storeDir,
        int datasets,
        String version,
        @Nullable String defaultGroup,
        List<GroupStatus> groups,
        List<NodeStatus> nodes,
        List<String> warnings,
        List<DropStatus> dropped,
        MaintenanceView maintenance,
        Map<String, Redundancy> redundancy,
        List<RebuildStatus> toRebuild,
        List<RebuildUnderway> underway,
        FurtherCopiesView furtherCopies,
        Map<String, Long> counters) {

    /**
     * The published files of a group in all datasets.
     *
     * @param width over how many nodes the files of a segment are spread
     */
    public record GroupStatus(
            ReplicaGroup group, ScatterWidth width, long files, long records, long bytes, long degradedFiles) {}

    /**
     * A DataNode.
     *
     * @param node without host and rack if it has not registered since the NameNode was started
     * @param alive false if HDFS counts it as dead
     * @param group the group that it has, or null
     * @param drainingTo the group that it is to have once it holds no block of the present one, or null
     */
    public record NodeStatus(
            Node node,
            boolean alive,
            @Nullable String group,
            @Nullable String drainingTo) {}
}
