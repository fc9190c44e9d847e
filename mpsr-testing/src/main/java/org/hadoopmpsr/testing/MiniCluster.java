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
package org.hadoopmpsr.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.QuickMiniCluster;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;

/**
 * The one way to configure and start a mini cluster for a test. The cluster runs in the test's process; its files are
 * below the system property {@code test.build.data}.
 */
public final class MiniCluster {
    static {
        EditLogFileOutputStream.setShouldSkipFsyncForTesting(true); // no test survives a crash of the machine
    }

    private MiniCluster() {}

    /** The configuration of stock HDFS with short intervals, so that tests wait little. */
    public static Configuration stock() {
        Configuration conf = new HdfsConfiguration();
        conf.set("dfs.heartbeat.interval", "200ms");
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setInt("dfs.namenode.safemode.extension", 0);
        conf.setInt("dfs.namenode.handler.count", 8);
        conf.setLong("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 10);
        // by default a node copies two blocks at a time, and each interval begins two copies for each node
        conf.setInt("dfs.namenode.replication.max-streams", 20);
        conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 40);
        conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 20);
        return conf;
    }

    /** Adds MPSR with three groups as in the sample configuration, with fewer buckets. */
    public static void addThreeGroups(Configuration conf) {
        Map<String, String> predicates = new LinkedHashMap<>();
        predicates.put("time", "day(timestamp_ns)");
        predicates.put("signal", "bucket(4, signal)");
        predicates.put("device", "system, device");
        addGroups(conf, predicates);
    }

    /** Adds MPSR with the names, the predicates, the sort orders and the transforms of these groups. */
    public static void addGroups(Configuration conf, ReplicaGroups groups) {
        Map<String, String> predicates = new LinkedHashMap<>();
        groups.groups()
                .forEach(group -> predicates.put(
                        group.name(),
                        String.join(
                                ", ",
                                group.predicates().stream().map(Predicate::text).toList())));
        addGroups(conf, predicates);
        groups.groups()
                .forEach(group -> group.transforms()
                        .ofColumns()
                        .forEach((column, transform) -> conf.set(
                                "dfs.mpsr.replica.group." + group.name() + ".transform." + column, transform.text())));
        groups.groups().stream()
                .filter(group -> !group.sort().isEmpty())
                .forEach(group ->
                        conf.set("dfs.mpsr.replica.group." + group.name() + ".sort", SortKey.list(group.sort())));
    }

    /**
     * Adds MPSR to a configuration.
     *
     * @param predicates by group; the first group is the default one
     */
    public static void addGroups(Configuration conf, Map<String, String> predicates) {
        conf.set("dfs.block.replicator.classname", "org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy");
        conf.set("dfs.namenode.plugins", "org.hadoopmpsr.namenode.MpsrPlugin");
        conf.set("dfs.mpsr.replica.groups", String.join(",", predicates.keySet()));
        predicates.forEach((group, text) -> conf.set("dfs.mpsr.replica.group." + group + ".predicates", text));
    }

    /**
     * A cluster to be started, with DataNodes evenly on the racks {@code /r0}, {@code /r1}, ... Clusters that have ended become
     * garbage.
     *
     * @param nodes the number of DataNodes
     */
    public static MiniDFSCluster.Builder builder(Configuration conf, int nodes, int racks) throws IOException {
        EndedNameNodes.release();
        return new MiniDFSCluster.Builder(conf, directory("c").toFile())
                .numDataNodes(nodes)
                .racks(racks(nodes, racks));
    }

    /** The racks of so many DataNodes, evenly on {@code /r0}, {@code /r1}, ... */
    public static String[] racks(int nodes, int racks) {
        String[] places = new String[nodes];
        Arrays.setAll(places, i -> "/r" + i % racks);
        return places;
    }

    /** The names of so many hosts, {@code dn0.test}, {@code dn1.test}, ... */
    public static String[] hosts(int nodes) {
        String[] hosts = new String[nodes];
        Arrays.setAll(hosts, i -> "dn" + i + ".test");
        return hosts;
    }

    /** Starts a cluster, and waits until all its nodes are up. */
    public static MiniDFSCluster start(MiniDFSCluster.Builder builder) throws IOException {
        MiniDFSCluster cluster = QuickMiniCluster.start(builder);
        cluster.waitActive();
        return cluster;
    }

    /** A new empty directory for the files of a test. */
    public static Path directory(String prefix) throws IOException {
        Path parent = Files.createDirectories(Path.of(System.getProperty("test.build.data", "target/test-data")));
        return Files.createTempDirectory(parent.toAbsolutePath(), prefix);
    }
}
