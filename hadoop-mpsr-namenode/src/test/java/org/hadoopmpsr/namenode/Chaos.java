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
package org.hadoopmpsr.namenode;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.hadoopmpsr.client.MpsrClient;

/** A cluster to which things happen, and what it should hold then. One thread takes the steps. */
final class Chaos implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(60);
    private static final int DATA_NODES = 7;

    private final HaCluster cluster;
    private final MpsrClient client;
    private final MpsrClient observing;
    private final DistributedFileSystem fs;
    private final List<ChaosDataset> datasets = new CopyOnWriteArrayList<>();
    private final Set<String> orphans = new TreeSet<>();
    private final ChaosDataNodes dataNodes;
    private final ChaosGroups groups;
    private final List<String> log = new ArrayList<>();
    private Random random = new Random();
    private long seed;
    private int names;

    private Chaos(HaCluster cluster) throws IOException {
        this.cluster = cluster;
        this.client = cluster.client();
        this.observing = MpsrClient.create(cluster.observerClientConf(), cluster.uri());
        this.fs = cluster.fs();
        this.dataNodes = new ChaosDataNodes(cluster.mini());
        this.groups = new ChaosGroups(cluster, client, fs);
    }

    /** Starts a cluster; the default group makes two copies of each block, the others one. */
    static Chaos start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.replica.group.time.replication", 2);
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        conf.setInt("dfs.mpsr.safemode.quiet.seconds", 1);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, 1);
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_RETRY_INTERVAL_KEY, 50);
        return new Chaos(HaCluster.start(conf, DATA_NODES, 1));
    }

    HaCluster cluster() {
        return cluster;
    }

    MiniDFSCluster mini() {
        return cluster.mini();
    }

    MpsrClient client() {
        return client;
    }

    /** A client that reads from the observer and the standby. */
    MpsrClient observing() {
        return observing;
    }

    DistributedFileSystem fs() {
        return fs;
    }

    List<ChaosDataset> datasets() {
        return datasets;
    }

    /** What deleted datasets left in the store. */
    Set<String> orphans() {
        return orphans;
    }

    ChaosDataNodes dataNodes() {
        return dataNodes;
    }

    ChaosGroups groups() {
        return groups;
    }

    /** Begins with NameNode 0 active and groups that the seed chooses. Nothing must be left of another seed. */
    void begin(long newSeed) throws IOException {
        seed = newSeed;
        random = new Random(newSeed * 0x9E3779B97F4A7C15L);
        names = 0;
        log.clear();
        groups.choose(random);
        log("groups %s", groups.sizes());
    }

    Random random() {
        return random;
    }

    int random(int bound) {
        return random.nextInt(bound);
    }

    <T> T any(Collection<T> of) {
        return List.copyOf(of).get(random.nextInt(of.size()));
    }

    /** One of the datasets that are so; empty where none is. */
    Optional<ChaosDataset> anyDataset(Predicate<ChaosDataset> which) {
        List<ChaosDataset> some = datasets.stream().filter(which).toList();
        return some.isEmpty() ? Optional.empty() : Optional.of(any(some));
    }

    String home() {
        return "/chaos/" + seed;
    }

    /** A name that was not used in this seed. */
    String newName(String prefix) {
        return prefix + names++;
    }

    void log(String format, Object... values) {
        log.add(String.format(format, values));
    }

    List<String> log() {
        return log;
    }

    /** Starts a NameNode that has ended or is not active. */
    void restart(int nameNode) throws Exception {
        dataNodes.awaitMovedDeleted();
        cluster.restart(nameNode);
        dataNodes.awaitAll();
    }

    /** True when a NameNode that starts leaves safe mode, for all blocks that miss can be rebuilt. */
    boolean mayRestart() {
        return dataNodes.down().isEmpty()
                || (orphans.isEmpty() && datasets.stream().allMatch(ChaosDataset::isWell));
    }

    /** Deletes all that a dataset that was dropped has left. */
    void deleteFilesOf(ChaosDataset dataset) throws IOException {
        if (dataset.snapshot().isPresent()) {
            fs.deleteSnapshot(new Path(dataset.path()), dataset.snapshot().get());
        }
        fs.delete(new Path(dataset.path()), true);
        for (String group : dataset.groupNames()) {
            for (String trash : dataset.vanished(group).values()) {
                if (!trash.isEmpty()) {
                    fs.delete(new Path(trash), true);
                }
            }
        }
    }

    /** Waits until nothing is left of a dataset that was dropped and whose files are deleted. */
    void awaitGone(ChaosDataset dataset) {
        await().atMost(LONG).until(() -> !fs.exists(new Path(dataset.storeDir())));
    }

    /** Puts all back as it was before the seed. */
    void reset() throws IOException {
        for (String uuid : List.copyOf(dataNodes.down())) {
            dataNodes.start(uuid);
        }
        for (ChaosDataset dataset : datasets) {
            dataset.disturb();
            client.dropDataset(dataset.path(), true);
            deleteFilesOf(dataset);
            awaitGone(dataset);
        }
        datasets.clear();
        for (String orphan : orphans) {
            fs.delete(new Path(orphan), true);
        }
        orphans.clear();
        fs.delete(new Path(home()), true);
    }

    @Override
    public void close() throws IOException {
        client.close();
        observing.close();
        fs.close();
        cluster.close();
    }
}
