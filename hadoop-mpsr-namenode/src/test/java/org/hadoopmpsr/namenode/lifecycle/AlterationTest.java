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
package org.hadoopmpsr.namenode.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.Dataset.Alteration;
import org.hadoopmpsr.client.DatasetAlterations;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumns;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestDelete;
import org.hadoopmpsr.namenode.TestRebuild;
import org.hadoopmpsr.namenode.TestRewrite;
import org.hadoopmpsr.namenode.store.Attributes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Groups of datasets are added, set in another way and dropped, while records are committed, merged and deleted. */
class AlterationTest {
    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.set("dfs.mpsr.rebuild.delay.seconds", "100000"); // what an incomplete group lacks waits for nothing
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset dataset(String name) throws IOException {
        return client.createDataset("/alter/" + name, TestCluster.SCHEMA);
    }

    private static Dataset now(Dataset dataset) throws IOException {
        return client.getDataset(dataset.path());
    }

    private static TestCommit commit(Dataset dataset, long start) throws IOException {
        TestCommit commit = new TestCommit(now(dataset), start, start + 10);
        commit.stage(client, cluster.fs()).publish(client);
        return commit;
    }

    private static int version(Dataset dataset) throws IOException {
        byte[] definition = cluster.fs().getXAttr(new Path(dataset.path()), Attributes.DATASET);
        return DatasetProto.parseFrom(definition).getFormatVersion();
    }

    private static WantedGroup wanted(String group, String... predicates) {
        return new WantedGroup(
                group, Arrays.stream(predicates).map(Predicate::parse).toList(), List.of(), null);
    }

    /** Writes in an incomplete group what it lacks of some commits, as the maintenance service does. */
    private static void derive(Dataset dataset, String name, TestCommit... commits) throws IOException {
        Dataset now = now(dataset);
        String group = now.alterations().get(0).group().name();
        List<StagedFile> lacking = Arrays.stream(commits)
                .map(commit -> new TestCommit(now, start(commit), start(commit) + 10).file(group))
                .toList();
        derive(now, name, lacking);
    }

    private static void derive(Dataset now, String name, List<StagedFile> files) throws IOException {
        assertThat(new TestRebuild(now, name, files, List.of())
                        .stage(client, cluster.fs())
                        .publish(client)
                        .outcome())
                .isEqualTo(Outcome.COMMITTED);
    }

    private static long start(TestCommit commit) {
        return Long.parseLong(commit.id().split("-")[2]);
    }

