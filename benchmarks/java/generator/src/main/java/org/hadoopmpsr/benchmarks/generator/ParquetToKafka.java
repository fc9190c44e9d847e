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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sends the rows of a Parquet file to a Kafka topic in the order of their time, as the sensors would have. */
@Command(
        name = "parquet-to-kafka",
        mixinStandardHelpOptions = true,
        description = "Sends the rows of a Parquet file (signal, device, system, timestamp_ns, value) to a Kafka topic"
                + " in the order of their time.")
public final class ParquetToKafka implements Callable<Integer> {

    private static final long MAX_READINGS_IN_MEMORY = 4_000_000;
    private static final long PROGRESS_STEP = 250_000;

    @Option(names = "--file", required = true, description = "The Parquet file.")
    private Path file;

    @Option(names = "--bootstrap", required = true, description = "Host and port of a Kafka broker.")
    private String bootstrap;

    @Option(names = "--topic", required = true, description = "The topic; created if there is none.")
    private String topic;

    @Option(names = "--partitions", defaultValue = "2", description = "Partitions of a new topic (${DEFAULT-VALUE}).")
    private int partitions;

    @Option(names = "--format", defaultValue = "protobuf", description = "protobuf or json (${DEFAULT-VALUE}).")
    private MessageFormat format;

    @Option(names = "--limit", description = "Sends only that many rows, the earliest.")
    private long limit = Long.MAX_VALUE;

    private long sent;

    /** Runs the command and ends the process with its exit code: 0, or 1 when something could not be sent. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ParquetToKafka())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!Files.isReadable(file)) {
            System.err.println("cannot read the Parquet file " + file + ": no such file, or no permission");
            return 1;
        }
        ReadingsProducer.createTopic(bootstrap, topic, partitions);
        ReadingsFile readings = new ReadingsFile(file);
        try (ReadingsProducer producer = new ReadingsProducer(bootstrap, topic, format)) {
            for (TimeWindow window : TimeWindows.of(readings, MAX_READINGS_IN_MEMORY)) {
                if (sent < limit) {
                    send(readings.read(window), producer);
                }
            }
            producer.flush();
        }
        System.out.println("sent " + sent);
        return 0;
    }

    private void send(Readings readings, ReadingsProducer producer) {
        for (int row : readings.inTimeOrder()) {
            if (sent == limit) {
                return;
            }
            producer.send(readings, row);
            sent++;
            if (sent % PROGRESS_STEP == 0) {
                System.out.println("progress " + sent);
            }
        }
    }
}
