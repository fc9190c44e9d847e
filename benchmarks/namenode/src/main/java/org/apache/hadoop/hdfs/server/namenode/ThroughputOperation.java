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
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.NNThroughputBenchmark.OperationStatsBase;
import org.apache.hadoop.security.UserGroupInformation;

/** Runs single operations of Hadoop's NNThroughputBenchmark, over RPC, against NameNodes in turn. For one thread. */
public final class ThroughputOperation {
    /** The directory that it works below. */
    public static final String DIRECTORY = "/nnThroughputBenchmark";

    /** Simulated DataNodes have less room than a block of the default size. */
    private static final String BLOCK_SIZE = "-blockSize";

    private final NNThroughputBenchmark benchmark;

    public ThroughputOperation(Configuration conf) throws IOException {
        benchmark = new NNThroughputBenchmark(new Configuration(conf));
    }

    /** Lets what runs next run against this NameNode. */
    public static void against(DistributedFileSystem fs) throws IOException {
        NNThroughputBenchmark.clientProto = fs.getClient().getNamenode();
        NNThroughputBenchmark.nameNodeProto =
                DFSTestUtil.getNamenodeProtocolProxy(fs.getConf(), fs.getUri(), UserGroupInformation.getCurrentUser());
        NNThroughputBenchmark.refreshUserMappingsProto =
                DFSTestUtil.getRefreshUserMappingsProtocolProxy(fs.getConf(), DFSUtilClient.getNNAddress(fs.getUri()));
    }

    /** Lets what runs next call this NameNode directly, as its simulated DataNodes have to. */
    public static void within(NameNode nameNode) {
        NNThroughputBenchmark.nameNode = nameNode;
        NNThroughputBenchmark.nameNodeProto = nameNode.getRpcServer();
        NNThroughputBenchmark.clientProto = nameNode.getRpcServer();
        NNThroughputBenchmark.dataNodeProto = nameNode.getRpcServer();
        NNThroughputBenchmark.refreshUserMappingsProto = nameNode.getRpcServer();
        NNThroughputBenchmark.bpid = nameNode.getNamesystem().getBlockPoolId();
    }

    /** The configuration that a NameNode must have for operations on DataNodes. */
    public static Configuration configuration() {
        return NNThroughputBenchmark.config;
    }

    /**
     * Full block reports of simulated DataNodes, each of so many blocks.
     *
     * @return reports per second
     */
    public double blockReports(int dataNodes, int blocks, int reports) throws IOException {
        return run(benchmark.new BlockReportStats(arguments(
                "blockReport",
                "-datanodes",
                dataNodes,
                "-blocksPerReport",
                blocks,
                "-reports",
                reports,
                BLOCK_SIZE,
                16)));
    }

    /**
     * Decommissions one of so many simulated DataNodes that hold so many blocks in three copies.
     *
     * @return how often in a second the NameNode looks for blocks to copy and chooses targets
     */
    public double replication(int dataNodes, int blocks) throws IOException {
        return run(benchmark.new ReplicationStats(arguments(
                "replication", "-datanodes", dataNodes, "-totalBlocks", blocks, BLOCK_SIZE, 16)));
    }

    private static double run(OperationStatsBase stats) throws IOException {
        stats.benchmark();
        if (stats.getNumOpsExecuted() == 0) {
            throw new IllegalStateException(stats.getOpName() + ": nothing was done");
        }
        return stats.getOpsPerSecond();
    }

    private static List<String> arguments(String operation, Object... rest) {
        List<String> arguments = new ArrayList<>(List.of("-op", operation));
        for (Object argument : rest) {
            arguments.add(argument.toString());
        }
        return arguments;
    }

    /**
     * Runs one operation on so many files, and cleans up.
     *
     * @return operations per second
     */
    public double run(String operation, int files, int threads) throws IOException {
        OperationStatsBase stats = stats(operation, arguments(operation, "-threads", threads, "-files", files));
        stats.benchmark();
        double perSecond = stats.getOpsPerSecond();
        if (stats.getNumOpsExecuted() != files) {
            throw new IllegalStateException(
                    operation + ": " + stats.getNumOpsExecuted() + " operations were done instead of " + files);
        }
        stats.cleanUp();
        return perSecond;
    }

    private OperationStatsBase stats(String operation, List<String> arguments) {
        return switch (operation) {
            case "create" -> benchmark.new CreateFileStats(arguments);
            case "open" -> benchmark.new OpenFileStats(arguments);
            case "delete" -> benchmark.new DeleteFileStats(arguments);
            case "rename" -> benchmark.new RenameFileStats(arguments);
            case "fileStatus" -> benchmark.new FileStatusStats(arguments);
            default -> throw new IllegalArgumentException("no operation " + operation);
        };
    }
}
