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
package org.hadoopmpsr.benchmarks.generator;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.parquet.hadoop.ParquetWriter;
import org.hadoopmpsr.benchmarks.generator.CalsStream.Reading;
import org.hadoopmpsr.benchmarks.generator.CalsStream.Shape;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes readings as the archive of an accelerator has them, as many and as fast as wanted. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Generates readings like those of an accelerator's archive: many signals with very uneven rates,"
                + " late and repeated readings, fill number and beam mode. The same seed makes the same readings.")
public final class Generate implements Callable<Integer> {
    private static final long PROGRESS_NS = 5_000_000_000L;

    @ArgGroup(multiplicity = "1")
    private Target target = new Target();

    private static final class Target {
        @Option(names = "--parquet", description = "Write this Parquet file.", required = true)
        private @Nullable Path parquet;

        @ArgGroup(exclusive = false)
        private @Nullable Kafka kafka;
    }

    private static final class Kafka {
        @Option(names = "--bootstrap", description = "Send to this Kafka broker (host:port).", required = true)
        private String bootstrap;

        @Option(names = "--topic", description = "The topic; it is created when it is missing.", required = true)
        private String topic;

        @Option(names = "--partitions", defaultValue = "8", description = "Number of partitions (${DEFAULT-VALUE}).")
        private int partitions;

        @Option(names = "--sent", description = "Record in this file when every hundredth reading is sent.")
        private @Nullable Path sent;
    }

    @Option(names = "--records", defaultValue = "1000000", description = "Number of readings (${DEFAULT-VALUE}).")
    private long records;

    @Option(names = "--rate", defaultValue = "0", description = "Readings sent in a second; 0: no limit.")
    private double rate;

    @Option(names = "--signals", defaultValue = "10000", description = "Number of signals (${DEFAULT-VALUE}).")
    private int signals;

    @Option(names = "--devices", defaultValue = "500", description = "Number of devices (${DEFAULT-VALUE}).")
    private int devices;

    @Option(names = "--systems", defaultValue = "12", description = "Number of systems (${DEFAULT-VALUE}).")
    private int systems;

    @Option(names = "--start", defaultValue = "2017-05-01T00:00:00Z", description = "First time (${DEFAULT-VALUE}).")
    private Instant start;

    @Option(
            names = "--data-rate",
            defaultValue = "1000",
            description = "Readings in a second of their timestamps (${DEFAULT-VALUE}).")
    private double dataRate;

    @Option(names = "--late", defaultValue = "0.001", description = "Share that comes late (${DEFAULT-VALUE}).")
    private double late;

    @Option(names = "--duplicates", defaultValue = "0.001", description = "Share that comes twice (${DEFAULT-VALUE}).")
    private double duplicates;

    @Option(names = "--nulls", defaultValue = "0.01", description = "Share without a value (${DEFAULT-VALUE}).")
    private double nulls;

    @Option(names = "--seed", defaultValue = "1", description = "Seed (${DEFAULT-VALUE}).")
    private long seed;

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Generate()).execute(args));
    }

    /** Where readings go. */
    @FunctionalInterface
    private interface Sink {
        void accept(Reading reading) throws IOException;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String problems = problems();
        if (!problems.isEmpty()) {
            System.err.println(problems);
            return CommandLine.ExitCode.USAGE;
        }
        CalsCatalog catalog = new CalsCatalog(signals, devices, systems, seed);
        long startNs = Math.addExact(Math.multiplyExact(start.getEpochSecond(), 1_000_000_000L), start.getNano());
        Shape shape = new Shape(startNs, Math.max(1, (long) (1e9 / dataRate)), late, duplicates, nulls);
        CalsStream stream = new CalsStream(catalog, shape, seed);
        Kafka kafka = target.kafka;
        if (kafka == null) {
            try (ParquetWriter<Reading> writer = CalsParquet.open(Objects.requireNonNull(target.parquet), catalog)) {
                generate(stream, writer::write);
            }
        } else {
            ReadingsProducer.createTopic(kafka.bootstrap, kafka.topic, kafka.partitions);
            send(kafka, catalog, stream);
        }
        return 0;
    }

    private void send(Kafka kafka, CalsCatalog catalog, CalsStream stream) throws IOException {
        try (ReadingsProducer producer = new ReadingsProducer(kafka.bootstrap, kafka.topic, MessageFormat.PROTOBUF);
                SentTimes times = kafka.sent == null ? null : new SentTimes(kafka.sent)) {
            long[] number = {0};
            generate(stream, r -> {
                if (times != null) {
                    times.sending(number[0]++);
                }
                producer.send(catalog.signal(r.signal()), stream.encode(r));
            });
            producer.flush();
        }
    }

    private void generate(CalsStream stream, Sink sink) throws IOException {
        Pace pace = new Pace(rate);
        long begun = System.nanoTime();
        long nextReport = begun + PROGRESS_NS;
        for (long i = 0; i < records; i++) {
            sink.accept(stream.next());
            pace.step();
            if (i % 1024 == 0 && System.nanoTime() - nextReport > 0) {
                System.out.println("progress " + i);
                nextReport += PROGRESS_NS;
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(Locale.ROOT, "generated %d in %.1f s%n", records, seconds);
    }

    private String problems() {
        StringBuilder problems = new StringBuilder();
        if (records < 1 || signals < 1 || devices < 1 || systems < 1) {
            problems.append("--records, --signals, --devices and --systems must be at least 1. ");
        }
        if (rate < 0 || !(dataRate > 0)) {
            problems.append("--rate must not be negative, and --data-rate must be above 0. ");
        }
        for (double share : new double[] {late, duplicates, nulls}) {
            if (!(share >= 0 && share <= 1)) {
                problems.append("--late, --duplicates and --nulls are shares from 0 to 1, not ")
                        .append(share)
                        .append(". ");
            }
        }
        return problems.toString().trim();
    }
}
