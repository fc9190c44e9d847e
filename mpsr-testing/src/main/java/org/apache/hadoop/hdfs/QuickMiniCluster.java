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
import java.util.concurrent.TimeUnit;

/** A mini cluster that looks often whether it is up: Hadoop's own sleeps for a second between two looks. */
public final class QuickMiniCluster extends MiniDFSCluster {
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(30);
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
        long start = System.nanoTime();
        while (!getDataNodes().isEmpty() && !isClusterUp()) {
            if (System.nanoTime() - start > LONGEST_NS) {
                throw new IOException("the mini cluster is not up after " + TimeUnit.NANOSECONDS.toSeconds(LONGEST_NS)
                        + " s: a NameNode is in safe mode or knows no DataNode; see the log");
            }
            try {
                Thread.sleep(POLL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while the mini cluster starts", e);
            }
        }
    }
}
