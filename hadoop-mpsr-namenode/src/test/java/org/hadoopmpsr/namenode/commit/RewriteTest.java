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
package org.hadoopmpsr.namenode.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.FileNotFoundException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestRewrite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rewrites replace segments by one, with the same records, in all groups or in none. */
class RewriteTest {
    private static final LocalDate DAY = LocalDate.of(2014, 5, 1);
    private static final List<String> GROUPS = List.of("time", "signal", "device");

    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset dataset(String name) throws Exception {
        return client.createDataset("/" + name + "/meas", TestCluster.SCHEMA);
    }

    /** A commit of some files, of one day and signal. */
    private static TestCommit commit(Dataset dataset, long start, int parts) throws Exception {
        TestCommit commit = new TestCommit(
                dataset,
                "t-0-" + start + "-" + (start + 10),
                new CommitSource("t", 0, start, start + 10),
                "PT",
                DAY,
                parts);
        commit.stage(client, cluster.fs()).publish(client);
        return commit;
    }

    private static String store(Dataset dataset) {
        return "/.mpsr/datasets/" + dataset.id();
    }

    private static TestRewrite rewritten(Dataset dataset, String id, TestCommit... commits) throws Exception {
        TestRewrite rewrite = TestRewrite.of(dataset, id, commits).stage(client, cluster.fs());
        assertThat(rewrite.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        return rewrite;
    }

    private static void assertFiles(Dataset dataset, TestRewrite rewrite, TestCommit... commits) throws Exception {
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            List<String> files = new ArrayList<>(rewrite.published(r.group()));
            for (TestCommit commit : commits) {
                commit.files().stream()
                        .filter(f -> f.group().equals(r.group()))
                        .forEach(f -> files.add(r.root() + "/" + f.relativePath()));
            }
            assertThat(cluster.filesBelow(r.root())).containsExactlyInAnyOrderElementsOf(files);
            assertThat(r.files()).isEqualTo(files.size());
            assertThat(r.unusable()).isNull();
        }
    }

    @Test
    void oneSegmentTakesThePlaceOfSeveralInAllGroups() throws Exception {
        Dataset dataset = dataset("merged");
        TestCommit first = commit(dataset, 0, 2);
        TestCommit second = commit(dataset, 10, 3);
        TestCommit third = commit(dataset, 20, 1);
        TestRewrite rewrite = rewritten(dataset, "m1", first, second);

        assertFiles(dataset, rewrite, third);
        ContentHashes content = ContentHashes.of(rewrite.content())
                .plus(third.files().get(0).statistics().content());
        Dataset after = client.getDataset(dataset.path());
        assertThat(after.representations())
                .allSatisfy(r -> assertThat(r.content()).isEqualTo(content));
        assertThat(after.changes()).isEqualTo(new Dataset.Changes(1, 2, 15, 15_000));
        assertThat(after.offsets()).singleElement().matches(o -> o.end() == 30);
        assertThat(cluster.filesBelow(store(dataset) + "/staging")).isEmpty();
        assertThat(cluster.filesBelow(store(dataset) + "/publishing")).isEmpty();
        for (String group : GROUPS) {
            assertThat(cluster.groupsBelow(rewrite.published(group).get(0))).containsExactly(group);
            assertThat(client.plan(dataset.path(), new Filter.Unknown(), group)
                            .orElseThrow()
                            .files())
                    .hasSize(2);
            assertThat(cluster.groupsBelow(store(dataset) + "/replaced/m1/" + group))
                    .containsExactly(group);
        }
        assertThat(cluster.counter("Rewrites")).isPositive();
        assertThat(cluster.counter("LongLocks")).isNotNegative();
    }

