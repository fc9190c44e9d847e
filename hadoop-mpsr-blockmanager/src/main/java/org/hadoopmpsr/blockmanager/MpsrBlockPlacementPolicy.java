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

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatusDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BridgedPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the blocks of a representation on the DataNodes of its replica group, and the blocks of a segment on few of them: its
 * homes, and the next nodes in order where those cannot take a block. Every other file is placed by the default
 * policy. Set as {@code dfs.block.replicator.classname} for the NameNode, the Balancer and the Mover.
 *
 * <p>If representations cannot be placed, because MPSR is off, their blocks get no target. Without a plug-in in the
 * NameNode, this holds for all paths below the store directory. Thread-safe like the default policy.
 */
public final class MpsrBlockPlacementPolicy extends BridgedPlacementPolicy implements Configurable {
    private final Timer clock = new Timer(); // HDFS makes this object itself
    private final ChosenGroup choosing = new ChosenGroup();
    private Configuration conf = new Configuration(false);
    private GroupNodesCache groups =
            new GroupNodesCache(clock, DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
    private PlacementView unbound =
            new PlacementView(Map.of(), Set.of(), p -> Optional.empty(), SegmentPlaces.NONE, null);
    private RemoteAllocation remote = new RemoteAllocation(conf, clock);
    private boolean loadByVolume;
    private PlacementViews.Slot slot = new PlacementViews.Slot();

    @Override
    public void setConf(Configuration conf) {
        this.conf = conf;
        String store = MpsrConfig.read(key -> conf.getTrimmed(key)).storeDir();
        Function<String, Optional<String>> groupOf = new StoreLayout(store)::groupOf;
        unbound = new PlacementView(
                Map.of(), Set.of(), groupOf, SegmentPlaces.NONE, "the NameNode runs without the plugin of MPSR");
        groups = new GroupNodesCache(
                clock,
                conf.getLong(
                        DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
                        DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT));
        remote = new RemoteAllocation(conf, clock);
        loadByVolume = conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_KEY,
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_DEFAULT);
    }

    @Override
    public Configuration getConf() {
        return conf;
    }

    /**
     * A process that moves blocks asks for the allocation at once: the NameNode tells only processes that asked about
     * blocks of representations.
     */
    @Override
    protected void initialized(NetworkTopology topology, boolean inNameNode) {
        slot = PlacementViews.slot(topology);
        if (!inNameNode) {
            remote.get();
        }
    }

    private PlacementView view() {
        return slot.get().orElse(unbound);
    }

    /** A choice of targets that honours the given excluded nodes and writer. */
    private interface Choice {
        DatanodeStorageInfo[] among(@Nullable Node writer, @Nullable Set<Node> excluded);
    }

    private DatanodeStorageInfo[] choose(
            @Nullable String src,
            @Nullable Node writer,
            @Nullable Set<Node> excluded,
            List<DatanodeStorageInfo> none,
            Choice choice) {
        if (choosing.nodes() != null) {
            return choice.among(writer, excluded); // the default policy calls itself
        }
        PlacementView view = view();
        Optional<String> group = view.group(src);
        if (src == null || group.isEmpty()) {
            return choice.among(writer, excluded);
        }
        if (view.refusal() != null) {
            return none.toArray(DatanodeStorageInfo.EMPTY_ARRAY);
        }
        BlockNodes nodes = nodes(view, src, group.get());
        boolean foreign = writer instanceof DatanodeDescriptor && !nodes.contains(writer);
        return choosing.among(nodes, () -> choice.among(foreign || !nodes.prefersWriter() ? null : writer, excluded));
    }

    private BlockNodes nodes(PlacementView view, String src, String group) {
        GroupNodes nodes = groups.get(clusterMap, view, group);
        SegmentPlaces segments = view.segments();
        return segments.of(src, group)
                .map(files -> nodes.homes(files, segments.widthOf().apply(group).nodes()))
                .orElse(nodes);
    }

    @Override
    public DatanodeStorageInfo[] chooseTarget(
            String src,
            int replicas,
            Node writer,
            List<DatanodeStorageInfo> chosen,
            boolean returnChosen,
            Set<Node> excluded,
            long blockSize,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags) {
        return choose(
                src,
                writer,
                excluded,
                returnChosen ? chosen : List.of(),
                (w, ex) -> super.chooseTarget(
                        src, replicas, w, chosen, returnChosen, ex, blockSize, storagePolicy, flags));
    }

