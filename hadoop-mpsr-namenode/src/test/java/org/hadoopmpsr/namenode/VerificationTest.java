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

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.web.WebHdfsTestUtil;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Every change of a representation that is not a commit is noticed by the next plan, though what has been seen once is not
 * looked at again. Each test begins with a dataset whose directories are known.
 */
class VerificationTest {
    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;
    private static FileSystem web;

    private Dataset dataset;
    private TestCommit commit;
    private Path file;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.startOnLocalhost(TestCluster.threeGroups(), 3);
        client = cluster.client();
        fs = cluster.fs();
        web = WebHdfsTestUtil.getWebHdfsFileSystem(cluster.mini().getConfiguration(0), "webhdfs");
    }

    @AfterAll
    static void stop() throws Exception {
        web.close();
        client.close();
        cluster.close();
    }

    @BeforeEach
    void publish(TestInfo test) throws Exception {
        dataset =
                client.createDataset("/" + test.getTestMethod().orElseThrow().getName() + "/meas", TestCluster.SCHEMA);
        commit = new TestCommit(dataset, 0, 10).stage(client, fs);
        commit.publish(client);
        new TestCommit(dataset, 10, 20).stage(client, fs).publish(client);
        file = new Path(commit.published("time"));
        assertSound();
        assertSound();
    }

    private ReadPlan plan() throws Exception {
        return client.plan(dataset.path(), Filter.ALL, null).orElseThrow();
    }

    private void assertSound() throws Exception {
        assertThat(plan().stock()).isFalse();
        assertThat(plan().files()).hasSize(2);
    }

    private void assertDiverged(String why) throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(plan().stock()).isTrue();
            assertThat(plan().reason()).contains(why);
        }
    }

    @Test
    void aFileThatComesAndGoes() throws Exception {
        Path stray = new Path(file.getParent(), "stray.parquet");
        cluster.write(stray.toString(), 100);
        assertDiverged("stray.parquet came without a commit");
        fs.delete(stray, false);
        assertSound();
    }

    /** A reader who reads such files too is given what is published, of any group, with their paths. */
    @Test
    void filesThatReadersReadBesides() throws Exception {
        ReadRequest all = ReadRequest.ofAllColumns(Filter.ALL).withUntracked();
        assertThat(plan(all, null).untracked()).isEmpty();
        Path stray = new Path(file.getParent(), "stray.parquet");
        Path late = new Path(dataset.path() + "/day=2030-01-01/late.parquet");
        cluster.write(stray.toString(), 100);
        cluster.write(late.toString(), 100);
        cluster.write(new Path(file.getParent(), "_temporary/0/part").toString(), 100);
        for (String group : new String[] {"time", "signal"}) {
            ReadPlan plan = plan(all, group);
            assertThat(plan.stock()).isFalse();
            assertThat(plan.group()).isEqualTo(group);
            assertThat(plan.files()).hasSize(2);
            assertThat(plan.untracked()).containsExactlyInAnyOrder(stray.toString(), late.toString());
            assertThat(plan.defaultTotals().files()).isEqualTo(2);
            assertThat(plan(all, group)).as("kept").isSameAs(plan);
        }
        assertDiverged(" came without a commit");
        fs.delete(late, false);
        assertThat(plan(all, "signal").untracked()).containsExactly(stray.toString());
    }

    /** Whoever deletes from the default group means all groups; what other groups have of these segments is not read. */
    @Test
    void publishedFilesThatAreDeleted() throws Exception {
        ReadRequest all = ReadRequest.ofAllColumns(Filter.ALL).withUntracked().inParts();
        cluster.write(new Path(file.getParent(), "stray.parquet").toString(), 100);
        fs.delete(file, false);
        for (String group : new String[] {"time", "signal"}) {
            ReadPlan plan = plan(all, group);
            assertThat(plan.stock()).as(plan.reason()).isFalse();
            assertThat(plan.group()).isEqualTo(group);
            assertThat(plan.files()).hasSize(1).noneMatch(f -> f.path().contains(commit.id()));
            assertThat(plan.untracked()).hasSize(1);
            assertThat(plan.defaultTotals().files()).isEqualTo(1);
            assertThat(plan(all, group)).as("kept").isSameAs(plan);
        }
        ReadRequest ofOneGroup = ReadRequest.ofAllColumns(Filter.ALL).withUntracked();
        assertThat(plan(ofOneGroup, "signal").group()).isEqualTo("time");
        assertThat(plan(ofOneGroup, "signal").files()).hasSize(1);
        assertDiverged(" came without a commit");
    }

    private ReadPlan plan(ReadRequest request, String group) throws Exception {
        return client.plan(dataset.path(), request, group, List.of()).orElseThrow();
    }

    @Test
    void aDirectoryThatComesAndGoes() throws Exception {
        Path stray = new Path(dataset.path() + "/day=2030-01-01/stray.parquet");
        cluster.write(stray.toString(), 100);
        assertDiverged("stray.parquet came without a commit");
        fs.delete(stray.getParent(), true);
        assertSound();
    }

    @Test
    void aFileThatIsReplacedByAnother() throws Exception {
        fs.delete(file, false);
        cluster.write(file.toString(), 1_000);
        assertDiverged("came without a commit");
    }

    @Test
    void aFileThatVanishes() throws Exception {
        fs.delete(file, false);
        assertDiverged("1 published file(s) below " + dataset.path() + " have vanished");
    }

    @Test
    void aDirectoryThatIsMovedAndMovedBack() throws Exception {
        Path day = file.getParent();
        Path other = new Path(day.getParent(), "day=2031-01-01");
        fs.rename(day, other);
        assertDiverged("was changed after it was published");
        fs.rename(other, day);
        assertSound();
    }

    @Test
    void aFileThatIsAppendedTo() throws Exception {
        DFSTestUtil.appendFile(fs, file, 10);
        assertDiverged("was changed after it was published");
    }

    @Test
    void aFileThatIsAppendedToAndStillOpen() throws Exception {
        try (var out = fs.append(file)) {
            assertDiverged("was changed after it was published");
            out.write(1);
        }
        assertDiverged("was changed after it was published");
    }

    @Test
    void aFileThatIsTruncated() throws Exception {
        fs.truncate(file, 500);
        assertDiverged("was changed after it was published");
    }

    @Test
    void aFileThatIsTruncatedOverTheWeb() throws Exception {
        web.truncate(file, 500);
        assertDiverged("was changed after it was published");
    }

    @Test
    void aFileThatIsTruncatedOverTheWebByItsNumber() throws Exception {
        web.truncate(
                new Path("/.reserved/.inodes/"
                        + fs.getClient().getFileInfo(file.toString()).getFileId()),
                500);
        assertDiverged("was changed after it was published");
    }

    @Test
    void theWebAnswersBeforeItReturns() throws Exception {
        try (LateReturns late = LateReturns.install(cluster)) {
            web.truncate(file, 500);
            assertDiverged("was changed after it was published");
        }
    }

    @Test
    void aFileThatGetsAnotherTime() throws Exception {
        fs.setTimes(file, 1, -1);
        assertDiverged("was changed after it was published");
    }

    @Test
    void aFileThatIsChangedAndGetsItsLengthAndTimeBack() throws Exception {
        FileStatus before = fs.getFileStatus(file);
        if (!fs.truncate(file, 500)) {
            await().until(() -> fs.isFileClosed(file));
        }
        DFSTestUtil.appendFile(fs, file, 500);
        fs.setTimes(file, before.getModificationTime(), -1);
        assertThat(fs.getFileStatus(file)).satisfies(now -> {
            assertThat(now.getLen()).isEqualTo(before.getLen());
            assertThat(now.getModificationTime()).isEqualTo(before.getModificationTime());
        });
        assertDiverged("was changed after it was published");
    }

    @Test
    void aFileThatLosesItsStatistics() throws Exception {
        fs.removeXAttr(file, Attributes.FILE);
        assertDiverged("was changed after it was published");
    }

    @Test
    void anotherRepresentation() throws Exception {
        Path device = new Path(commit.published("device"));
        cluster.pastMpsr().delete(device, false);
        assertThat(plan().stock()).isFalse();
        assertThat(plan().candidates())
                .filteredOn(c -> c.group().equals("device"))
                .singleElement()
                .satisfies(c -> assertThat(c.excluded()).contains("have vanished"));
    }

    @Test
    void theDatasetItselfMoves() throws Exception {
        Path moved = new Path("/moved/meas");
        fs.mkdirs(moved.getParent());
        fs.rename(new Path(dataset.path()), moved);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> client.plan(moved.toString(), Filter.ALL, null).isPresent());
        ReadPlan plan = client.plan(moved.toString(), Filter.ALL, null).orElseThrow();
        assertThat(plan.stock()).isFalse();
        assertThat(plan.files()).hasSize(2);
    }
}