    /** Streams that look at times then do not take it for new. */
    @Test
    void aNewFileHasTheTimeOfTheNewestThatItReplaces() throws Exception {
        Dataset dataset = dataset("times");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        long newest = Math.max(
                cluster.stat(first.published("time")).getModificationTime(),
                cluster.stat(second.published("time")).getModificationTime());
        TestRewrite rewrite = TestRewrite.of(dataset, "m1", first, second);
        await().until(() -> System.currentTimeMillis() > newest);
        rewrite.stage(client, cluster.fs());

        assertThat(rewrite.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        assertThat(cluster.stat(rewrite.published("time").get(0)).getModificationTime())
                .isEqualTo(newest);
        assertFiles(dataset, rewrite);
        cluster.restartNameNode();
        assertThat(cluster.stat(rewrite.published("time").get(0)).getModificationTime())
                .isEqualTo(newest);
        assertFiles(dataset, rewrite);
    }

    @Test
    void itsSegmentIsDescribedWithItsFiles() throws Exception {
        Dataset dataset = dataset("described");
        TestCommit first = commit(dataset, 0, 2);
        TestCommit second = commit(dataset, 10, 1);
        Segments before = client.segments(dataset.path());
        assertThat(before.sequence()).isZero();
        assertThat(before.datasetId()).isEqualTo(dataset.id());
        assertThat(before.segments()).extracting(Segments.Info::id).containsExactly(first.id(), second.id());
        assertThat(before.segments()).allMatch(s -> s.isReplaceable() && s.since() == 0 && s.rights() != null);

        rewritten(dataset, "m1", first, second);
        TestCommit third = commit(dataset, 20, 1);

        Segments after = client.segments(dataset.path());
        assertThat(after.sequence()).isEqualTo(2);
        assertThat(after.segments()).extracting(Segments.Info::id).containsExactly("m1", third.id());
        Segments.Info merged = after.segments().get(0);
        assertThat(merged.since()).isEqualTo(1);
        assertThat(merged.content().count()).isEqualTo(30);
        assertThat(merged.groups()).containsOnlyKeys(GROUPS);
        assertThat(merged.groups().get("time").files()).isEqualTo(1);
        assertThat(merged.groups().get("time").bytes()).isEqualTo(2_000);
        assertThat(after.segments().get(1).since()).isEqualTo(2);
        assertThat(client.segmentFiles(dataset.path(), "signal", List.of(third.id(), "m1")))
                .extracting(f -> f.statistics().commitId())
                .containsExactly(third.id(), "m1");
        assertThat(client.segmentFiles(dataset.path(), "signal", List.of("m1"))
                        .get(0)
                        .statistics()
                        .columns())
                .containsKey("signal");
        assertThatThrownBy(() -> client.segmentFiles(dataset.path(), "signal", List.of(first.id())))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("no current segment '" + first.id() + "'");
    }

    /** What is known of segments is kept from one state of the dataset to the next. */
    @Test
    void segmentsAreDescribedInEachStateAsAfterARestart() throws Exception {
        Dataset dataset = dataset("states");
        TestCommit first = commit(dataset, 0, 3);
        assertThat(client.segments(dataset.path()).segments()).hasSize(1);
        TestCommit second = commit(dataset, 10, 2);
        assertThat(client.segments(dataset.path()).segments()).hasSize(2);
        rewritten(dataset, "m1", first, second);
        assertThat(client.segments(dataset.path()).segments()).hasSize(1);
        TestCommit third = commit(dataset, 20, 2);
        client.segments(dataset("other-states").path());
        List<String> ids = List.of("m1", third.id());

        Segments seen = client.segments(dataset.path());
        List<DataFile> files = client.segmentFiles(dataset.path(), "time", ids);

        cluster.restartNameNode();
        assertThat(client.segments(dataset.path())).isEqualTo(seen);
        assertThat(client.segmentFiles(dataset.path(), "time", ids)).isEqualTo(files);
        assertThat(seen.segments()).extracting(Segments.Info::id).containsExactlyElementsOf(ids);
    }

    @Test
    void whoPlannedOrListedBeforeGoesOnReading() throws Exception {
        Dataset dataset = dataset("readers");
        TestCommit first = commit(dataset, 0, 2);
        TestCommit second = commit(dataset, 10, 1);
        FileTotals listed = FileTotals.EMPTY;
        for (String path : cluster.filesBelow(dataset.path())) {
            listed = listed.plus(path, cluster.stat(path).getLen());
        }
        ReadPlan planned =
                client.plan(dataset.path(), new Filter.Unknown(), "signal").orElseThrow();

        TestRewrite rewrite = rewritten(dataset, "m1", first, second);

        for (TestCommit commit : List.of(first, second)) {
            for (String group : GROUPS) {
                String path = commit.published(group);
                assertThat(cluster.stat(path).getLen()).isEqualTo(1_000);
                assertThat(cluster.fs().listStatus(new Path(path)))
                        .singleElement()
                        .satisfies(
                                s -> assertThat(s.getPath().toUri().getPath()).isEqualTo(path));
                assertThat(DFSTestUtil.readFileBuffer(cluster.fs(), new Path(path)))
                        .hasSize(1_000);
                assertThat(cluster.fs().getFileBlockLocations(new Path(path), 0, 10))
                        .hasSize(1);
            }
        }
        for (String group : GROUPS) {
            ReadPlan earlier = client.plan(
                            dataset.path(),
                            ReadRequest.ofAllColumns(new Filter.Unknown()).of(listed),
                            group,
                            List.of())
                    .orElseThrow();
            assertThat(earlier.stock()).isFalse();
            assertThat(earlier.files()).extracting(f -> f.path()).hasSize(3).allSatisfy(path -> {
                assertThat(path).doesNotContain("m1-");
                assertThat(cluster.stat(path).getLen()).isEqualTo(1_000);
            });
        }
        assertThat(planned.files())
                .allSatisfy(f -> assertThat(cluster.stat(f.path()).getLen()).isEqualTo(1_000));
        assertThat(rewrite.published("time"))
                .allSatisfy(p -> assertThat(cluster.stat(p).getLen()).isEqualTo(2_000));
        assertThat(cluster.fs().exists(new Path(dataset.path() + "/never.parquet")))
                .isFalse();
    }

    @Test
    void aRepeatedRewriteHasNoEffect() throws Exception {
        Dataset dataset = dataset("repeated");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        TestRewrite rewrite = rewritten(dataset, "m1", first, second);

        assertThat(rewrite.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        cluster.restartNameNode();
        assertThat(rewrite.publish(client).outcome()).isEqualTo(Outcome.ALREADY_COMMITTED);
        assertFiles(dataset, rewrite);
        assertThat(client.getDataset(dataset.path()).changes().sequence()).isEqualTo(1);
    }

    @Test
    void aRewriteOfRewrittenSegmentsKnowsWhereItsRecordsCameFrom() throws Exception {
        Dataset dataset = dataset("twice");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        TestRewrite one = rewritten(dataset, "m1", first, second);
        TestCommit third = commit(dataset, 20, 1);
        TestRewrite two = new TestRewrite(
                dataset, "m2", new java.util.LinkedHashMap<>(Map.of("m1", one.files(), third.id(), third.files())));
        two.stage(client, cluster.fs());

        assertThat(two.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        assertFiles(dataset, two);
        assertThat(client.segments(dataset.path()).segments()).singleElement().satisfies(s -> {
            assertThat(s.since()).isEqualTo(3);
            assertThat(s.first()).isZero();
            assertThat(s.last()).isEqualTo(2);
        });
        assertThat(cluster.stat(first.published("device")).getLen()).isEqualTo(1_000);
        assertThat(cluster.stat(one.published("device").get(0)).getLen()).isEqualTo(2_000);
    }

    @Test
    void ofTwoRewritesOfOneSegmentTheSecondIsFenced() throws Exception {
        Dataset dataset = dataset("fenced");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        List<TestRewrite> both = List.of(
                TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs()),
                TestRewrite.of(dataset, "m2", second, first).stage(client, cluster.fs()));

        List<PublishResult> results = atOnce(both);

        assertThat(results)
                .extracting(PublishResult::outcome)
                .containsExactlyInAnyOrder(Outcome.COMMITTED, Outcome.FENCED);
        TestRewrite winner = both.get(results.get(0).outcome() == Outcome.COMMITTED ? 0 : 1);
        assertThat(results)
                .anySatisfy(r -> assertThat(r.reason())
                        .contains("change " + winner.id()
                                + " has replaced it already: drop the staged files and plan anew"));
        assertFiles(dataset, winner);
    }

    private static List<PublishResult> atOnce(List<TestRewrite> rewrites) throws Exception {
        ExecutorService jobs = Executors.newFixedThreadPool(rewrites.size());
        try {
            List<Future<PublishResult>> running = new ArrayList<>();
            for (TestRewrite rewrite : rewrites) {
                running.add(jobs.submit(() -> rewrite.publish(client)));
            }
            List<PublishResult> results = new ArrayList<>();
            for (Future<PublishResult> job : running) {
                results.add(job.get());
            }
            return results;
        } finally {
            jobs.shutdownNow();
        }
    }

    private static void assertRefused(Refusal.Kind kind, String reason, Callable<PublishResult> publish)
            throws Exception {
        PublishResult result = publish.call();
        assertThat(result.outcome()).as(result.reason()).isEqualTo(Outcome.REFUSED);
        assertThat(result.refusal()).isNotNull();
        assertThat(result.refusal().kind()).isEqualTo(kind);
        assertThat(result.reason()).contains(reason);
    }

    @Test
    void whatWasChangedByHandIsNotReplaced() throws Exception {
        Dataset dataset = dataset("byhand");
        TestCommit first = commit(dataset, 0, 2);
        TestCommit second = commit(dataset, 10, 1);
        TestRewrite rewrite = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());
        cluster.fs().truncate(new Path(second.published("time")), 10);

        assertRefused(Refusal.Kind.NOT_REPLACEABLE, "was deleted, moved or changed", () -> rewrite.publish(client));

        assertThat(client.segments(dataset.path()).segments())
                .filteredOn(s -> !s.isReplaceable())
                .singleElement()
                .satisfies(s -> {
                    assertThat(s.id()).isEqualTo(second.id());
                    assertThat(s.notReplaceable()).contains("was changed after it was published");
                });
        cluster.fs().delete(new Path(first.published("time")), false);
        assertRefused(Refusal.Kind.NOT_REPLACEABLE, "the segments cannot be replaced: ", () -> rewrite.publish(client));
        assertThat(cluster.fs().exists(new Path(store(dataset) + "/replaced"))).isFalse();
    }

    private static StagedFile without(StagedFile file, ContentHash leftOut) {
        FileStatistics all = file.statistics();
        return new StagedFile(
                file.group(),
                file.relativePath(),
                new FileStatistics(all.commitId(), all.content().minus(leftOut), all.partition(), all.columns()));
    }

    @Test
    void duplicatesAreLeftOutWhereTheDatasetHasKeys() throws Exception {
        List<String> keys = List.of("signal", "device", "system", "timestamp_ns");
        Dataset keyed = client.createDataset("/keyed/meas", TestCluster.SCHEMA, keys);
        ContentHash leftOut = new ContentHash(HashKind.XXH_128, 4, 1, 1);
        for (Dataset dataset : List.of(keyed, dataset("unkeyed"))) {
            TestCommit first = commit(dataset, 0, 1);
            TestCommit second = commit(dataset, 10, 1);
            TestRewrite all = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());
            List<StagedFile> files =
                    all.files().stream().map(f -> without(f, leftOut)).toList();
            List<Duplicates> duplicates = files.stream()
                    .map(f -> new Duplicates(f.group(), PathNames.parent(f.relativePath()), leftOut))
                    .toList();
            Publish publish = some -> () -> client.rewrite(
                    dataset.path(), dataset.id(), "m1", all.removes(), all.removedContent(), some, files);
            if (dataset.keys().isEmpty()) {
                assertRefused(Refusal.Kind.INVALID, "the dataset has no key columns", publish.of(duplicates));
                continue;
            }
            assertRefused(
                    Refusal.Kind.INVALID,
                    "but the new files hold 16 records",
                    publish.of(duplicates.subList(1, duplicates.size())));
            List<Duplicates> elsewhere = duplicates.stream()
                    .map(d -> new Duplicates(d.group(), "elsewhere", d.content()))
                    .toList();
            assertRefused(Refusal.Kind.INVALID, "directories differ", publish.of(elsewhere));
            assertThat(publish.of(duplicates).call().outcome()).isEqualTo(Outcome.COMMITTED);
            assertThat(client.getDataset(dataset.path()).representations())
                    .allSatisfy(r -> assertThat(r.content())
                            .isEqualTo(ContentHashes.of(all.content().minus(leftOut))))
                    .allSatisfy(r -> assertThat(r.unusable()).isNull());
        }
    }

