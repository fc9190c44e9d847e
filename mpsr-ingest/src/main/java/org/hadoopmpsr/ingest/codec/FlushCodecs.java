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
package org.hadoopmpsr.ingest.codec;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.columnar.compress.AutoPages;
import org.hadoopmpsr.columnar.compress.PageCodecs;
import org.hadoopmpsr.columnar.file.GroupFileWriter.WrittenFile;
import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.codec.SamplingBudget;
import org.hadoopmpsr.core.codec.WriteRates;
import org.slf4j.Logger;

/**
 * The codecs of a sink's columns whose codec is {@code auto}, and what the sink measures for them: the time of threads, and in HDFS's
 * streams. Safe for use by several threads.
 */
public final class FlushCodecs implements AutoCloseable {
    private static final Logger LOG = PrintableLog.of(FlushCodecs.class);

    private final AutoCodecs codecs;
    private final AutoPages pages;
    private final LongSupplier clockNs;

    /** Measures with the clocks of this process. */
    public FlushCodecs() {
        this(
                new AutoCodecs(
                        AutoCodecs.Purpose.FLUSH,
                        new SamplingBudget(SamplingBudget.SHARE),
                        text -> LOG.info("codec=auto: {}", text)),
                System::nanoTime);
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

    /** What columns get. */
    public PageCodecs pages() {
        return pages;
    }

    /** Writes a file and measures how long HDFS takes. */
    public WrittenFile write(OutputFile file, Writing writing) throws IOException {
        TimedFile timed = new TimedFile(file, clockNs);
        long cpu = AutoPages.cpuOfThread();
        long start = clockNs.getAsLong();
        WrittenFile written = writing.write(timed);
        codecs.monitor()
                .file(written.bytes(), clockNs.getAsLong() - start, timed.waitedNs(), AutoPages.cpuOfThread() - cpu);
        return written;
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
