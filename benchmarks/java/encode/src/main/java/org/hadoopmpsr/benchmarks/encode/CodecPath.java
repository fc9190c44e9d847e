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
package org.hadoopmpsr.benchmarks.encode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.hadoopmpsr.columnar.compress.AutoPages;
import org.hadoopmpsr.columnar.compress.ChosenPages;
import org.hadoopmpsr.columnar.compress.PageCompressors;
import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.codec.SamplingBudget;
import org.hadoopmpsr.core.codec.WriteMonitor;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.stats.FileStatistics;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares the codec {@code auto} with each codec by itself. Pages are compressed and measured; the network is a rate, and a file takes the longer of
 * compression and transfer, as in HDFS's writer. {@code auto} begins without knowledge in each case, and its samples count as compression.
 */
@Command(
        name = "codec-path",
        mixinStandardHelpOptions = true,
        description =
                "Compresses pages of measured values with the codec auto and with each codec by itself, at several rates of the"
                        + " network; prints a line of JSON for each case.")
public final class CodecPath implements Callable<Integer> {
    private static final double[] MB_PER_SECOND = {5, 20, 50, 100, 250, 500, 1500};
    private static final int PAGES_OF_FILE = 10;

    @Option(names = "--file", required = true, description = "The wind farm's Parquet file.")
    private Path file;

    @Option(names = "--values", defaultValue = "1000000", description = "Values of each set (${DEFAULT-VALUE}).")
    private int count;

    @Option(names = "--passes", defaultValue = "150", description = "How often auto writes them (${DEFAULT-VALUE}).")
    private int passes;

    @Option(names = "--rounds", defaultValue = "3", description = "Measured runs of each codec (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of generated values (${DEFAULT-VALUE}).")
    private long seed;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new CodecPath()).execute(args));
    }

    /** Compression of all pages once. */
    private record Cost(double cpuNs, double bytes) {
        /** Each file takes as long as the average one. */
        double latencyNs(double mbPerSecond) {
            return Math.max(cpuNs, bytes * 1e3 / mbPerSecond);
        }
    }

    @Override
    public Integer call() throws Exception {
        for (MeasuredValues data : List.of(
                MeasuredValues.of("lhb", file, count),
                MeasuredValues.generated(count, seed),
                MeasuredValues.lorenz96(count, seed))) {
            List<BytesInput> pages = pages(data);
            Map<Codec, Cost> costs = new LinkedHashMap<>();
            for (Codec codec : AutoCodecs.Purpose.FLUSH.tried()) {
                costs.put(codec, cost(pages, codec));
            }
            for (double mbPerSecond : MB_PER_SECOND) {
                auto(data.name(), pages, costs, mbPerSecond);
            }
        }
        return 0;
    }

    /** Plain pages in the order of a group by signals. */
    private static List<BytesInput> pages(MeasuredValues data) {
        int[] order = data.ordered().get(0).rows();
        List<BytesInput> pages = new ArrayList<>();
        for (int from = 0; from < order.length; from += FileStatistics.PAGE_ROWS) {
            int to = Math.min(order.length, from + FileStatistics.PAGE_ROWS);
            byte[] page = new byte[(to - from) * Double.BYTES];
            ByteBuffer into = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = from; i < to; i++) {
                into.putDouble(data.values().values()[order[i]]);
            }
            pages.add(BytesInput.from(page));
        }
        return pages;
    }

    private Cost cost(List<BytesInput> pages, Codec codec) throws IOException {
        BytesInputCompressor compressor = PageCompressors.of(codec);
        long least = Long.MAX_VALUE;
        long bytes = 0;
        for (int round = -1; round < rounds; round++) { // the first one compiles
            bytes = 0;
            long start = CpuTime.ofThread();
            for (BytesInput page : pages) {
                bytes += compressor.compress(page).size();
            }
            least = Math.min(least, CpuTime.ofThread() - start);
        }
        compressor.release();
        return new Cost(least, bytes);
    }

    private void auto(String name, List<BytesInput> pages, Map<Codec, Cost> costs, double mbPerSecond)
            throws IOException {
        AutoCodecs codecs = new AutoCodecs(
                AutoCodecs.Purpose.FLUSH,
                new SamplingBudget(SamplingBudget.SHARE),
                new WriteMonitor(0), // this network opens and closes files in no time
                text -> {});
        double all = 0;
        double steady = 0;
        try (AutoPages chosen = new AutoPages(codecs)) {
            BytesInputCompressor compressor = chosen.of(Codec.parse("auto"), name);
            for (int pass = 0; pass < passes; pass++) {
                double latency = 0;
                for (int from = 0; from < pages.size(); from += PAGES_OF_FILE) {
                    List<BytesInput> some = pages.subList(from, Math.min(pages.size(), from + PAGES_OF_FILE));
                    latency += write(some, compressor, codecs, mbPerSecond);
                }
                all += latency;
                steady += pass < passes / 2 ? 0 : latency;
            }
            compressor.release();
        }
        double best = costs.values().stream()
                .mapToDouble(cost -> cost.latencyNs(mbPerSecond))
                .min()
                .orElseThrow();
        Codec last = codecs.codec(name);
        System.out.println(String.format(
                Locale.ROOT,
                "{\"kind\": \"codec\", \"data\": \"%s\", \"mbPerSecond\": %.0f, \"best\": \"%s\", \"chosen\": \"%s\", \"changes\": %d,"
                        + " \"all\": %.4f, \"steady\": %.4f, \"choice\": %.4f, \"standard\": %.4f, \"sampling\": %.4f}",
                name,
                mbPerSecond,
                costs.entrySet().stream()
                        .filter(cost -> cost.getValue().latencyNs(mbPerSecond) <= best)
                        .findFirst()
                        .orElseThrow()
                        .getKey()
                        .text(),
                last.text(),
                codecs.changes(),
                all / passes / best,
                steady / (passes - passes / 2) / best,
                Objects.requireNonNull(costs.get(last)).latencyNs(mbPerSecond) / best,
                Objects.requireNonNull(costs.get(Codec.STANDARD)).latencyNs(mbPerSecond) / best,
                codecs.budget().share()));
    }

    /** A file; returns its latency in nanoseconds. */
    private static double write(
            List<BytesInput> pages, BytesInputCompressor compressor, AutoCodecs codecs, double mbPerSecond)
            throws IOException {
        long start = CpuTime.ofThread();
        ChosenPages.beginChunk(compressor);
        ChosenPages.beginPages(compressor);
        long bytes = 0;
        for (BytesInput page : pages) {
            bytes += compressor.compress(page).size();
        }
        long computeNs = CpuTime.ofThread() - start;
        double latency = Math.max(computeNs, bytes * 1e3 / mbPerSecond);
        codecs.monitor().file(bytes, (long) latency, (long) latency - computeNs, computeNs);
        return latency;
    }
}