    private interface Publish {
        Callable<PublishResult> of(List<Duplicates> duplicates);
    }

    @Test
    void keysAreColumnsByWhichRecordsLieTogether() throws Exception {
        Dataset dataset = client.createDataset(
                "/keys/meas", TestCluster.SCHEMA, List.of("SIGNAL", "device", "system", "timestamp_ns", "signal"));
        assertThat(dataset.keys()).containsExactly("signal", "device", "system", "timestamp_ns");
        assertThat(client.getDataset(dataset.path()).keys()).isEqualTo(dataset.keys());
        assertThatThrownBy(() -> client.createDataset("/keys/meas", TestCluster.SCHEMA))
                .hasMessageContaining("it is a dataset already");
        assertThatThrownBy(() -> client.createDataset("/keys/other", TestCluster.SCHEMA, List.of("sensor")))
                .hasMessageContaining(
                        "a dataset cannot have the keys 'sensor': there is no column 'sensor' to be a key");
        assertThatThrownBy(() -> client.createDataset("/keys/other", TestCluster.SCHEMA, List.of("signal")))
                .hasMessageContaining("make these columns keys too");
    }

    @Test
    void otherRecordsAreRefused() throws Exception {
        Dataset dataset = dataset("other");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        TestRewrite less = new TestRewrite(dataset, "m1", Map.of(first.id(), first.files()));
        less.stage(client, cluster.fs());
        assertRefused(
                Refusal.Kind.INVALID,
                "but their files were read as 10 records",
                () -> client.rewrite(
                        dataset.path(),
                        dataset.id(),
                        "m1",
                        List.of(first.id(), second.id()),
                        less.removedContent(),
                        List.of(),
                        less.files()));
        TestRewrite both = TestRewrite.of(dataset, "m2", first, second);
        assertRefused(
                Refusal.Kind.INVALID,
                "but the new files hold 10 records",
                () -> client.rewrite(
                        dataset.path(),
                        dataset.id(),
                        "m1",
                        List.of(first.id(), second.id()),
                        both.removedContent(),
                        List.of(),
                        less.files()));
        assertRefused(
                Refusal.Kind.INVALID,
                "names no segment to remove",
                () -> client.rewrite(dataset.path(), dataset.id(), "m1", List.of(), Map.of(), List.of(), less.files()));
        assertThat(client.rewrite(
                                dataset.path(),
                                dataset.id(),
                                "m1",
                                List.of("never"),
                                less.removedContent(),
                                List.of(),
                                less.files())
                        .reason())
                .contains("the dataset has no such segment");
        assertThat(cluster.fs().exists(new Path(store(dataset) + "/segments"))).isFalse();
    }

