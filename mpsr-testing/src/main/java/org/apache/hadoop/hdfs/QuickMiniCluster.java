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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;

/**
 * A mini cluster that looks often whether it is up, where Hadoop's own sleeps for a second between two looks. It does not wait
 * for ever for a DataNode that the NameNode does not know, as Hadoop's own does.
 */
public final class QuickMiniCluster extends MiniDFSCluster {
    private static final long LONGEST_S = 120;
    private static final long POLL_MS = 20;

    private QuickMiniCluster(Builder builder) throws IOException {
        super(builder);
    }

    /** Starts a cluster as {@link Builder#build()} does. */
    public static MiniDFSCluster start(Builder builder) throws IOException {
        return new QuickMiniCluster(builder);
    }

    /** Returns when each NameNode has left safe mode and knows a DataNode; at once where there is no DataNode. */
    @Override
    public void waitClusterUp() throws IOException {
        waitFor(
                () -> getDataNodes().isEmpty() || isClusterUp(),
                () -> "a NameNode is in safe mode or knows no DataNode; see the log");
    }

    /** Returns when the NameNode knows as many live DataNodes as there are. */
    @Override
    public void waitActive(int nnIndex) throws IOException {
        NamenodeProtocols nameNode = getNameNodeRpc(nnIndex);
        if (nameNode != null) {
            waitFor(
                    () -> isOneDown(nnIndex)
                            || live(nameNode).length == getDataNodes().size(),
                    () -> "of the DataNodes " + getDataNodes() + " the NameNode knows "
                            + Arrays.toString(live(nameNode)));
        }
        super.waitActive(nnIndex);
    }

    private boolean isOneDown(int nnIndex) {
        return getDataNodes().stream()
                .anyMatch(node -> !node.isConnectedToNN(getNameNode(nnIndex).getServiceRpcAddress()));
    }

    private static Object[] live(NamenodeProtocols nameNode) {
        try {
            return nameNode.getDatanodeReport(DatanodeReportType.LIVE);
        } catch (IOException e) {
            return new Object[] {e}; // it starts, or it is a standby
        }
    }

    private static void waitFor(BooleanSupplier state, Supplier<String> otherwise) throws IOException {
        long start = System.nanoTime();
        while (!state.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LONGEST_S)) {
                throw new IOException("the mini cluster is not up after " + LONGEST_S + " s: " + otherwise.get());
            }
            try {
                Thread.sleep(POLL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException)
                        new InterruptedIOException("interrupted while the mini cluster starts").initCause(e);
            }
        }
    }
}
