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

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InProcessFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.testing.EndedNameNodes;
import org.hadoopmpsr.testing.MiniCluster;

/** Three NameNodes with three JournalNodes: one active, one standby, one observer. */
final class HaCluster implements AutoCloseable {
    static final int OBSERVER = 2;

    private final MiniQJMHACluster quorum;
    private int active;
    private boolean crashed;

    private HaCluster(MiniQJMHACluster quorum) {
        this.quorum = quorum;
    }

    /** Starts it with NameNode 0 active and a DataNode for each of three groups. */
    static HaCluster start(Configuration conf) throws Exception {
        return start(conf, 3, 3);
    }

    /**
     * Starts it with NameNode 0 active; others take over edits when {@link #catchUp} says so.
     *
     * @param nodes DataNodes, evenly on so many racks
     */
    static HaCluster start(Configuration conf, int nodes, int racks) throws Exception {
        conf.setBoolean("dfs.ha.tail-edits.in-progress", true);
        conf.setTimeDuration("dfs.ha.tail-edits.period", 1, TimeUnit.HOURS);
        conf.setTimeDuration("dfs.ha.tail-edits.period.backoff-max", 2, TimeUnit.HOURS);
        MiniQJMHACluster.Builder builder =
                new MiniQJMHACluster.Builder(conf, MiniCluster.directory("ha").toFile()).setNumNameNodes(3);
        builder.getDfsBuilder()
                .numDataNodes(nodes)
                .racks(MiniCluster.racks(nodes, racks))
                .hosts(MiniCluster.hosts(nodes));
        HaCluster cluster = new HaCluster(builder.build());
        MiniDFSCluster mini = cluster.mini();
        mini.transitionToActive(0);
        mini.transitionToObserver(OBSERVER);
        for (int i = 0; i < 3; i++) {
            mini.waitActive(i);
        }
        return cluster;
    }

    MiniDFSCluster mini() {
        return quorum.getDfsCluster();
    }

    int active() {
        return active;
    }

    /** What a client is configured with that does not know of the observer. */
    Configuration clientConf() {
        Configuration conf = clientConf(ConfiguredFailoverProxyProvider.class);
        String key = "dfs.ha.namenodes." + uri().getHost();
        String[] names = conf.getTrimmedStrings(key);
        conf.setStrings(key, Arrays.copyOf(names, OBSERVER));
        return conf;
    }

    /** What a client is configured with that reads from observers. */
    Configuration observerClientConf() {
        return clientConf(ObserverReadProxyProvider.class);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the providers are generic in the protocol
    private Configuration clientConf(Class provider) {
        Configuration conf = new Configuration(mini().getConfiguration(0));
        conf.setInt("dfs.client.failover.sleep.base.millis", 5);
        conf.setInt("dfs.client.failover.sleep.max.millis", 50);
        // while NameNodes start and become active, with these short pauses
        conf.setInt("dfs.client.failover.max.attempts", 1_000);
        conf.setInt("dfs.client.retry.max.attempts", 1_000);
        HATestUtil.setupHAConfiguration(mini(), conf, 0, provider);
        conf.set("fs.defaultFS", uri().toString());
        return conf;
    }

    URI uri() {
        return URI.create("hdfs://" + HATestUtil.getLogicalHostname(mini()));
    }

    MpsrClient client() throws IOException {
        return MpsrClient.create(clientConf(), uri());
    }

    /** What MPSR would refuse in the store, done on the active NameNode as without MPSR. */
    DistributedFileSystem pastMpsr() throws IOException {
        return InProcessFileSystem.of(mini().getNameNode(active()), uri(), clientConf());
    }

    DistributedFileSystem fs() throws IOException {
        return (DistributedFileSystem) FileSystem.newInstance(uri(), clientConf());
    }

    /** Makes the other one of the first two NameNodes the active one. */
    void failOver() throws IOException {
        mini().transitionToStandby(active);
        active = 1 - active;
        mini().transitionToActive(active);
    }

    /** Ends the active NameNode and makes the other one of the first two active. Returns the one that ended. */
    int killActive() throws IOException {
        int killed = active;
        mini().shutdownNameNode(killed);
        active = 1 - killed;
        mini().transitionToActive(active);
        return killed;
    }

    /**
     * The same without a clean end: calls break off unanswered, nothing more reaches the edit log, and its last segment
     * stays open.
     */
    int crashActive() throws IOException {
        breakOff();
        return killActive();
    }

    private void breakOff() {
        crashed = true;
        NameNodeAdapter.getRpcServer(mini().getNameNode(active)).stop();
        NameNodeAdapter.abortEditLogs(mini().getNameNode(active));
    }

    /**
     * Ends all NameNodes and starts them anew, the same one active.
     *
     * @param crash whether the active one ends as in {@link #crashActive}
     */
    void restartAll(boolean crash) throws Exception {
        if (crash) {
            breakOff();
        }
        mini().shutdownNameNodes();
        for (int i = 0; i < mini().getNumNameNodes(); i++) {
            mini().restartNameNode(i, false);
        }
        EndedNameNodes.release();
        mini().transitionToActive(active);
        mini().transitionToObserver(OBSERVER);
        catchUp(1 - active);
        catchUp(OBSERVER);
    }

    /** Starts a NameNode anew that is not active, with all that the active one wrote until now. */
    void restart(int standby) throws Exception {
        mini().restartNameNode(standby, false);
        EndedNameNodes.release();
        if (standby == OBSERVER) {
            mini().transitionToObserver(standby);
        }
        catchUp(standby);
    }

    /** Lets a NameNode take over all that the active one wrote. */
    void catchUp(int standby) throws Exception {
        long written = mini().getNamesystem(active).getFSImage().getLastAppliedOrWrittenTxId();
        while (mini().getNamesystem(standby).getFSImage().getLastAppliedTxId() < written) {
            mini().getNamesystem(standby).getEditLogTailer().doTailEdits();
        }
    }

    /** The groups of the nodes that hold blocks of files below a path. */
    Set<String> groupsBelow(String path) throws IOException {
        try (MpsrClient client = client();
                DistributedFileSystem fs = fs()) {
            return TestCluster.groupsBelow(fs, TestCluster.groupByAddress(mini(), client.status()), path);
        }
    }

    @Override
    public void close() throws IOException {
        if (crashed) {
            ExitUtil.resetFirstExitException(); // a NameNode ends itself when it cannot write edits
        }
        quorum.shutdown();
        boolean freed;
        do {
            freed = DefaultMetricsSystem.instance().shutdown(); // each user of it counts, and not all end it
        } while (!freed);
    }
}
