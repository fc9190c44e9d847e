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
package org.hadoopmpsr.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.FilesToRead;
import org.hadoopmpsr.client.calibration.CalibratedCosts;
import org.hadoopmpsr.client.calibration.CalibratedCosts.Decoding;
import org.hadoopmpsr.client.calibration.Calibration;
import org.hadoopmpsr.core.assign.Assignment;
import org.hadoopmpsr.core.assign.SplitAssignment;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code hdfs mpsr assign} and {@code hdfs mpsr calibrate} ask a cluster. */
class ReadCostTest {
    private static TestCluster cluster;

    @BeforeAll
    static void write() throws IOException {
        cluster = TestCluster.start(TestCluster.stock(), 9, 3);
        for (int i = 0; i < 30; i++) {
            put("/data/part" + i % 3 + "/f" + i + ".parquet", 2_500_000);
        }
        put("/data/_SUCCESS", 1);
        put("/data/_temporary/0/f.parquet", 1);
        put("/text", 2_000);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** As Parquet files are at their ends: data, a footer of 100 bytes, its length, the magic number. */
    private static void put(String path, int length) throws IOException {
        try (FSDataOutputStream out = cluster.fs().create(new Path(path), (short) 2)) {
            out.write(new byte[length]);
            if (path.endsWith(".parquet")) {
                out.write(new byte[] {100, 0, 0, 0});
                out.write("PAR1".getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static FilesToRead find(String... paths) throws IOException {
        return FilesToRead.find(cluster.fs(), List.of(paths));
    }

    @Test
    void filesAreFoundWithTheirHolders() throws IOException {
        FilesToRead found = find("/data");
        assertThat(found.splits()).hasSize(30).containsKey("/data/part0/f0.parquet");
        assertThat(found.holders())
                .isSubsetOf(
                        "dn0.test",
                        "dn1.test",
                        "dn2.test",
                        "dn3.test",
                        "dn4.test",
                        "dn5.test",
                        "dn6.test",
                        "dn7.test",
                        "dn8.test");
        assertThat(found.splits().values()).allSatisfy(s -> {
            assertThat(s.bytes()).isEqualTo(2_500_008);
            // three blocks of a megabyte at most, each twice
            assertThat(s.localBytes().values().stream().mapToLong(b -> b).sum()).isEqualTo(2 * s.bytes());
        });
    }

    @Test
    void patternsAndFilesAreFoundOnce() throws IOException {
        assertThat(find("/data/part[01]", "/data/part0/f0.parquet", "/text").splits())
                .hasSize(21);
        assertThatThrownBy(() -> find("/data/none*"))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("there is no file or directory '/data/none*' on hdfs://");
    }

    @Test
    void mostIsAssignedToItsHolders() throws IOException {
        FilesToRead found = find("/data");
        List<String> nodes = List.copyOf(found.holders());
        Assignment assignment = SplitAssignment.assign(
                List.copyOf(found.splits().values()),
                nodes,
                MpsrConfig.read(k -> null).costs().read());
        // a file's three blocks lie on several nodes, one of which holds one of them at least
        assertThat(assignment.localShare()).isGreaterThan(0.35);
        assertThat(assignment.spread()).isLessThan(1.5);
        assertThat(assignment.loads().stream().mapToInt(Assignment.Load::splits).sum())
                .isEqualTo(30);
    }

    @Test
    void readsAreMeasured() throws IOException {
        Calibration measured = new Calibration();
        for (LocatedFileStatus file : FilesToRead.list(cluster.fs(), List.of("/data", "/text"))) {
            measured.footer(cluster.fs(), file, false);
            measured.block(cluster.fs(), file);
        }
        // all of these nodes are on this host; /text has no footer, and is too short to tell of a bandwidth
        assertThat(measured.openMs().orElseThrow().count()).isEqualTo(30);
        assertThat(measured.localFirstByteMs().orElseThrow().count()).isEqualTo(31);
        assertThat(measured.localMbPerSecond().orElseThrow().count()).isEqualTo(30);
        assertThat(measured.remoteFirstByteMs()).isEmpty();
        assertThat(measured.openMs().orElseThrow().median()).isPositive();

        Map<String, String> properties = CalibratedCosts.properties(measured, new Decoding(Map.of(), Optional.empty()));
        assertThat(properties.keySet())
                .containsExactly(
                        "dfs.mpsr.cost.disk.mb.per.second", "dfs.mpsr.cost.disk.prepare.ms", "dfs.mpsr.cost.open.ms");
        MpsrConfig config = MpsrConfig.read(properties::get);
        assertThat(config.problems()).isEmpty();
        assertThat(config.costs().openMs())
                .isBetween(
                        measured.openMs().orElseThrow().median() * 0.9,
                        measured.openMs().orElseThrow().median() * 1.1);
        assertThat(CalibratedCosts.xml(properties)).contains("<name>dfs.mpsr.cost.open.ms</name>");
    }
}
