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
package org.hadoopmpsr.columnar.flush;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.columnar.compress.AutoPages;
import org.hadoopmpsr.columnar.compress.PageCodecs;
import org.hadoopmpsr.columnar.file.GroupFileWriter.WrittenFile;
import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.codec.SamplingBudget;
import org.hadoopmpsr.core.codec.WriteRates;
import org.hadoopmpsr.core.group.Codecs;

/**
 * The codecs of columns whose codec is {@code auto} in a process that writes records to all groups, and what the process measures for them:
 * the time of threads, and in HDFS's streams. Safe for use by several threads.
 */
public final class FlushCodecs implements AutoCloseable {
    /**
     * For processes that write for several datasets, such as the executors of Spark: what one commit measures serves the next one. Changes are
     * not logged: the footers of the files tell the codecs.
     */
    public static final FlushCodecs OF_PROCESS = new FlushCodecs(change -> {});

    private final AutoCodecs codecs;
    private final AutoPages pages;
    private final LongSupplier clockNs;

    /**
     * Measures with the clocks of this process.
     *
     * @param log gets a line of text for each change
     */
    public FlushCodecs(Consumer<String> log) {
        this(new AutoCodecs(AutoCodecs.Purpose.FLUSH, new SamplingBudget(SamplingBudget.SHARE), log), System::nanoTime);
    }

    /** @param clockNs the time, in nanoseconds */
    public FlushCodecs(AutoCodecs codecs, LongSupplier clockNs) {
        this.codecs = codecs;
        this.clockNs = clockNs;
        pages = new AutoPages(codecs);
    }

    /** Writes a file. */
    public interface Writing {
        WrittenFile write(OutputFile file) throws IOException;
    }

    /** What columns get, where all files are of one dataset. */
    public PageCodecs pages() {
        return pages;
    }

    /** What the columns of a dataset get. Those of each dataset have profiles of their own. */
    public PageCodecs pages(String dataset) {
        return (codec, column) -> pages.of(codec, dataset + ":" + column);
    }

    /**
     * Writes a file, and measures how long HDFS takes where the group has columns whose codec is {@code auto}.
     *
     * @param codecs the group's
     */
    public WrittenFile write(OutputFile file, Codecs codecs, Writing writing) throws IOException {
        return codecs.isAuto() ? measured(file, writing) : writing.write(file);
    }

    private WrittenFile measured(OutputFile file, Writing writing) throws IOException {
        TimedFile timed = new TimedFile(file, clockNs);
        long cpu = AutoPages.cpuOfThread();
        long start = clockNs.getAsLong();
        WrittenFile written = writing.write(timed);
        codecs.monitor()
                .file(written.bytes(), clockNs.getAsLong() - start, timed.waitedNs(), AutoPages.cpuOfThread() - cpu);
        return written;
    }

    /** What is known of columns and of this process. */
    public AutoCodecs codecs() {
        return codecs;
    }

    /** How often a column got another codec. */
    public long changes() {
        return codecs.changes();
    }

    /** Of the CPU time of encoding, what samples take, in thousandths. */
    public long sampledPerMille() {
        return Math.round(codecs.budget().share() * 1000);
    }

    /** The part of a core that a thread has, in thousandths; 0 before the first file. */
    public long cpuSharePerMille() {
        return rates().map(rates -> Math.round(rates.cpuShare() * 1000)).orElse(0L);
    }

    /** What a thread is taken to send to the DataNodes, in bytes per second; 0 before the first file. */
    public long bytesPerSecond() {
        return rates().filter(rates -> rates.transferNs() > 0)
                .map(rates -> Math.round(1e9 / rates.transferNs()))
                .orElse(0L);
    }

    private Optional<WriteRates> rates() {
        return codecs.monitor().rates();
    }

    @Override
    public void close() {
        pages.close();
    }
}
