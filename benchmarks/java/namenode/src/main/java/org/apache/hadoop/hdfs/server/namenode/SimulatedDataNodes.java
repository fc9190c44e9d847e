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
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.ScheduledCopies;
import org.apache.hadoop.hdfs.server.namenode.NNThroughputBenchmark.OperationStatsBase;
import org.slf4j.event.Level;

/**
 * The DataNodes' operations of Hadoop's NNThroughputBenchmark, on one NameNode that may have others beside it. Files,
 * blocks and nodes are prepared once, by direct calls, however often an operation is measured. For one thread.
 */
public final class SimulatedDataNodes implements AutoCloseable {
    /** Simulated DataNodes have less room than a block of the default size. */
    private static final int BLOCK_BYTES = 16;

    /** Of the blocks that are copied. */
    private static final int COPIES = 3;

    private final Configuration conf;
    private final int nodes;
    private final NNThroughputBenchmark benchmark;
    private final NameNode nameNode;
    private final DatanodeProtocolClientSideTranslatorPB remote;

    private SimulatedDataNodes(Configuration conf, int nodes, NNThroughputBenchmark benchmark, NameNode nameNode)
            throws IOException {
        this.conf = conf;
        this.nodes = nodes;
        this.benchmark = benchmark;
        this.nameNode = nameNode;
        InetSocketAddress address = nameNode.getServiceRpcAddress();
        this.remote = new DatanodeProtocolClientSideTranslatorPB(
                address == null ? nameNode.getNameNodeAddress() : address, conf);
    }

    /** What a NameNode is to be started with: it lets nodes be decommissioned, and these live without heartbeats. */
    public static Configuration configuration(String directory) throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.set("hadoop.tmp.dir", directory);
        new NNThroughputBenchmark(conf);
        conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 180);
        // with fewer, a node counts as decommissioned without a copy of its blocks
        conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, COPIES);
        // all copies of a measurement are ordered and none is ever made; HDFS would stop after a few on each node
        conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 1_000_000);
        return conf;
    }

    /** @param conf what the NameNode was started with */
    public static SimulatedDataNodes of(NameNode nameNode, Configuration conf, int nodes) throws IOException {
        return new SimulatedDataNodes(conf, nodes, new NNThroughputBenchmark(conf), nameNode);
    }

    @Override
    public void close() throws IOException {
        remote.close();
    }

    /** Full block reports that are ready to be sent. */
    public interface Reports {
        /** Sends so many over RPC, all nodes at a time. */
        Measurement send(int reports) throws IOException;
    }

    /** Gets ready to send full block reports, each of so many blocks with one copy. */
    public Reports prepareReports(int blocks) throws IOException {
        here(1);
        OperationStatsBase stats = benchmark.new BlockReportStats(arguments(
                "blockReport", "-datanodes", nodes, "-blocksPerReport", blocks, "-blockSize", BLOCK_BYTES));
        OperationThreads.prepare(stats, nodes, nodes);
        return reports -> {
            NNThroughputBenchmark.dataNodeProto = remote;
            NNThroughputBenchmark.bpid = nameNode.getNamesystem().getBlockPoolId();
            return OperationThreads.run(stats, nodes, reports);
        };
    }

    /** Writes so many blocks, and has a third of the nodes decommissioned. */
    public void prepareReplication(int blocks) throws IOException {
        here(COPIES);
        OperationStatsBase stats = benchmark.new ReplicationStats(arguments(
                "replication",
                "-datanodes",
                nodes,
                "-nodesToDecommission",
                nodes / 3,
                "-nodeReplicationLimit",
                1_000_000,
                "-totalBlocks",
                blocks,
                "-blockSize",
                BLOCK_BYTES));
        OperationThreads.prepare(stats, 1, 1);
        // Hadoop's own RPC reads the configuration anew, and not from what the NameNode was started with
        nameNode.getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(conf);
    }

    /** Lets the NameNode order a copy of every block that needs one; again, if it did before. */
    public Measurement replicate() throws IOException {
        BlockManager blocks = nameNode.getNamesystem().getBlockManager();
        ScheduledCopies.forget(nameNode.getNamesystem(), blocks);
        try {
            BlockManagerTestUtil.recheckDecommissionState(blocks.getDatanodeManager());
        } catch (ExecutionException e) {
            throw new IOException("nodes cannot be decommissioned", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while nodes are decommissioned", e);
        }
        NNThroughputBenchmark.setNameNodeLoggingLevel(Level.ERROR);
        long ordered = 0;
        long start = System.nanoTime();
        for (int work = 1; work > 0; ordered += work) {
            work = BlockManagerTestUtil.getComputedDatanodeWork(blocks);
        }
        return new Measurement(ordered, System.nanoTime() - start);
    }

    /** Lets preparation call this NameNode directly, and wait for what DataNodes told it before it goes on. */
    private void here(int copies) {
        conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, copies);
        NNThroughputBenchmark.config = conf;
        NNThroughputBenchmark.nameNode = nameNode;
        NNThroughputBenchmark.nameNodeProto = nameNode.getRpcServer();
        NNThroughputBenchmark.clientProto = afterReports();
        NNThroughputBenchmark.dataNodeProto = nameNode.getRpcServer();
        NNThroughputBenchmark.refreshUserMappingsProto = nameNode.getRpcServer();
        NNThroughputBenchmark.bpid = nameNode.getNamesystem().getBlockPoolId();
        EditLogFileOutputStream.setShouldSkipFsyncForTesting(true); // nothing that is measured changes the namespace
    }

    /**
     * The NameNode takes up reports of received blocks some time later, and the benchmark sleeps for a tenth of a second
     * where it is asked for a file's next block before that.
     */
    private ClientProtocol afterReports() {
        BlockManager blocks = nameNode.getNamesystem().getBlockManager();
        Set<String> waiting = Set.of("addBlock", "complete");
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (proxy, method, arguments) -> {
                    if (waiting.contains(method.getName())) {
                        blocks.flushBlockOps();
                    }
                    try {
                        return method.invoke(nameNode.getRpcServer(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static List<String> arguments(String operation, Object... rest) {
        List<String> arguments = new ArrayList<>(List.of("-op", operation));
        for (Object argument : rest) {
            arguments.add(argument.toString());
        }
        return arguments;
    }
}
