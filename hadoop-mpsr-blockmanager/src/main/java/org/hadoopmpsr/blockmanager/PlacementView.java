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
package org.hadoopmpsr.blockmanager;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The data for placement at one moment. Immutable; the plug-in binds a new view after every change.
 *
 * @param groupByNode the replica group of each allocated DataNode, by uuid
 * @param draining the uuids of allocated nodes that leave their group: they accept no block of the group, and excess
 *     copies on them are deleted first
 * @param groupOf the replica group of a path, on whose nodes the path's blocks belong; empty for placement as on stock
 *     HDFS. Must be fast and thread-safe
 * @param segments the files that lie together on few nodes of their group
 * @param refusal the reason why blocks of representations cannot be placed now, or null if they can
 */
public record PlacementView(
        Map<String, String> groupByNode,
        Set<String> draining,
        Function<String, Optional<String>> groupOf,
        SegmentPlaces segments,
        @Nullable String refusal) {

    public PlacementView {
        groupByNode = Map.copyOf(groupByNode);
        draining = Set.copyOf(draining);
    }

    /** The group on whose nodes the path's blocks belong; empty for a null path, which belongs to no file. */
    public Optional<String> group(@Nullable String path) {
        return path == null ? Optional.empty() : groupOf.apply(path);
    }

    /** The group of a node, or null if the node is not allocated. */
    public @Nullable String nodeGroup(String uuid) {
        return groupByNode.get(uuid);
    }

    /** The common group of all these nodes, or null if there is none or no node. */
    @Nullable
    String onlyGroup(List<String> uuids) {
        String group = uuids.isEmpty() ? null : nodeGroup(uuids.get(0));
        return uuids.stream().allMatch(uuid -> group != null && group.equals(nodeGroup(uuid))) ? group : null;
    }

    /** True if the node accepts blocks of the group. */
    public boolean takes(String uuid, String group) {
        return group.equals(nodeGroup(uuid)) && !draining.contains(uuid);
    }
}