    private static Dataset complete(Dataset dataset) {
        return await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> now(dataset), d -> d.alterations().isEmpty());
    }

    private static List<String> lacking(Dataset dataset) throws IOException {
        List<Damage> damages = client.damage(dataset.path(), 1_000).damages();
        assertThat(damages).allMatch(Damage::due).noneMatch(Damage::isDefault);
        return damages.stream().map(d -> d.segment() + " in " + d.group()).toList();
    }

    private static ReadPlan plan(Dataset dataset, @Nullable String group) throws IOException {
        return client.plan(dataset.path(), new Filter.Unknown(), group).orElseThrow();
    }

    /** That each group can be read, and holds all that the others do. */
    private static void assertWhole(Dataset dataset, long records, String... groups) throws IOException {
        Dataset now = now(dataset);
        assertThat(now.groups().names()).containsExactly(groups);
        for (Dataset.Representation r : now.representations()) {
            assertThat(r.unusable()).as(r.group()).isNull();
            assertThat(r.content().count()).as(r.group()).isEqualTo(records);
            assertThat(plan(now, r.group()).files()).hasSize((int) r.files());
            assertThat(cluster.filesBelow(r.root())).hasSize((int) r.files());
        }
        assertThat(client.damage(dataset.path(), 100).damages()).isEmpty();
    }

    @Test
    void aGroupIsSetWhileTheDatasetIsReadAndWritten() throws Exception {
        Dataset dataset = dataset("set");
        TestCommit first = commit(dataset, 0);
        TestCommit second = commit(dataset, 10);
        TestCommit unaware = new TestCommit(now(dataset), 20, 30).stage(client, cluster.fs());

        Dataset altered = client.alterations().set(dataset.path(), dataset.id(), wanted("signal", "bucket(4, device)"));

        assertThat(altered.groups()).isEqualTo(dataset.groups());
        Alteration alteration = altered.alterations().get(0);
        assertThat(alteration.group().name()).isEqualTo("signal.2");
        assertThat(alteration.group().predicates()).containsExactly(Predicate.parse("bucket(4, device)"));
        assertThat(alteration.replaces()).isEqualTo("signal");
        assertThat(lacking(dataset))
                .containsExactlyInAnyOrder(first.id() + " in signal.2", second.id() + " in signal.2");
        for (String group : List.of("time", "signal", "device")) {
            assertThat(plan(dataset, group).files()).as(group).hasSize(2);
        }
        assertThat(plan(dataset, null).stock()).isFalse();
        assertThatThrownBy(() -> plan(dataset, "signal.2")).hasMessageContaining("signal.2");
        PublishResult refused =
                client.publish(dataset.path(), dataset.id(), unaware.id(), unaware.sources(), unaware.files());
        assertThat(refused.refusal()).extracting(Refusal::kind).isEqualTo(Refusal.Kind.GROUPS_CHANGED);
        assertThat(refused.reason()).contains("the dataset has the group 'signal.2' now");

        TestCommit third = commit(dataset, 20); // the same records again, in all groups
        assertThat(third.files()).extracting(StagedFile::group).contains("signal.2");
        derive(dataset, "first", first);
        assertThat(lacking(dataset)).containsExactly(second.id() + " in signal.2");
        String before = first.published("signal");
        derive(dataset, "second", second);

        Dataset set = complete(dataset);
        assertThat(set.groups().find("signal.2")).contains(alteration.group());
        assertWhole(dataset, 30, "time", "device", "signal.2");
        assertThat(set.groups().meant("signal")).contains(alteration.group());
        assertThat(cluster.groupsBelow("/.mpsr/datasets/" + dataset.id() + "/signal.2"))
                .containsExactly("signal");
        assertThat(cluster.fs().open(new Path(before)).read())
                .as("who has planned it before still reads it")
                .isZero();
        TestCommit old = new TestCommit(dataset, 30, 40).stage(client, cluster.fs());
        refused = client.publish(dataset.path(), dataset.id(), old.id(), old.sources(), old.files());
        assertThat(refused.refusal()).extracting(Refusal::kind).isEqualTo(Refusal.Kind.GROUPS_CHANGED);
        commit(dataset, 30);
        assertWhole(dataset, 40, "time", "device", "signal.2");
    }

    /** Each plan has all records, whichever of two states of the groups it comes from. */
    @Test
    void queriesAreAnsweredAtTheMomentAtWhichAGroupIsComplete() throws Exception {
        Dataset dataset = dataset("moment");
        TestCommit first = commit(dataset, 0);
        AtomicBoolean ended = new AtomicBoolean();
        List<Future<Long>> readers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        for (int i = 0; i < 3; i++) {
            readers.add(threads.submit(() -> {
                long plans = 0;
                while (!ended.get()) {
                    long records = plan(dataset, null).files().stream()
                            .mapToLong(file -> file.statistics().content().count())
                            .sum();
                    assertThat(records).isEqualTo(10);
                    plans++;
                }
                return plans;
            }));
        }
        try {
            for (int i = 0; i < 8; i++) {
                client.alterations().set(dataset.path(), null, wanted("signal", i % 2 == 0 ? "device" : "system"));
                derive(dataset, "moment-" + i, first);
                complete(dataset);
            }
        } finally {
            ended.set(true);
            threads.shutdown();
        }
        for (Future<Long> reader : readers) {
            assertThat(reader.get(1, TimeUnit.MINUTES)).isPositive();
        }
    }

    @Test
    void segmentsAreMergedAndDeletedMeanwhile() throws Exception {
        Dataset dataset = dataset("changed");
        TestCommit first = commit(dataset, 0);
        TestCommit second = commit(dataset, 10);
        TestCommit third = commit(dataset, 20);
        client.alterations().set(dataset.path(), null, wanted("device", "system"));
        derive(dataset, "one", first);

        Map<String, Collection<StagedFile>> merged = new LinkedHashMap<>();
        merged.put(first.id(), first.files());
        merged.put(second.id(), second.files());
        TestRewrite rewrite = new TestRewrite(now(dataset), "merge-1", merged);
        assertThat(rewrite.stage(client, cluster.fs()).publish(client).outcome())
                .isEqualTo(Outcome.COMMITTED);
        assertThat(lacking(dataset)).containsExactlyInAnyOrder("merge-1 in device.2", third.id() + " in device.2");
        TestDelete delete = new TestDelete(now(dataset), "delete-1").drop(third);
        assertThat(delete.stage(client, cluster.fs()).publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(lacking(dataset)).containsExactly("merge-1 in device.2");

        Dataset now = now(dataset);
        Map<String, Collection<StagedFile>> derived = new LinkedHashMap<>();
        for (TestCommit commit : List.of(first, second)) {
            derived.put(commit.id(), List.of(new TestCommit(now, start(commit), start(commit) + 10).file("device.2")));
        }
        derive(now, "merged", new TestRewrite(now, "merge-1", derived).files());
        complete(dataset);
        assertWhole(dataset, 20, "time", "signal", "device.2");
    }

    @Test
    void anAlterationIsCancelledAndSurvivesARestart() throws Exception {
        Dataset dataset = dataset("cancelled");
        TestCommit first = commit(dataset, 0);
        client.alterations().set(dataset.path(), null, wanted("signal", "device"));
        derive(dataset, "first", first);
        await().until(() -> now(dataset).alterations().isEmpty());
        commit(dataset, 10);
        Dataset altered = client.alterations().set(dataset.path(), null, wanted("signal", "system"));
        assertThat(altered.alterations().get(0).group().name()).isEqualTo("signal.3");
        cluster.restartNameNode();
        assertThat(now(dataset).alterations()).isEqualTo(altered.alterations());
        TestCommit third = commit(dataset, 20);
        assertThat(third.files()).extracting(StagedFile::group).contains("signal.3");

        Dataset cancelled = client.alterations().cancel(dataset.path(), null);

        assertThat(cancelled.alterations()).isEmpty();
        assertWhole(dataset, 30, "time", "device", "signal.2");
        assertThat(client.alterations().cancel(dataset.path(), null).alterations())
                .isEmpty();
    }

    @Test
    void groupsAreDroppedAndAdded() throws Exception {
        Dataset dataset = dataset("dropped");
        TestCommit first = commit(dataset, 0);
        Path ordinary = new Path(dataset.path(), "ordinary.parquet");
        try (OutputStream out = cluster.fs().create(ordinary)) {
            out.write(1);
        }
        client.alterations().drop(dataset.path(), null, "signal"); // nobody else's records depend on a group
        cluster.fs().delete(ordinary, false);
        assertWhole(dataset, 10, "time", "device");
        assertThatThrownBy(() -> client.alterations().drop(dataset.path(), null, "device"))
                .hasMessageContaining("would have one copy of its records; add another group first");

        client.alterations()
                .add(dataset.path(), null, new WantedGroup("signal", List.of(), List.of(), Codecs.parse("snappy")));

        assertThat(now(dataset).alterations().get(0).group().codec().text()).isEqualTo("snappy");
        derive(dataset, "again", first);
        complete(dataset);
        assertWhole(dataset, 10, "time", "device", "signal.2"); // earlier states know the other one by its name
    }

    /** What the new group was never given is read from others, and a rollback says that it cannot be brought back. */
    @Test
    void earlierStatesAreReadFromGroupsThatHadThem() throws Exception {
        Dataset dataset = dataset("earlier");
        TestCommit first = commit(dataset, 0);
        TestCommit second = commit(dataset, 10);
        client.tag(dataset.path(), null, "before", null);
        client.alterations().set(dataset.path(), null, wanted("signal", "device"));
        TestDelete delete = new TestDelete(now(dataset), "delete-2").drop(second);
        assertThat(delete.stage(client, cluster.fs()).publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        derive(dataset, "first", first);
        complete(dataset);
        assertWhole(dataset, 10, "time", "device", "signal.2");

        for (String group : List.of("time", "device", "signal.2")) {
            ReadRequest request = ReadRequest.ofAllColumns(Filter.ALL).asOf(AsOf.parse("before"));
            ReadPlan plan =
                    client.plan(dataset.path(), request, group, List.of()).orElseThrow();
            assertThat(plan.files().stream()
                            .mapToLong(f -> f.statistics().content().count())
                            .sum())
                    .as(group)
                    .isEqualTo(20);
        }
        assertThatThrownBy(() -> client.planRollback(dataset.path(), "before"))
                .hasMessageContaining("was removed before it was written in group 'signal.2'");
    }

    @Test
    void theAdoptionOfFilesIsPaused() throws Exception {
        Dataset dataset = dataset("paused");
        assertThat(dataset.adoptionPaused()).isFalse();
        assertThat(client.alterations()
                        .pauseAdoption(dataset.path(), dataset.id(), true)
                        .adoptionPaused())
                .isTrue();
        cluster.restartNameNode();
        assertThat(now(dataset).adoptionPaused()).isTrue();
        assertThat(version(dataset)).isEqualTo(2);
        client.alterations().pauseAdoption(dataset.path(), null, false);
        assertThat(now(dataset).adoptionPaused()).isFalse();
    }

    /** Files keep the names of columns. */
    @Test
    void columnsAreShownOtherwise() throws Exception {
        Dataset dataset = dataset("shown");
        commit(dataset, 0);
        Schema before = dataset.schema();
        client.tag(dataset.path(), null, "before", null);
        DatasetAlterations alterations = client.alterations();
        alterations.renameColumn(dataset.path(), dataset.id(), "Value", "reading");
        Dataset altered = alterations.moveColumn(dataset.path(), null, "READING", null);
        assertThat(altered.columns().text()).startsWith("reading double (in files: value), signal string not null");
        assertThat(version(dataset)).isEqualTo(7);
        assertThat(altered.mixedFiles()).as("files have all columns").isFalse();

        assertThat(client.beginCommit(dataset.path(), dataset.id(), "c-1", DatasetColumns.of(before))
                        .refusal())
                .extracting(Refusal::kind)
                .isEqualTo(Refusal.Kind.GROUPS_CHANGED);
        assertThat(client.beginCommit(dataset.path(), dataset.id(), "c-1", altered.columns())
                        .refusal())
                .isNull();
        client.abortCommit(dataset.path(), dataset.id(), "c-1");
        commit(dataset, 10);
        assertWhole(dataset, 20, "time", "signal", "device");

        alterations.dropColumn(dataset.path(), null, "reading");
        Dataset added = alterations.addColumn(dataset.path(), null, "value string");
        assertThat(added.columns().text())
                .isEqualTo(before.ddl().replace("value double", "value string (in files: value_2)"));
        assertThat(added.mixedFiles()).isTrue();
        alterations.set(dataset.path(), null, wanted("signal", "bucket(2, value)"));
        assertThat(now(dataset).alterations())
                .singleElement()
                .satisfies(
                        a -> assertThat(a.group().predicates()).containsExactly(Predicate.parse("bucket(2, value_2)")));
        assertThatThrownBy(() -> alterations.set(dataset.path(), null, wanted("device", "value_2")))
                .hasMessageContaining("column 'value_2' was renamed or dropped; the dataset has signal string");
        alterations.cancel(dataset.path(), null);
        assertThatThrownBy(() -> alterations.dropColumn(dataset.path(), null, "signal"))
                .hasMessageContaining("is named in the predicate");

        cluster.restartNameNode();
        assertThat(now(dataset).columns()).isEqualTo(added.columns());
        assertThat(shownAsOf(dataset, null)).isEqualTo(added.columns());
        assertThat(shownAsOf(dataset, "1")).isEqualTo(new DatasetColumns(added.schema(), altered.shown()));
        assertThat(shownAsOf(dataset, "before")).isEqualTo(new DatasetColumns(added.schema(), ShownColumns.of(before)));
    }

    private DatasetColumns shownAsOf(Dataset dataset, @Nullable String state) throws Exception {
        ReadRequest request = ReadRequest.ofAllColumns(Filter.ALL);
        ReadPlan plan = client.plan(
                        dataset.path(), state == null ? request : request.asOf(AsOf.parse(state)), "time", List.of())
                .orElseThrow();
        return new DatasetColumns(plan.schema(), plan.shown());
    }

    /** What is stated of files that were written before is read with the altered columns. */
    @Test
    void columnsAreAddedAndWidened() throws Exception {
        Dataset dataset = dataset("columns");
        TestCommit first = commit(dataset, 0);
        Schema before = dataset.schema();
        Dataset added = client.alterations().addColumn(dataset.path(), dataset.id(), "Pressure float");
        assertThat(added.schema().ddl()).isEqualTo(before.ddl() + ", Pressure float");
        client.alterations().addColumn(dataset.path(), dataset.id(), "quality int");
        client.alterations().widenColumn(dataset.path(), null, "pressure double");
        Dataset altered = client.alterations().widenColumn(dataset.path(), null, "QUALITY bigint");
        assertThat(altered.schema().ddl()).isEqualTo(before.ddl() + ", Pressure double, quality bigint");

        assertThat(version(dataset)).isEqualTo(2);
        client.alterations().addColumn(dataset.path(), null, "tiny tinyint");
        assertThat(version(dataset)).isEqualTo(3);
        client.alterations().addColumn(dataset.path(), null, "pos struct<x:double>");
        assertThat(version(dataset)).isEqualTo(4);
        altered = now(dataset);

        assertThat(client.beginCommit(dataset.path(), dataset.id(), "c-1", DatasetColumns.of(before))
                        .refusal())
                .extracting(Refusal::kind)
                .isEqualTo(Refusal.Kind.GROUPS_CHANGED);
        assertThat(client.beginCommit(dataset.path(), dataset.id(), "c-1", altered.columns())
                        .refusal())
                .isNull();
        client.abortCommit(dataset.path(), dataset.id(), "c-1");
        new TestCommit(dataset, 10, 20).stage(client, cluster.fs()).publish(client); // of a writer that knows less
        commit(dataset, 20);
        assertWhole(dataset, 30, "time", "signal", "device");
        cluster.restartNameNode();
        assertThat(now(dataset).schema()).isEqualTo(altered.schema());
        assertWhole(dataset, 30, "time", "signal", "device");
        Filter ofFirst = new Filter.Compare(Filter.Operator.EQ, "signal", "PT-0");
        assertThat(client.plan(dataset.path(), ofFirst, "time").orElseThrow().files())
                .singleElement()
                .satisfies(file -> assertThat(file.path()).isEqualTo(first.published("time")));
    }

    /** An older MPSR cannot read such a definition. */
    @Test
    void columnsMayHaveAnyName() throws Exception {
        Dataset dataset = dataset("names");
        client.alterations().addColumn(dataset.path(), null, "`wind speed, m/s` smallint");
        assertThat(version(dataset)).isEqualTo(6);
        client.alterations().widenColumn(dataset.path(), null, "`Wind speed, m/s` int");
        client.alterations().addColumn(dataset.path(), null, "`a=b` struct<`x y`:double>");
        WantedGroup wanted = new WantedGroup(
                "device",
                List.of(Predicate.parse("bucket(4, `wind speed, m/s`)"), Predicate.parse("device")),
                SortKey.parseList("`wind speed, m/s`, signal"),
                null);
        client.alterations().set(dataset.path(), null, wanted);
        cluster.restartNameNode();

        Dataset now = complete(dataset);
        assertThat(now.schema().ddl())
                .isEqualTo(TestCluster.SCHEMA.ddl() + ", `wind speed, m/s` int, `a=b` struct<`x y`:double>");
        assertThat(now.groups().find("device.2").orElseThrow()).satisfies(group -> {
            assertThat(group.predicates()).isEqualTo(wanted.predicates());
            assertThat(group.sort()).isEqualTo(SortKey.of(List.of("wind speed, m/s", "signal")));
        });
        refused(
                "column 'wind speed, m/s' is named in the predicate 'bucket(4, `wind speed, m/s`)'",
                () -> client.alterations().widenColumn(dataset.path(), null, "`wind speed, m/s` bigint"));
        refused("is not plain as the name", () -> client.alterations().addColumn(dataset.path(), null, "a.b int"));
        Schema keyed =
                Schema.parse("signal string, device string, system string, timestamp_ns timestamp_ns, ` key` int");
        assertThat(client.createDataset(
                                "/alter/keys", keyed, List.of(" key", " signal ", "device", "system", "timestamp_ns"))
                        .keys())
                .containsExactly(" key", "signal", "device", "system", "timestamp_ns");
    }

    @Test
    void aDatasetWithoutRecordsIsAlteredAtOnce() throws Exception {
        Dataset dataset = dataset("empty");
        Dataset set = client.alterations().set(dataset.path(), null, wanted("signal", "device"));
        assertThat(set.alterations()).isEmpty();
        assertThat(set.groups().names()).containsExactly("time", "device", "signal.2");
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        Dataset dataset = dataset("refused");
        commit(dataset, 0);
        String path = dataset.path();
        refused("there is no replica group 'nobody'", () -> client.alterations().add(path, null, wanted("nobody")));
        refused("alter that with set-group", () -> client.alterations().add(path, null, wanted("signal")));
        refused("is like this already", () -> client.alterations().set(path, null, wanted("signal")));
        refused(
                "other readers and writers see the files of the default group",
                () -> client.alterations().set(path, null, wanted("time", "device")));
        refused("the default group", () -> client.alterations().drop(path, null, "time"));
        refused(
                "'nobody', only [time, signal, device]",
                () -> client.alterations().drop(path, null, "nobody"));
        refused("lacks", () -> client.alterations().set(path, null, wanted("signal", "no_column")));
        refused(
                "two predicates name column 'device'",
                () -> client.alterations().set(path, null, wanted("signal", "device", "bucket(2, Device)")));
        refused("is not a dataset", () -> client.alterations().cancel("/alter/none", null));
        refused("is another one", () -> client.alterations().cancel(path, "other-1"));
        cluster.as("mallory", () -> {
            try (MpsrClient other = cluster.client()) {
                refused("mallory", () -> other.alterations().cancel(path, null));
            }
            return true;
        });
        refused("already", () -> client.alterations().addColumn(path, null, "Value double"));
        refused("more than one column", () -> client.alterations().addColumn(path, null, "a int, b int"));
        refused("not null", () -> client.alterations().addColumn(path, null, "a int not null"));
        refused("cannot read column 'a'", () -> client.alterations().addColumn(path, null, "a"));
        refused("can have no other type", () -> client.alterations().widenColumn(path, null, "value float"));
        refused("is another one", () -> client.alterations().addColumn(path, "other-1", "a int"));
        client.alterations().set(path, null, wanted("signal", "device"));
        refused(
                "'signal.2' of replica group 'signal' is not complete yet",
                () -> client.alterations().set(path, null, wanted("signal", "system")));
        client.alterations().drop(path, null, "signal.2");
        assertWhole(dataset, 10, "time", "signal", "device");
    }

    private static void refused(String message, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining(message);
    }
}
