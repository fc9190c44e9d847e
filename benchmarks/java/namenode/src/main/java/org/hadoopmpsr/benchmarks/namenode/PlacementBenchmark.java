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
package org.hadoopmpsr.benchmarks.namenode;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementNodes;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;
import org.hadoopmpsr.blockmanager.PlacementView;
import org.hadoopmpsr.blockmanager.PlacementViews;
import org.hadoopmpsr.blockmanager.SegmentPlaces;
import org.hadoopmpsr.core.alloc.SegmentFiles;
import org.hadoopmpsr.core.config.ScatterWidths;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One choice of targets for a new block, among a thousand nodes on thirty racks. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlacementBenchmark {
    private static final int NODES = 1_000;
    private static final int RACKS = 30;
    private static final StoreLayout LAYOUT = new StoreLayout("/.mpsr");
    private static final List<String> GROUPS = List.of("a", "b", "c");

    /** Which policy, and for which file. */
    public enum Variant {
        /** The default policy. */
        STOCK,
        /** Ours, for a file of a group. */
        GROUP,
        /** Ours, for a file of a segment, a hundred segments in turn. */
        SEGMENT,
        /** Ours, for a file outside datasets. */
        OUTSIDE
    }

    @Param
    @SuppressWarnings("NullAway.Init") // set by JMH
    public Variant variant;

    @Param({"1", "3"})
    public int replicas;

    private BlockPlacementPolicy policy = new Stock();
    private final BlockStoragePolicy storagePolicy =
            BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
    private final String[] paths = new String[100];
    private int next;

    /** The default policy, whose constructor only subclasses see. */
    private static final class Stock extends BlockPlacementPolicyDefault {}

    private static Optional<SegmentFiles> segment(String path, String group) {
        return LAYOUT.datasetOf(path)
                .flatMap(dataset -> LAYOUT.commitOf(path).map(commit -> new SegmentFiles(dataset, commit, group)));
    }

    @Setup
    public void start() {
        Configuration conf = new Configuration(false);
        conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, true);
        PlacementNodes nodes = new PlacementNodes(NODES, RACKS);
        String path = "/outside/file";
        if (variant != Variant.STOCK) {
            MpsrBlockPlacementPolicy ours = new MpsrBlockPlacementPolicy();
            ours.setConf(conf);
            policy = ours;
            Map<String, String> groups = new HashMap<>();
            // racks are disjoint, as MPSR allocates them
            nodes.rackByUuid().forEach((uuid, rack) -> groups.put(uuid, GROUPS.get(rack % GROUPS.size())));
            PlacementViews.bind(
                    nodes.topology(),
                    new PlacementView(
                            groups,
                            Set.of(),
                            p -> p.startsWith("/inside/") ? Optional.of("a") : LAYOUT.groupOf(p),
                            new SegmentPlaces(group -> ScatterWidths.DEFAULT, PlacementBenchmark::segment),
                            null));
            path = variant == Variant.GROUP ? "/inside/file" : path;
        }
        for (int i = 0; i < paths.length; i++) {
            paths[i] = variant == Variant.SEGMENT ? LAYOUT.stagingDir("meas-1a2b3c4d", "c-" + i) + "/a/day=1/f" : path;
        }
        nodes.initialize(policy, conf);
        DatanodeStorageInfo[] chosen = choose();
        if (chosen.length != replicas || Arrays.stream(chosen).distinct().count() != replicas) {
            throw new IllegalStateException(variant + " chose " + Arrays.toString(chosen));
        }
    }

    @Benchmark
    public DatanodeStorageInfo[] choose() {
        next = (next + 1) % paths.length;
        return policy.chooseTarget(
                paths[next],
                replicas,
                null,
                List.of(),
                false,
                null,
                128L << 20,
                storagePolicy,
                EnumSet.noneOf(AddBlockFlag.class));
    }
}
