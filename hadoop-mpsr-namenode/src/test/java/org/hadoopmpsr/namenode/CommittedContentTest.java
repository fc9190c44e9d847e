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
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.proto.MpsrProtos.CommittedContentProto;
import org.hadoopmpsr.client.verify.PlacementCheck;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.namenode.store.Attributes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What a dataset should hold is known from what was committed, and not from what a NameNode finds when it starts. */
class CommittedContentTest {
    private static TestCluster cluster;
    private static MpsrClient client;
    private Dataset dataset;
    private TestCommit first;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.health.interval.seconds", 1);
        conf.setBoolean("dfs.client.retry.policy.enabled", true);
        conf.set("dfs.client.retry.policy.spec", "100,20");
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void publish(TestInfo test) throws Exception {
        dataset =
                client.createDataset("/" + test.getTestMethod().orElseThrow().getName() + "/meas", TestCluster.SCHEMA);
        first = new TestCommit(dataset, 0, 10).stage(client, cluster.fs());
        first.publish(client);
        new TestCommit(dataset, 10, 20).stage(client, cluster.fs()).publish(client);
    }

    private List<String> warnings() throws Exception {
        return cluster.status().getWarningList().stream()
                .filter(w -> w.startsWith(dataset.path() + ", "))
                .toList();
    }

    private void assertWarns(String group, String... texts) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(warnings())
                        .singleElement()
                        .asString()
                        .startsWith(dataset.path() + ", group '" + group + "': ")
                        .contains(texts));
    }

    private void assertWell() {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(warnings()).isEmpty();
            assertThat(client.getDataset(dataset.path()).representations())
                    .allSatisfy(r -> assertThat(r.unusable()).isNull());
        });
    }

    @Test
    void aDeletedFileOfTheDefaultGroupIsMissedAfterARestartToo() throws Exception {
        String file = first.published("time");
        cluster.fs().delete(new Path(file), false);
        assertWarns("time", "1 published file(s) below " + dataset.path() + " have vanished: " + file);

        cluster.restartNameNode();

        assertWarns(
                "time",
                "diverged: 1 files with 10 records lie below " + dataset.path()
                        + ", but 2 files with 20 records were committed; they differ in commit(s) t-0-0-10");
        assertThat(client.plan(dataset.path(), Filter.ALL, "signal")
                        .orElseThrow()
                        .stock())
                .as("without the default group nothing else is read")
                .isTrue();
        assertThat(client.getDataset(dataset.path()).representations())
                .filteredOn(r -> r.unusable() == null)
                .extracting(Dataset.Representation::group)
                .containsExactly("signal", "device");
        PlacementCheck.Result checked =
                PlacementCheck.run(client, cluster.conf(), cluster.mini().getURI(), dataset.path());
        assertThat(checked.isRight()).isFalse();
        assertThat(checked.differences()).hasSize(2);
        assertThat(checked.differences().get(0)).startsWith("group 'time' cannot be read: diverged: 1 files");
        assertThat(checked.differences().get(1))
                .startsWith("the groups hold different records: time 10 with hash ")
                .contains("signal 20 with hash ");
        assertThat(cluster.counter("DifferingDatasets")).isPositive();
    }

    @Test
    void aDeletedFileOfAnotherGroupIsMissedAfterARestartToo() throws Exception {
        cluster.pastMpsr().delete(new Path(first.published("signal")), false);
        cluster.restartNameNode();

        assertWarns("signal", "2 files with 20 records were committed; they differ in commit(s) t-0-0-10");
        assertThat(client.plan(dataset.path(), Filter.ALL, "device")
                        .orElseThrow()
                        .group())
                .isEqualTo("device");

        // the other groups tell which segment lacks records; a filter may need them, whatever is left of the segment
        ReadRequest all = ReadRequest.ofAllColumns(Filter.ALL).inParts();
        ReadPlan plan = client.plan(dataset.path(), all, "signal", List.of()).orElseThrow();
        assertThat(plan.parts())
                .extracting(ReadPlan.Part::group)
                .startsWith("signal")
                .hasSize(2);
        assertThat(plan.parts()).allSatisfy(part -> assertThat(part.files()).hasSize(1));
        assertThat(plan.parts().get(0).files().get(0).path()).contains("/t-0-10-20-");
        assertThat(plan.parts().get(1).files().get(0).path()).contains("/t-0-0-10-");
        assertThat(plan.reason()).contains("(signal: diverged: 1 files with 10 records lie below ");
        ReadRequest one = ReadRequest.ofAllColumns(new Filter.Compare(Filter.Operator.EQ, "signal", "PT-0"))
                .inParts();
        assertThat(client.plan(dataset.path(), one, null, List.of())
                        .orElseThrow()
                        .files())
                .singleElement()
                .satisfies(f -> assertThat(f.path()).contains("/t-0-0-10-"));
    }

    @Test
    void theSameRecordsDeletedInEveryGroupAreMissedToo() throws Exception {
        for (String group : dataset.groups().names()) {
            cluster.pastMpsr().delete(new Path(first.published(group)), false);
        }
        cluster.restartNameNode();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(warnings())
                        .hasSize(3)
                        .allSatisfy(w -> assertThat(w).contains("but 2 files with 20 records were committed")));
        new TestCommit(dataset, 20, 30).stage(client, cluster.fs()).publish(client);
        await().untilAsserted(() -> assertThat(warnings())
                .hasSize(3)
                .allSatisfy(w -> assertThat(w).contains("but 3 files with 30 records were committed")));
    }

    @Test
    void aFileThatIsPutBackAfterARestartIsAPartOfItAgain() throws Exception {
        Path file = new Path(first.published("time"));
        Path away = new Path("/away" + dataset.path());
        cluster.fs().mkdirs(away.getParent());
        cluster.fs().rename(file, away);
        cluster.restartNameNode();
        assertWarns("time", "were committed");

        assertThat(cluster.fs().rename(away, file)).isTrue();

        assertWell();
        assertThat(client.plan(dataset.path(), Filter.ALL, "time").orElseThrow().files())
                .hasSize(2);
    }

    @Test
    void aDatasetOfWhichThatIsNotKnownIsAsItIsFound() throws Exception {
        cluster.fs().removeXAttr(new Path("/.mpsr/datasets/" + dataset.id()), Attributes.COMMITTED);
        for (String group : dataset.groups().names()) {
            cluster.pastMpsr().delete(new Path(first.published(group)), false);
        }
        cluster.restartNameNode();

        new TestCommit(dataset, 20, 30).stage(client, cluster.fs()).publish(client);

        assertWell();
        assertThat(client.getDataset(dataset.path()).representations())
                .allSatisfy(r -> assertThat(r.content().count()).isEqualTo(20));
    }

    @Test
    void aNewerFormIsRefused() throws Exception {
        Path store = new Path("/.mpsr/datasets/" + dataset.id());
        byte[] newer =
                CommittedContentProto.newBuilder().setFormatVersion(3).build().toByteArray();
        cluster.pastMpsr().setXAttr(store, Attributes.COMMITTED, newer);

        String message = "cannot read the committed content of '" + store + "': it has format version 3";
        assertThat(client.plan(dataset.path(), Filter.ALL, null).orElseThrow().reason())
                .contains(message);
        assertThatThrownBy(() -> new TestCommit(dataset, 20, 30)
                        .stage(client, cluster.fs())
                        .publish(client))
                .hasMessageContaining(message);
        cluster.fs().removeXAttr(store, Attributes.COMMITTED);
    }
}
