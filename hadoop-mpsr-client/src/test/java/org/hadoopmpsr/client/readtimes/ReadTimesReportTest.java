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
package org.hadoopmpsr.client.readtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.readtimes.ExpectedTimes;
import org.hadoopmpsr.core.readtimes.ReadTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** Times of reads in files, as DataNodes count them, and what is told of them. */
class ReadTimesReportTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final ExpectedTimes COST = ExpectedTimes.of(new ReadCost(5, 150_000, 0.5, 1_000_000));

    @TempDir
    private Path dir;

    private Path file(String... lines) throws Exception {
        return Files.write(dir.resolve("reads.csv"), List.of(lines));
    }

    @Test
    void columnsAreReadByTheirNames() throws Exception {
        ReadTimesFile.Content content = ReadTimesFile.read(file(
                "nanos,host,more,bytes,AT,disk",
                "1000, dn1 ,x,4096,1780000000000,/d1",
                "1000,dn2,x,4096,,",
                "fast,dn2,x,4096,,",
                "1000,dn2",
                "1000,,x,4096,,",
                "0,dn2,x,4096,,"));
        assertThat(content.reads())
                .containsExactly(
                        new ReadTime("dn1", "/d1", "", 4096, 1000, 1_780_000_000_000L),
                        new ReadTime("dn2", "", "", 4096, 1000, 0));
        assertThat(content.unreadable()).isEqualTo(4);
        assertThat(content.problem()).isEqualTo("line 4: nanos is no whole number: 'fast'");
    }

    @Test
    void writtenReadsAreReadAgain() throws Exception {
        List<ReadTime> reads = List.of(
                new ReadTime("dn1", "/d1", "dn2", 4096, 1000, 1_780_000_000_000L),
                new ReadTime("dn2", "", "", 1, 2, 0));
        Path written = dir.resolve("written.csv");
        ReadTimesFile.write(written, reads, "class", List.of("cached", "local disk"));
        assertThat(ReadTimesFile.read(written).reads()).isEqualTo(reads);
        assertThat(ReadTimesFile.read(written).unreadable()).isZero();
        assertThat(Files.readAllLines(written).get(2)).isEqualTo("1,2,dn2,,,,local disk");
    }

    @Test
    void readsOfATurnAreThoseOfACalibration() throws Exception {
        ReadTimesFile.Content content =
                ReadTimesFile.read(file("bytes,nanos,host,turn", "4096,1000,dn1,first", "4096,500,dn1,again"));
        assertThat(content.ofTurn("again")).containsExactly(new ReadTime("dn1", "", "", 4096, 500, 0));
        assertThat(ReadTimesFile.read(file("bytes,nanos,host", "1,1,a")).ofTurn("first"))
                .isEmpty();
    }

    @Test
    void filesWithoutTheColumnsOrReadsAreRefused() throws Exception {
        assertThatThrownBy(() -> ReadTimesFile.read(file("bytes,millis,host", "1,2,a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it needs bytes, nanos and host");
        assertThatThrownBy(() -> ReadTimesFile.read(file("bytes,nanos,host")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no read in");
    }

    @Test
    void aDataNodesCountersGiveTheMeanRead() throws Exception {
        String json = "{\"beans\":[{\"name\":\"x\",\"BytesRead\":3000000,\"TotalReadTime\":40,"
                + "\"ReadBlockOpNumOps\":7,\"ReadBlockOpAvgTime\":2.5}]}";
        LiveReads.Counts counts = LiveReads.counts(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
        assertThat(counts).isEqualTo(new LiveReads.Counts(7, 3_000_000, 40));

        LiveReads reads = new LiveReads(new org.apache.hadoop.conf.Configuration(false), List.of());
        reads.looked("dn1:9866", new LiveReads.Counts(3, 1_000_000, 20), 1_000);
        reads.looked("dn1:9866", counts, 2_000);
        reads.looked("dn1:9866", counts, 3_000); // nothing was read since
        reads.looked("dn1:9866", new LiveReads.Counts(1, 10, 1), 4_000); // it has started anew
        assertThat(reads.reads()).containsExactly(new ReadTime("dn1:9866", "", "", 500_000, 5_000_000, 2_000));
    }

    @Test
    void classesAndTheSlowHostAreToldAndDrawn() throws Exception {
        Random random = new Random(SEED);
        List<ReadTime> reads = new java.util.ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            String host = "dn" + i % 5;
            double ms = host.equals("dn4") ? 60 : i % 2 == 0 ? 0.1 : 6;
            long nanos = (long) (1e6 * ms * Math.exp(0.2 * random.nextGaussian()));
            reads.add(new ReadTime(host, "", host, 262_144, nanos, 0));
        }
        ReadTimesReport report = ReadTimesReport.of(reads, COST);
        assertThat(report.rows())
                .extracting(row -> row[0])
                .containsExactly("cached", "local disk", "slow or throttled disk");
        assertThat(report.lines())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("dn4 is ")
                        .endsWith("times as slow as the others: 600 reads, sure to 99.99 %"));
        assertThat((List<?>) report.json().get("classes")).hasSize(3);

        String html = ReadTimesPage.html(report, List.of("a < b & \"c\""));
        assertThat(html).contains("a &lt; b &amp; &quot;c&quot;").doesNotContain("NaN");
        int figures = 0;
        for (int at = html.indexOf("<svg"); at >= 0; at = html.indexOf("<svg", at + 1)) {
            String svg = html.substring(at, html.indexOf("</svg>", at) + 6);
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new InputSource(new StringReader(svg)))
                            .getDocumentElement()
                            .getChildNodes()
                            .getLength())
                    .isPositive();
            figures++;
        }
        assertThat(figures).isEqualTo(2);
    }
}
