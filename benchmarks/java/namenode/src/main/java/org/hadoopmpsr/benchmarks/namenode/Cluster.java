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

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.namenode.MpsrPlugin;

/** A NameNode on a real directory, with DataNodes enough for three groups; stock or with MPSR. */
final class Cluster implements AutoCloseable {
    static final Schema SCHEMA = Schema.parse("signal string not null, device string not null, system string not null,"
            + " timestamp_ns timestamp_ns not null, value double");

    private static final int REPORTED_WITHIN_MS = 60_000;
    /** The second report comes at a random time within this. */
    private static final long NO_MORE_REPORTS_MS = Integer.MAX_VALUE;

    private final MiniDFSCluster mini;

    private Cluster(MiniDFSCluster mini) {
        this.mini = mini;
    }

    static Cluster start(Path directory, boolean withMpsr) throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
        return start(directory, withMpsr, conf);
    }

    /** @param conf what is configured besides; it is added to */
    static Cluster start(Path directory, boolean withMpsr, Configuration conf) throws IOException {
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 0);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 0);
        conf.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, NO_MORE_REPORTS_MS);
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY, 6_000_000);
        if (withMpsr) {
            conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, MpsrBlockPlacementPolicy.class.getName());
            conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, MpsrPlugin.class.getName());
            conf.set("dfs.mpsr.replica.groups", "time,signal,device");
            conf.set("dfs.mpsr.replica.group.time.predicates", "day(timestamp_ns)");
            conf.setIfUnset("dfs.mpsr.replica.group.signal.predicates", "bucket(512, signal)");
            conf.set("dfs.mpsr.replica.group.device.predicates", "system, device");
        }
        MiniDFSCluster mini = new MiniDFSCluster.Builder(conf, directory.toFile())
                .numDataNodes(3)
                .racks(new String[] {"/r0", "/r1", "/r2"})
                .build();
        mini.waitActive();
        awaitBlockReports(mini);
        GeneratedFiles.syncEdits();
        return new Cluster(mini);
    }

    /** DataNodes have no generated blocks to report: a report takes away those that were generated before it. */
    private static void awaitBlockReports(MiniDFSCluster mini) throws IOException {
        try {
            mini.waitFirstBRCompleted(0, REPORTED_WITHIN_MS);
        } catch (TimeoutException e) {
            throw new IOException("not all DataNodes have reported their blocks", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while DataNodes report their blocks", e);
        }
    }

    MiniDFSCluster mini() {
        return mini;
    }

    MpsrClient client() throws IOException {
        return MpsrClient.create(mini.getConfiguration(0), mini.getURI());
    }

    @Override
    public void close() {
        mini.shutdown(true);
    }
}