    /** The new files are hashed in another way, and all groups agree. */
    @Test
    void recordsOfOldSegmentsThatAJobLosesOrAltersAreRefused() throws Exception {
        Dataset dataset = dataset("old");
        TestCommit old = commit(dataset, 0, 1);
        TestCommit young = commit(dataset, 10, 1);
        assertThat(List.of(old, young))
                .extracting(c -> c.files().get(0).statistics().content().kind())
                .containsExactly(HashKind.SHA_256, HashKind.XXH_128);
        TestRewrite rewrite = TestRewrite.of(dataset, "m1", old, young).stage(client, cluster.fs());
        List<String> removes = rewrite.removes();
        for (long lost : List.of(0, 1)) {
            List<StagedFile> altered = rewrite.files().stream()
                    .map(file -> altered(file, new ContentHash(HashKind.XXH_128, -lost, 0, 1)))
                    .toList();
            assertRefused(
                    Refusal.Kind.INVALID,
                    "but the new files hold " + (20 - lost) + " records",
                    () -> client.rewrite(
                            dataset.path(), dataset.id(), "m1", removes, rewrite.removedContent(), List.of(), altered));
        }
        Map<String, RemovedContent> asByAnOlderJob = new HashMap<>();
        rewrite.removedContent()
                .forEach((group, read) -> asByAnOlderJob.put(group, new RemovedContent(read.stated(), Map.of())));
        assertRefused(
                Refusal.Kind.INVALID,
                "the job has not hashed in that way what it has read: run a job of the NameNode's version",
                () -> client.rewrite(
                        dataset.path(), dataset.id(), "m1", removes, asByAnOlderJob, List.of(), rewrite.files()));
        assertThat(rewrite.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertFiles(dataset, rewrite);
    }

    private static StagedFile altered(StagedFile file, ContentHash difference) {
        FileStatistics statistics = file.statistics();
        return new StagedFile(
                file.group(),
                file.relativePath(),
                new FileStatistics(
                        statistics.commitId(),
                        statistics.content().plus(difference),
                        statistics.partition(),
                        statistics.columns()));
    }

    @Test
    void theNewFilesHaveTheRightsOfTheOld() throws Exception {
        Dataset dataset = dataset("rights");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        FsPermission mode = new FsPermission((short) 0640);
        cluster.fs().setPermission(new Path(first.published("time")), mode);
        TestRewrite rewrite = TestRewrite.of(dataset, "m1", first, second).stage(client, cluster.fs());
        assertRefused(Refusal.Kind.NOT_REPLACEABLE, "have different rights", () -> rewrite.publish(client));

        cluster.fs().setPermission(new Path(second.published("time")), mode);
        cluster.fs().setOwner(new Path(second.published("time")), "ingest", "operators");
        cluster.fs().setOwner(new Path(first.published("time")), "ingest", "operators");
        assertThat(rewrite.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);

        assertThat(cluster.stat(rewrite.published("time").get(0))).satisfies(status -> {
            assertThat(status.getPermission()).isEqualTo(mode);
            assertThat(status.getOwner()).isEqualTo("ingest");
            assertThat(status.getGroup()).isEqualTo("operators");
        });
        assertThat(cluster.stat(store(dataset) + "/replaced/m1/time/"
                                + first.file("time").relativePath())
                        .getPermission())
                .isEqualTo(new FsPermission((short) 0600));
    }

    @Test
    void onlyTheOwnerAndSuperusersRewrite() throws Exception {
        Dataset dataset = dataset("owners");
        cluster.fs().setPermission(new Path(dataset.path()), new FsPermission((short) 0777));
        cluster.fs().setOwner(new Path(dataset.path()), "owner", "owner-group");
        TestCommit first = commit(dataset, 0, 1);
        TestCommit second = commit(dataset, 10, 1);
        TestRewrite rewrite = TestRewrite.of(dataset, "m1", first, second);
        cluster.as("writer", () -> {
            try (MpsrClient own = cluster.client()) {
                rewrite.stage(own, cluster.fs());
                assertRefused(
                        Refusal.Kind.NO_PERMISSION,
                        "only the owner of the directory (owner) and superusers may",
                        () -> rewrite.publish(own));
                own.abortCommit(dataset.path(), dataset.id(), "m1");
            }
            return true;
        });
        cluster.as("owner", () -> {
            try (MpsrClient own = cluster.client()) {
                rewrite.stage(own, cluster.fs());
                assertThat(rewrite.publish(own).outcome()).isEqualTo(Outcome.COMMITTED);
            }
            return true;
        });
        assertFiles(dataset, rewrite);
    }

    @Test
    void onlyWhoMayReadAllSeesSegments() throws Exception {
        Dataset dataset = dataset("seen");
        TestCommit first = commit(dataset, 0, 1);
        cluster.fs().setPermission(new Path(first.published("time")), new FsPermission((short) 0600));
        for (String user : List.of("reader", "other")) {
            cluster.as(user, () -> {
                try (MpsrClient own = cluster.client()) {
                    assertThatThrownBy(() -> own.segments(dataset.path())).isInstanceOf(AccessControlException.class);
                    assertThatThrownBy(() -> own.segmentFiles(dataset.path(), "signal", List.of(first.id())))
                            .isInstanceOf(AccessControlException.class);
                }
                return true;
            });
        }
        cluster.fs().setPermission(new Path(first.published("time")), new FsPermission((short) 0644));
        cluster.as("reader", () -> {
            try (MpsrClient own = cluster.client()) {
                assertThat(own.segments(dataset.path()).segments()).hasSize(1);
            }
            return true;
        });
    }

    @Test
    void aSnapshotHoldsEitherTheOldFilesOrTheNew() throws Exception {
        Dataset dataset = dataset("snapshots");
        cluster.fs().allowSnapshot(new Path(dataset.path()));
        TestCommit first = commit(dataset, 0, 2);
        TestCommit second = commit(dataset, 10, 2);
        cluster.fs().createSnapshot(new Path(dataset.path()), "before");

        TestRewrite rewrite = rewritten(dataset, "m1", first, second);
        cluster.fs().createSnapshot(new Path(dataset.path()), "after");

        assertThat(cluster.filesBelow(dataset.path() + "/.snapshot/before")).hasSize(4);
        assertThat(cluster.filesBelow(dataset.path() + "/.snapshot/after")).hasSize(1);
        assertFiles(dataset, rewrite);
        assertThat(cluster.stat(first.published("time")).getLen()).isEqualTo(1_000);
        cluster.restartNameNode();
        assertFiles(dataset, rewrite);
    }

    @Test
    void replacedFilesAndRecordsGoAfterTheDelay() throws Exception {
        try (TestCluster short1 = shortDelay();
                MpsrClient own = short1.client()) {
            Dataset dataset = own.createDataset("/short/meas", TestCluster.SCHEMA);
            TestCommit first = new TestCommit(dataset, 0, 10).stage(own, short1.fs());
            first.publish(own);
            TestRewrite rewrite = TestRewrite.of(dataset, "m1", first).stage(own, short1.fs());
            assertThat(rewrite.publish(own).outcome()).isEqualTo(Outcome.COMMITTED);

            await().until(() -> short1.counter("ExpiredReplacedFiles") == 3);

            assertThat(short1.fs().listStatus(new Path(store(dataset) + "/replaced")))
                    .isEmpty();
            assertThat(short1.fs().listStatus(new Path(store(dataset) + "/segments")))
                    .extracting(s -> s.getPath().getName())
                    .containsExactly("m1");
            assertThat(short1.fs().exists(new Path(first.published("time")))).isFalse();
            assertThat(own.getDataset(dataset.path()).representations())
                    .allSatisfy(r -> assertThat(r.unusable()).isNull());
        }
    }

    private static TestCluster shortDelay() throws Exception {
        org.apache.hadoop.conf.Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.drop.delay.seconds", 1);
        return TestCluster.start(conf, 3, 3);
    }
}
