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

    /**
     * Runs one operation on so many files, and cleans up.
     *
     * @return operations per second
     */
    public double run(String operation, int files, int threads) throws IOException {
        List<String> arguments =
                List.of("-op", operation, "-threads", String.valueOf(threads), "-files", String.valueOf(files));
        OperationStatsBase stats = stats(operation, new ArrayList<>(arguments));
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
