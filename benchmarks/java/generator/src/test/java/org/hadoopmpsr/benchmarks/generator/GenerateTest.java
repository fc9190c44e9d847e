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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.benchmarks.generator.CalsStream.Reading;
import org.hadoopmpsr.benchmarks.generator.CalsStream.Shape;
import org.hadoopmpsr.benchmarks.proto.Measurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class GenerateTest {
    private static final long START = 1_493_596_800_000_000_000L;

    @TempDir
    private Path dir;

    private static List<Reading> readings(long seed, int count) {
        CalsStream stream =
                new CalsStream(new CalsCatalog(1000, 50, 5, seed), new Shape(START, 1_000_000, 0.1, 0.05, 0.2), seed);
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            readings.add(stream.next());
        }
        return readings;
    }

    @Test
    void makesTheSameReadingsOfTheSameSeed() {
        assertThat(readings(7, 5000)).isEqualTo(readings(7, 5000)).isNotEqualTo(readings(8, 5000));
    }

    @Test
    void keepsTheSharesThatWereAskedFor() {
        int count = 100_000;
        List<Reading> readings = readings(3, count);
        assertThat(readings.stream().filter(r -> !r.hasValue()).count() / (double) count)
                .isCloseTo(0.2, within(0.01));
        Map<Reading, Integer> counts = new HashMap<>();
        readings.forEach(r -> counts.merge(r, 1, Integer::sum));
        assertThat((count - counts.size()) / (double) count).isCloseTo(0.05, within(0.01));
        long latest = START;
        int late = 0;
        for (Reading reading : readings) {
            late += reading.timestampNs() < latest - 2_000_000_000L ? 1 : 0;
            latest = Math.max(latest, reading.timestampNs());
        }
        // those that are late by less than two seconds are not seen, and copies of others may be
        assertThat(late / (double) count).isBetween(0.08, 0.16);
    }

    @Test
    void logsFewSignalsOftenAndMostRarely() {
        Map<Integer, Integer> bySignal = new HashMap<>();
        readings(5, 100_000).forEach(r -> bySignal.merge(r.signal(), 1, Integer::sum));
        List<Integer> counts =
                bySignal.values().stream().sorted((a, b) -> b - a).toList();
        // 1/n of 1000 signals: the first has 13 % of the readings, the second half as many
        assertThat(counts.get(0) / 100_000.0).isCloseTo(0.134, within(0.02));
        assertThat(counts.get(1) / 100_000.0).isCloseTo(0.067, within(0.01));
        assertThat(counts.get(500)).isLessThan(100);
    }

    @Test
    void encodesReadingsAsMessages() throws Exception {
        CalsCatalog catalog = new CalsCatalog(10, 5, 3, 1);
        CalsStream stream = new CalsStream(catalog, new Shape(START, 1, 0, 0, 0.5), 1);
        for (int i = 0; i < 20; i++) {
            Reading reading = stream.next();
            Measurement message = Measurement.parseFrom(stream.encode(reading));
            assertThat(message.getSignal()).isEqualTo(text(catalog.signal(reading.signal())));
            assertThat(message.getDevice()).isEqualTo(text(catalog.device(reading.signal())));
            assertThat(message.getSystem()).isEqualTo(text(catalog.system(reading.signal())));
            assertThat(message.getTimestampNs()).isEqualTo(START + i + 1);
            assertThat(message.hasValue()).isEqualTo(reading.hasValue());
            assertThat(message.getValue()).isEqualTo(reading.hasValue() ? reading.value() : 0);
            assertThat(message.getFill()).isEqualTo(reading.fill());
            assertThat(message.getMode()).isEqualTo(text(CalsStream.mode(reading.mode())));
        }
    }

    @Test
    void writesAFileThatTheQuickstartTakes() throws Exception {
        Path file = dir.resolve("r.parquet");
        int exit = new CommandLine(new Generate())
                .execute("--parquet", file.toString(), "--records", "3000", "--signals", "40", "--devices", "6");
        assertThat(exit).isZero();
        ReadingsFile readings = new ReadingsFile(file);
        int rows = 0;
        for (TimeWindow window : TimeWindows.of(readings, 1_000_000)) {
            Readings read = readings.read(window);
            rows += read.size();
            assertThat(read.signal(0)).contains(":");
        }
        assertThat(rows).isEqualTo(3000);
    }

    @Test
    void refusesWhatMakesNoSense() {
        String file = dir.resolve("r.parquet").toString();
        assertThat(new CommandLine(new Generate()).execute("--parquet", file, "--late", "2"))
                .isEqualTo(2);
        assertThat(new CommandLine(new Generate()).execute("--records", "1")).isEqualTo(2);
        assertThat(new CommandLine(new Generate()).execute("--parquet", file, "--bootstrap", "a:1", "--topic", "t"))
                .isEqualTo(2);
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
