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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hdfs.server.namenode.NNThroughputBenchmark.OperationStatsBase;
import org.slf4j.event.Level;

/**
 * Threads that do operations, such as those of NNThroughputBenchmark: its own main thread spins while they work, which on
 * a machine of two cores takes half of what is measured, and a failed operation leaves it spinning for ever.
 */
public final class OperationThreads {

    private OperationThreads() {}

    /** An operation. */
    public interface Operation {

        /**
         * Does it once.
         *
         * @param thread the number of the thread, from 0
         * @param n how many the thread did before
         */
        void run(int thread, int n) throws IOException;
    }

    /**
     * Prepares the inputs of an operation that is to be done so many times in all, in threads of which each has a number.
     */
    static void prepare(OperationStatsBase stats, int threads, int operations) throws IOException {
        stats.generateInputs(shares(threads, operations));
        NNThroughputBenchmark.setNameNodeLoggingLevel(Level.ERROR);
    }

    /** Does what was prepared. */
    static Measurement run(OperationStatsBase stats, int threads, int operations) throws IOException {
        return run(
                stats.getOpName(),
                (thread, n) -> stats.executeOp(thread, n, stats.getExecutionArgument(thread)),
                threads,
                operations);
    }

    /** Does an operation so many times in all. */
    public static Measurement run(String name, Operation operation, int threads, int operations) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch go = new CountDownLatch(1);
            List<Future<Integer>> done = new ArrayList<>();
            int[] shares = shares(threads, operations);
            for (int i = 0; i < threads; i++) {
                int thread = i;
                done.add(pool.submit(() -> {
                    go.await();
                    for (int n = 0; n < shares[thread]; n++) {
                        operation.run(thread, n);
                    }
                    return shares[thread];
                }));
            }
            long start = System.nanoTime();
            go.countDown();
            int all = 0;
            for (Future<Integer> thread : done) {
                all += thread.get();
            }
            return new Measurement(all, System.nanoTime() - start);
        } catch (ExecutionException e) {
            throw new IOException(name + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while measuring " + name, e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static int[] shares(int threads, int operations) {
        int[] shares = new int[threads];
        for (int i = 0; i < threads; i++) {
            shares[i] = operations / threads + (i < operations % threads ? 1 : 0);
        }
        return shares;
    }
}
