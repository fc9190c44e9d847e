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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Calls to HDFS itself by several users, as what others do is compared with. Beside them a client is as fast as it can be
 * beside so many calls on this machine.
 */
final class StockLoad {
    private final TestCluster cluster;
    private final int users;
    private final Call call;

    StockLoad(TestCluster cluster, int users, Call call) {
        this.cluster = cluster;
        this.users = users;
        this.call = call;
    }

    /** A call by number. */
    interface Call {
        void to(DistributedFileSystem fs, int number) throws IOException;
    }

    /** Makes so many calls, evenly in this time. */
    void paced(int calls, long takesNs) throws Exception {
        run(calls, takesNs, Long.MAX_VALUE);
    }

    /** Has the users call as fast as they can, for a time. Returns the number of calls. */
    int unpaced(long ns) throws Exception {
        return run(Integer.MAX_VALUE, 0, ns);
    }

    private int run(int calls, long takesNs, long endNs) throws Exception {
        AtomicInteger next = new AtomicInteger();
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(users);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < users; i++) {
                String user = "stock" + i;
                all.add(threads.submit(() -> cluster.<Object>as(user, () -> {
                    try (FileSystem own = FileSystem.newInstance(cluster.mini().getURI(), cluster.conf())) {
                        for (int n = next.getAndIncrement();
                                n < calls && System.nanoTime() - start < endNs;
                                n = next.getAndIncrement()) {
                            long due = start + (long) ((double) takesNs / calls * n);
                            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                                LockSupport.parkNanos(left);
                            }
                            call.to((DistributedFileSystem) own, n);
                        }
                    }
                    return null;
                })));
            }
            for (Future<?> one : all) {
                one.get();
            }
            return Math.max(0, next.get() - users);
        } finally {
            threads.shutdownNow();
        }
    }
}
