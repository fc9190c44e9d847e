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

/** The clients' operations of Hadoop's NNThroughputBenchmark, over RPC, against NameNodes in turn. For one thread. */
public final class ThroughputOperation {
    /** The directory that it works below. */
    public static final String DIRECTORY = "/nnThroughputBenchmark";

    private final NNThroughputBenchmark benchmark;
    private final int threads;

    public ThroughputOperation(Configuration conf, int threads) throws IOException {
        this.benchmark = new NNThroughputBenchmark(new Configuration(conf));
        this.threads = threads;
    }

    /** Lets what is called next go to this NameNode. */
    public void against(DistributedFileSystem fs) throws IOException {
        NNThroughputBenchmark.clientProto = fs.getClient().getNamenode();
        NNThroughputBenchmark.nameNodeProto =
                DFSTestUtil.getNamenodeProtocolProxy(fs.getConf(), fs.getUri(), UserGroupInformation.getCurrentUser());
        NNThroughputBenchmark.refreshUserMappingsProto =
                DFSTestUtil.getRefreshUserMappingsProtocolProxy(fs.getConf(), DFSUtilClient.getNNAddress(fs.getUri()));
    }

    /** Makes the files that open, delete, rename or fileStatus work on; without waiting for the disk. */
    public void createFiles(int files) throws IOException {
        EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
        try {
            OperationStatsBase create = benchmark.new CreateFileStats(arguments("create", files, "-close"));
            OperationThreads.prepare(create, threads, files);
            OperationThreads.run(create, threads, files);
        } finally {
            EditLogFileOutputStream.setShouldSkipFsyncForTesting(false);
        }
    }

    /** Does an operation on each of so many files; those of {@link #createFiles}, but for create. */
    public Measurement run(String operation, int files) throws IOException {
        OperationStatsBase stats = stats(operation, files);
        OperationThreads.prepare(stats, threads, files);
        return OperationThreads.run(stats, threads, files);
    }

    /** Deletes the files that an operation worked on. */
    public void cleanUp(String operation) throws IOException {
        stats(operation, 0).cleanUp();
    }

    private OperationStatsBase stats(String operation, int files) {
        return switch (operation) {
            case "create" -> benchmark.new CreateFileStats(arguments(operation, files));
            case "open" -> benchmark.new OpenFileStats(arguments(operation, files, "-useExisting"));
            case "delete" -> benchmark.new DeleteFileStats(arguments(operation, files, "-useExisting"));
            case "rename" -> benchmark.new RenameFileStats(arguments(operation, files, "-useExisting"));
            case "fileStatus" -> benchmark.new FileStatusStats(arguments(operation, files, "-useExisting"));
            default -> throw new IllegalArgumentException("no operation " + operation);
        };
    }

    private List<String> arguments(String operation, int files, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("-op", operation, "-threads", "" + threads, "-files", "" + files));
        arguments.addAll(List.of(more));
        return arguments;
    }
}