    @Override
    public DatanodeStorageInfo[] chooseTarget(
            String src,
            int replicas,
            Node writer,
            List<DatanodeStorageInfo> chosen,
            boolean returnChosen,
            Set<Node> excluded,
            long blockSize,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags,
            EnumMap<StorageType, Integer> storageTypes) {
        return choose(
                src,
                writer,
                excluded,
                returnChosen ? chosen : List.of(),
                (w, ex) -> super.chooseTarget(
                        src, replicas, w, chosen, returnChosen, ex, blockSize, storagePolicy, flags, storageTypes));
    }

    /** Favored nodes of other groups are ignored. */
    @Override
    protected DatanodeStorageInfo[] chooseFavored(
            String src,
            int replicas,
            Node writer,
            Set<Node> excluded,
            long blockSize,
            List<DatanodeDescriptor> favored,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags) {
        return choose(src, writer, excluded, List.of(), (w, ex) -> {
            BlockNodes nodes = choosing.nodes();
            List<DatanodeDescriptor> own = nodes == null || favored == null
                    ? favored
                    : favored.stream().filter(nodes::contains).toList();
            return super.chooseFavored(src, replicas, w, ex, blockSize, own, storagePolicy, flags);
        });
    }

    /** Only the nodes of the group can be chosen. */
    @Override
    protected @Nullable DatanodeDescriptor chooseDataNode(String scope, Collection<Node> excluded) {
        BlockNodes nodes = choosing.nodes();
        return nodes == null ? super.chooseDataNode(scope, excluded) : nodes.draw(scope, excluded, null);
    }

    @Override
    protected @Nullable DatanodeDescriptor chooseDataNode(String scope, Collection<Node> excluded, StorageType type) {
        BlockNodes nodes = choosing.nodes();
        return nodes == null ? super.chooseDataNode(scope, excluded, type) : nodes.draw(scope, excluded, type);
    }

    @Override
    protected boolean isTooBusy(DatanodeDescriptor node) {
        BlockNodes nodes = choosing.nodes();
        return nodes == null ? super.isTooBusy(node) : nodes.isTooBusy(node, considerLoadFactor, loadByVolume);
    }

    @Override
    protected int[] getMaxNodesPerRack(int chosen, int replicas) {
        BlockNodes nodes = choosing.nodes();
        return nodes == null ? super.getMaxNodesPerRack(chosen, replicas) : nodes.maxNodesPerRack(chosen, replicas);
    }

    /** Replicas that all lie in one group need at most as many racks as the group has. */
    @Override
    public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] locations, int replicas) {
        PlacementView view = view();
        String group = locations == null
                ? null
                : view.onlyGroup(Arrays.stream(locations)
                        .map(DatanodeInfo::getDatanodeUuid)
                        .toList());
        if (group == null) {
            return super.verifyBlockPlacement(locations, replicas);
        }
        int racks = (int) Arrays.stream(locations)
                .map(DatanodeInfo::getNetworkLocation)
                .distinct()
                .count();
        GroupNodes nodes = groups.get(clusterMap, view, group);
        return new BlockPlacementStatusDefault(racks, Math.min(2, replicas), nodes.racks());
    }

    /**
     * A copy that is known to be outside of its block's group is deleted first; of copies in one group, a copy on a
     * node that leaves the group. If it is unknown which copy is wrong, none is deleted now.
     */
    @Override
    public @Nullable DatanodeStorageInfo chooseReplicaToDelete(
            Collection<DatanodeStorageInfo> moreThanOne,
            Collection<DatanodeStorageInfo> exactlyOne,
            List<StorageType> excessTypes,
            Map<String, List<DatanodeStorageInfo>> rackMap) {
        ExcessCopies copies = new ExcessCopies(moreThanOne, exactlyOne);
        Optional<Set<String>> first = copies.first(slot.wrongCopies(), view());
        if (first.isEmpty()) {
            return null;
        }
        DatanodeStorageInfo taken = copies.take(first.get(), excessTypes);
        return taken == null ? super.chooseReplicaToDelete(moreThanOne, exactlyOne, excessTypes, rackMap) : taken;
    }

    /**
     * A block moves only between nodes of one group, or between nodes without a group, and never to a node that leaves
     * its group.
     */
    @Override
    public boolean isMovable(Collection<DatanodeInfo> locations, DatanodeInfo source, DatanodeInfo target) {
        Optional<PlacementView> view = slot.get();
        Map<String, String> groups = view.map(PlacementView::groupByNode).orElseGet(remote::get);
        return Objects.equals(groups.get(source.getDatanodeUuid()), groups.get(target.getDatanodeUuid()))
                && view.stream().noneMatch(v -> v.draining().contains(target.getDatanodeUuid()))
                && super.isMovable(locations, source, target);
    }
}
