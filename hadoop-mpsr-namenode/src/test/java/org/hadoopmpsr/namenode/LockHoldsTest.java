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

import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.store.Namespace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What takes long takes the namesystem's lock often, and each time for little. */
class LockHoldsTest {
    private static final int FILES = 1_100;
    private static final int DATASETS = 120;

    private static TestCluster cluster;
    private static MpsrClient client;
    private static MpsrNamesystem system;
    private static Mpsr parts;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
        Dataset dataset = client.createDataset("/large/meas", TestCluster.SCHEMA);
        for (int i = 0; i < FILES; i++) {
            try (FSDataOutputStream none = cluster.fs().create(new Path(dataset.path() + "/f" + i))) {
                assertThat(none.getPos()).isZero();
            }
        }
        for (int i = 1; i < DATASETS; i++) {
            client.createDataset("/many/d" + i, TestCluster.SCHEMA);
        }
        // with holds of its own
        system = new MpsrNamesystem(cluster.mini().getNameNode());
        parts = Wiring.connect(system, MpsrConfig.read(key -> system.conf().getTrimmed(key)));
        parts.activation().activate();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private interface Work {
        void run() throws Exception;
    }

    private static long holds(Work work) throws Exception {
        long before = system.holds().count();
        work.run();
        return system.holds().count() - before;
    }

    @Test
    void aLargeDirectoryIsWalkedInSeveral() throws Exception {
        int[] files = new int[1];
        long holds = holds(() -> new Namespace(system).walk("/large/meas", (path, file) -> {
            files[0]++;
            return true;
        }));
        assertThat(files[0]).isEqualTo(FILES);
        assertThat(holds).as("two for a thousand entries each").isEqualTo(2);
    }

    @Test
    void aLargeDirectoryIsComparedInSeveral() throws Exception {
        DatasetRecord dataset = parts.datasets().at("/large/meas").orElseThrow();
        DatasetIndex index = parts.indexes().of(dataset);
        long holds = holds(() -> assertThat(
                        parts.verification().look(dataset, index, "time").untrackedFiles())
                .isEqualTo(FILES));
        assertThat(holds)
                .as("to find it, two for a thousand entries each, and one for what was committed")
                .isEqualTo(4);
    }

    @Test
    void datasetsAreReadInSeveral() throws Exception {
        assertThat(holds(parts.datasets()::load)).isGreaterThanOrEqualTo(3);
        assertThat(holds(parts.datasets()::refresh)).isGreaterThanOrEqualTo(2);
        assertThat(parts.datasets().byPath()).hasSize(DATASETS);
        List<String> paths = parts.datasets().after("/many/d5").stream()
                .map(DatasetRecord::path)
                .toList();
        assertThat(paths).isSorted().startsWith("/many/d50").doesNotContain("/many/d5");
    }

    @Test
    void aHoldWithinAHoldIsAPartOfIt() throws Exception {
        assertThat(holds(() -> system.read(() -> system.read(() -> true)))).isEqualTo(1);
        assertThat(system.holds().longestMs()).isLessThan(1_000);
    }
}
