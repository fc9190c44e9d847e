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

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReadingsFileTest {

    private static final long JANUARY_1_2014_NS = 1_388_534_400_000_000_000L;
    private static final long ROWS = 2_925_377;

    private final ReadingsFile file = new ReadingsFile(Path.of("../../data", "lhb_scada.parquet"));

    @Test
    void readsEveryTimeOfTheShippedData() throws IOException {
        AtomicLong count = new AtomicLong();
        file.forEachTime(time -> count.incrementAndGet());
        assertThat(count).hasValue(ROWS);
    }

    @Test
    void readsAWindowOnly() throws IOException {
        TimeWindow hour = new TimeWindow(JANUARY_1_2014_NS, JANUARY_1_2014_NS + 3_599_999_999_999L);
        Readings readings = file.read(hour);
        assertThat(readings.size()).isEqualTo(28 * 6);
        for (int row = 0; row < readings.size(); row++) {
            assertThat(readings.timestampNs(row)).isBetween(hour.firstNs(), hour.lastNs());
            assertThat(readings.hasValue(row)).isTrue();
        }
        assertThat(readings.names()).contains("LHB.R80711:P_avg", "LHB.R80711", "LHB.POWER");
    }

    @Tag("long")
    @Test
    void windowsOfAThirdHoldEveryReadingOnce() throws IOException {
        List<TimeWindow> windows = TimeWindows.of(file, ROWS / 3);
        long sum = 0;
        for (TimeWindow window : windows) {
            int size = file.read(window).size();
            assertThat((long) size).isLessThanOrEqualTo(ROWS / 3);
            sum += size;
        }
        assertThat(sum).isEqualTo(ROWS);
        assertThat(windows).hasSizeBetween(3, 4);
    }
}
