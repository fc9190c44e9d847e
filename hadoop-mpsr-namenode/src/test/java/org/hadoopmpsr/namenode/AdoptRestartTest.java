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
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A directory of which one half is adopted: what a failover and a stock NameNode make of it. */
@Tag("long")
class AdoptRestartTest {
    private static final String PATH = "/archive/meas";
    private static final short COPIES = 3;

    private static Configuration conf() {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        conf.setInt("dfs.mpsr.safemode.quiet.seconds", 1);
        return conf;
    }

    /** A part of the archive, which one change adopts. */
    private static TestAdopt part(Dataset dataset, String id, long start) {
        return new TestAdopt(dataset, id, start, 4);
    }

    /** The directory with the files of ordinary writers, with three copies each, as a dataset. */
    private static Dataset archive(DistributedFileSystem fs, MpsrClient client) throws IOException {
        for (String id : List.of("first", "second")) {
            for (int i = 0; i < 4; i++) {
                Path file = new Path(PATH + "/day=2014-05-01/part-" + i + "-of-" + id + ".parquet");
                DFSTestUtil.createFile(fs, file, TestCommit.BYTES, COPIES, i);
            }
        }
        return client.createDatasetAround(PATH, TestCluster.SCHEMA);
    }

    private static int copies(DistributedFileSystem fs, String file) throws IOException {
        return fs.getFileBlockLocations(new Path(file), 0, 1)[0].getHosts().length;
    }

    /** The surplus copies go, and never so many that a record has fewer copies than before. */
    private static void awaitOneCopyInTheGroup(DistributedFileSystem fs, List<String> files) {
        List<Integer> copies = new ArrayList<>();
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            copies.clear();
            for (String file : files) {
                copies.add(copies(fs, file));
                assertThat(fs.getFileStatus(new Path(file)).getReplication())
                        .as(file)
                        .isEqualTo((short) 1);
            }
            assertThat(copies).containsOnly(1);
        });
    }

    private static void assertAdopted(MpsrClient client, Dataset dataset, String... segments) throws IOException {
        assertThat(client.segments(PATH).segments())
                .extracting(Segments.Info::id)
                .containsExactlyInAnyOrder(segments);
        assertThat(client.getDataset(dataset.path()).representations()).allSatisfy(r -> {
            assertThat(r.unusable()).as(r.group()).isNull();
            assertThat(r.files()).as(r.group()).isEqualTo(4 * segments.length);
        });
        assertThat(client.untracked(PATH)).isEmpty();
    }

    @Test
    void anAdoptionGoesOnAfterAFailover() throws Exception {
        try (HaCluster cluster = HaCluster.start(conf());
                MpsrClient client = cluster.client();
                DistributedFileSystem fs = cluster.fs()) {
            Dataset dataset = archive(fs, client);
            TestAdopt first = part(dataset, "first", 0).read(client).stage(client, fs);
            TestAdopt second = part(dataset, "second", 100).read(client).stage(client, fs);
            client.alterations().pauseAdoption(PATH, null, true);
            assertThat(first.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

            cluster.failOver();
            assertThat(client.getDataset(PATH).adoptionPaused()).isTrue();
            assertThat(first.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
            assertThat(client.untracked(PATH)).extracting(UntrackedFile::path).isEqualTo(second.paths());
            awaitOneCopyInTheGroup(fs, first.paths());
            assertThat(second.paths())
                    .allSatisfy(file -> assertThat(copies(fs, file)).isEqualTo(COPIES));
            assertThat(second.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

            cluster.failOver();
            assertAdopted(client, dataset, "first", "second");
            awaitOneCopyInTheGroup(fs, second.paths());
            assertThat(cluster.groupsBelow(PATH)).isEqualTo(Set.of("time"));
        }
    }

    @Test
    void aStockNameNodeReadsWhatIsAdoptedInPart() throws Exception {
        try (TestCluster cluster = TestCluster.start(conf(), 3, 3);
                MpsrClient client = cluster.client()) {
            Dataset dataset = archive(cluster.fs(), client);
            TestAdopt first = part(dataset, "first", 0).read(client).stage(client, cluster.fs());
            assertThat(first.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
            List<String> second = part(dataset, "second", 100).paths();

            Configuration conf = cluster.mini().getConfiguration(0);
            TestCluster.removeMpsr(conf);
            cluster.restartNameNode();
            for (String file :
                    Stream.concat(first.paths().stream(), second.stream()).toList()) {
                assertThat(DFSTestUtil.readFileAsBytes(cluster.fs(), new Path(file)))
                        .hasSize(TestCommit.BYTES);
            }
            assertThat(second)
                    .allSatisfy(file -> assertThat(copies(cluster.fs(), file)).isEqualTo(COPIES));
            cluster.fs().setSafeMode(SafeModeAction.ENTER);
            cluster.fs().saveNamespace();
            cluster.fs().setSafeMode(SafeModeAction.LEAVE);

            TestCluster.addMpsr(conf);
            conf.setInt("dfs.mpsr.health.interval.seconds", 1);
            cluster.restartNameNode();
            assertThat(client.untracked(PATH)).extracting(UntrackedFile::path).isEqualTo(second);
            TestAdopt rest = part(dataset, "second", 100).read(client).stage(client, cluster.fs());
            assertThat(rest.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
            assertAdopted(client, dataset, "first", "second");
            awaitOneCopyInTheGroup(cluster.fs(), rest.paths());
        }
    }
}
