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
 * What placement knows at one moment. Immutable; the plugin binds a new one when anything changes.
 *
 * @param groupByNode the replica group of each allocated DataNode, by its uuid
 * @param draining the uuids of allocated nodes that are to leave their group: they take no block of it, and copies on
 *     them are the first to be deleted where there are more than enough
 * @param groupOf the replica group whose nodes a path's blocks belong on; empty: placed as by stock HDFS. Must be quick
 *     and safe for use by several threads
 * @param refusal why blocks of representations cannot be placed now, or null when they can
 */
public record PlacementView(
        Map<String, String> groupByNode,
        Set<String> draining,
        Function<String, Optional<String>> groupOf,
        @Nullable String refusal) {

    public PlacementView {
        groupByNode = Map.copyOf(groupByNode);
        draining = Set.copyOf(draining);
    }

    /** The group whose nodes the path's blocks belong on; empty for a null path, which is no file's. */
    public Optional<String> group(@Nullable String path) {
        return path == null ? Optional.empty() : groupOf.apply(path);
    }

    /** The node's group, or null when it is not allocated. */
    public @Nullable String nodeGroup(String uuid) {
        return groupByNode.get(uuid);
    }

    /** The group that all of the nodes are of, or null when there is none, or no node. */
    @Nullable
    String onlyGroup(List<String> uuids) {
        String group = uuids.isEmpty() ? null : nodeGroup(uuids.get(0));
        return uuids.stream().allMatch(uuid -> group != null && group.equals(nodeGroup(uuid))) ? group : null;
    }

    /** True when the node takes blocks of the group. */
    public boolean takes(String uuid, String group) {
        return group.equals(nodeGroup(uuid)) && !draining.contains(uuid);
    }
}
