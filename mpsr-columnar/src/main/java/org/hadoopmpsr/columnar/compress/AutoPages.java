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
package org.hadoopmpsr.columnar.compress;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.group.Codec;

/**
 * Chooses the codecs of {@code auto} by samples of the pages that are written. One page at a time is sampled, with all codecs; others are not held up. Safe for use by
 * several threads.
 */
public final class AutoPages implements PageCodecs, AutoCloseable {
    /** Smaller pages say little about a codec. */
    static final int LEAST_BYTES = 4 << 10;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final double FIRST_COST_NS = 150;

    private final AutoCodecs codecs;
    private final LongSupplier cpuNs;
    private final CodecSampler sampler;
    private final ReentrantLock lock = new ReentrantLock();
    private double costNs = FIRST_COST_NS;
    private boolean isClosed;

    /** Measures with the CPU time of threads. */
    public AutoPages(AutoCodecs codecs) {
        this(codecs, AutoPages::cpuOfThread);
    }

    /** @param cpuNs the CPU time of the calling thread, in nanoseconds */
    AutoPages(AutoCodecs codecs, LongSupplier cpuNs) {
        this.codecs = codecs;
        this.cpuNs = cpuNs;
        sampler = new CodecSampler(codecs.purpose().tried(), cpuNs);
    }

    /** The CPU time of the calling thread, in nanoseconds; where the platform does not tell it, the time. */
    public static long cpuOfThread() {
        long ns = THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : -1;
        return ns < 0 ? System.nanoTime() : ns;
    }

    /** What is known of columns and of this process. */
    public AutoCodecs codecs() {
        return codecs;
    }

    @Override
    public BytesInputCompressor of(Codec codec, String column) {
        return codec.isAuto() ? new ChosenPages(this, column) : PageCompressors.of(codec);
    }

    Codec codec(String column) {
        return codecs.codec(column);
    }

    long cpuNs() {
        return cpuNs.getAsLong();
    }

    void worked(long ns) {
        codecs.budget().worked(ns);
    }

    void compressed(long bytes, long ns) {
        codecs.budget().worked(ns);
        codecs.monitor().pages(bytes, ns);
    }

    /** Samples a page if it is the column's turn and the budget allows it. */
    void offer(String column, BytesInput page) throws IOException {
        if (page.size() < LEAST_BYTES || !codecs.profiles().isNext(column) || !lock.tryLock()) {
            return;
        }
        try {
            long bytes = Math.min(page.size(), CodecSampler.MOST_BYTES);
            if (!isClosed && codecs.budget().allows(bytes * costNs)) {
                long start = cpuNs();
                codecs.profiles().measured(column, sampler.sample(page));
                long took = cpuNs() - start;
                codecs.budget().sampled(took);
                costNs = Math.max(1, (double) took / bytes);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Frees what samples took; no page is sampled from then on. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            sampler.close();
        } finally {
            lock.unlock();
        }
    }
}
