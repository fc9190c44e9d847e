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
package org.hadoopmpsr.namenode.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.history.History;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.namenode.TestAdopt;
import org.hadoopmpsr.namenode.TestCluster;
import org.hadoopmpsr.namenode.TestCommit;
import org.hadoopmpsr.namenode.TestDelete;
import org.hadoopmpsr.namenode.TestRewrite;
import org.hadoopmpsr.namenode.TestRollback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Earlier states of datasets are planned as they were, for as long as they are kept. */
class TimeTravelTest {
    private static final List<String> GROUPS = List.of("time", "signal", "device");
    private static final ContentHash SOME = new ContentHash(HashKind.XXH_128, 4, 3, 2);
    private static final long HOUR = 3_600;

    private static TestCluster cluster;
    private static MpsrClient client;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        conf.setInt("dfs.mpsr.drop.delay.seconds", 1);
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static Dataset dataset(String name) throws IOException {
        return client.createDataset("/travel/" + name, TestCluster.SCHEMA);
    }

    /** @param start of an odd ten: {@link #SOME} is a part of its records */
    private static TestCommit committed(Dataset dataset, long start) throws IOException {
        TestCommit commit = new TestCommit(
                dataset,
                "t-0-" + start,
                new CommitSource("t", (int) start, start, start + 10),
                "PT",
                LocalDate.of(2014, 5, 1 + (int) (start / 20 % 3)),
                1 + (int) (start / 20 % 2));
        assertThat(commit.stage(client, cluster.fs()).publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        return commit;
    }

    private static TestRewrite merged(Dataset dataset, String id, Map<String, Collection<StagedFile>> segments)
            throws IOException {
        TestRewrite rewrite = new TestRewrite(dataset, id, segments);
        assertThat(rewrite.stage(client, cluster.fs()).publish(client).outcome())
                .isEqualTo(Outcome.COMMITTED);
        return rewrite;
    }

    /** The paths of the files of each group in a state; null for the present one. */
    private static Map<String, TreeSet<String>> state(Dataset dataset, AsOf asOf) throws IOException {
        Map<String, TreeSet<String>> files = new TreeMap<>();
        for (String group : GROUPS) {
            ReadRequest request = ReadRequest.ofAllColumns(Filter.ALL);
            ReadPlan plan = client.plan(dataset.path(), asOf == null ? request : request.asOf(asOf), group, List.of())
                    .orElseThrow();
            assertThat(plan.stock()).as(plan.reason()).isFalse();
            assertThat(plan.group()).isEqualTo(group);
            TreeSet<String> paths = new TreeSet<>();
            plan.files().forEach(file -> paths.add(file.path()));
            files.put(group, paths);
        }
        return files;
    }

    /** What every group has. */
    private static ContentHashes content(Dataset dataset) throws IOException {
        List<ContentHashes> contents = client.getDataset(dataset.path()).representations().stream()
                .map(Dataset.Representation::content)
                .distinct()
                .toList();
        assertThat(contents).hasSize(1);
        return contents.get(0);
    }

    private static void assertGone(Dataset dataset, AsOf asOf, String reason) {
        assertThatThrownBy(() -> state(dataset, asOf)).hasMessageContaining(reason);
    }

    @Test
    void everyStateIsAsItWas() throws Exception {
        long seed = Long.getLong("mpsr.seed", 20261126);
        String what = "-Dmpsr.seed=" + seed;
        Random random = new Random(seed);
        Dataset dataset = dataset("model");
        List<TestCommit> commits = new ArrayList<>();
        Map<String, Collection<StagedFile>> others = new LinkedHashMap<>();
        commits.add(committed(dataset, 10));
        commits.add(committed(dataset, 30));
        assertThat(client.history(dataset.path(), 10).counted()).isFalse();
        client.keepHistory(dataset.path(), dataset.id(), HOUR);
        Map<Long, Map<String, TreeSet<String>>> model = new TreeMap<>();
        model.put(0L, state(dataset, null));
        Map<Long, ContentHashes> contents = new TreeMap<>(Map.of(0L, content(dataset)));
        List<TestCommit> everCommitted = new ArrayList<>(commits);
        Map<String, Collection<StagedFile>> everMade = new LinkedHashMap<>();
        int restart = 3 + random.nextInt(5);
        for (int step = 1; step <= 12; step++) {
            int way = random.nextInt(5);
            long to = random.nextInt(step);
            TestRollback rollback =
                    way == 4 ? new TestRollback(client, dataset, "rollback-" + step, Long.toString(to)) : null;
            if (rollback != null && !rollback.plan().isEmpty()) {
                assertThat(rollback.stage(client, cluster.fs()).publish(client).outcome())
                        .as(what)
                        .isEqualTo(Outcome.COMMITTED);
                assertThat(content(dataset))
                        .as("%s, step %s to %s", what, step, to)
                        .isEqualTo(contents.get(to));
                rollback.files()
                        .forEach(file -> everMade.computeIfAbsent(
                                        file.statistics().commitId(), s -> new ArrayList<>())
                                .add(file));
                List<String> current = client.segments(dataset.path()).segments().stream()
                        .map(Segments.Info::id)
                        .toList();
                commits.clear();
                everCommitted.stream().filter(c -> current.contains(c.id())).forEach(commits::add);
                others.clear();
                everMade.forEach((id, files) -> {
                    if (current.contains(id)) {
                        others.put(id, files);
                    }
                });
            } else if (way == 1 && !commits.isEmpty()) {
                Map<String, Collection<StagedFile>> removed = new LinkedHashMap<>();
                TestCommit one = commits.remove(random.nextInt(commits.size()));
                removed.put(one.id(), one.files());
                if (!others.isEmpty() && random.nextBoolean()) {
                    String other = others.keySet().iterator().next();
                    removed.put(other, others.remove(other));
                }
                TestRewrite rewrite = merged(dataset, "merge-" + step, removed);
                others.put(rewrite.id(), rewrite.files());
                everMade.put(rewrite.id(), rewrite.files());
            } else if (way == 2 && !commits.isEmpty()) {
                TestDelete delete = new TestDelete(dataset, "delete-" + step);
                TestCommit one = commits.remove(random.nextInt(commits.size()));
                if (random.nextBoolean()) {
                    delete.drop(one);
                } else {
                    delete.keep(one, SOME);
                }
                assertThat(delete.stage(client, cluster.fs()).publish(client).outcome())
                        .as(what)
                        .isEqualTo(Outcome.COMMITTED);
            } else {
                commits.add(committed(dataset, 110 + 20L * step));
                everCommitted.add(commits.get(commits.size() - 1));
            }
            model.put((long) step, state(dataset, null));
            contents.put((long) step, content(dataset));
            if (step == restart) {
                cluster.restartNameNode();
            }
        }
        for (Map.Entry<Long, Map<String, TreeSet<String>>> then : model.entrySet()) {
            assertThat(state(dataset, new AsOf.Sequence(then.getKey())))
                    .as("%s, change %s", what, then.getKey())
                    .isEqualTo(then.getValue());
            for (TreeSet<String> paths : then.getValue().values()) {
                for (String path : paths) {
                    assertThat(cluster.fs().getFileStatus(new Path(path)).isFile())
                            .isTrue();
                }
            }
        }
        History history = client.history(dataset.path(), 100);
        assertThat(history.last()).isEqualTo(12);
        assertThat(history.keptSeconds()).isEqualTo(HOUR);
        assertThat(history.changes()).as(what).hasSize(12).allMatch(History.Change::readable);
        for (int i = 1; i < history.changes().size(); i++) {
            History.Change change = history.changes().get(i);
            if (change.timeMs() < history.changes().get(i - 1).timeMs()) {
                assertThat(state(dataset, new AsOf.Time(change.timeMs())))
                        .as(what)
                        .isEqualTo(model.get(change.sequence()));
            }
        }
        assertGone(dataset, new AsOf.Sequence(13), "there is no change 13 yet; the last one is 12");
        assertGone(dataset, new AsOf.Time(1), "is not known any more");

        long sequence = client.tag(dataset.path(), dataset.id(), "early", "2");
        assertThat(sequence).isEqualTo(2);
        assertThat(state(dataset, new AsOf.Tag("early"))).as(what).isEqualTo(model.get(2L));
        committed(dataset, 990);
        long purged = client.purgeReplaced(dataset.path(), dataset.id()).files();
        if (purged > 0) {
            long horizon = client.history(dataset.path(), 100).horizon();
            assertThat(horizon).as(what).isPositive();
            assertGone(
                    dataset,
                    new AsOf.Sequence(horizon - 1),
                    "is not known any more: the history that is kept begins" + " with change " + horizon);
            assertThat(state(dataset, new AsOf.Sequence(horizon))).as(what).isEqualTo(model.get(horizon));
        }
        assertThat(state(dataset, new AsOf.Sequence(13))).as(what).isEqualTo(state(dataset, null));
    }

    @Test
    void whatATaggedStateNeedsIsKept() throws Exception {
        Dataset dataset = dataset("tagged");
        TestCommit first = committed(dataset, 10);
        TestCommit second = committed(dataset, 30);
        assertThat(client.tag(dataset.path(), null, "before-merge", null)).isZero();
        assertThat(client.tag(dataset.path(), null, "before-merge", null)).isZero();
        Map<String, TreeSet<String>> before = state(dataset, null);
        TestRewrite one = merged(dataset, "merge-1", Map.of(first.id(), first.files(), second.id(), second.files()));
        TestCommit third = committed(dataset, 50);
        merged(dataset, "merge-2", Map.of(one.id(), one.files(), third.id(), third.files()));

        await().until(() -> client.history(dataset.path(), 10).horizon() == 3);
        assertThat(state(dataset, new AsOf.Tag("before-merge"))).isEqualTo(before);
        assertThat(state(dataset, new AsOf.Sequence(0))).isEqualTo(before);
        assertGone(dataset, new AsOf.Sequence(1), "begins with change 3, at ");
        assertGone(dataset, new AsOf.Sequence(2), "begins with change 3, at ");
        assertGone(dataset, new AsOf.Tag("other"), "there is no tag 'other'; the tags are before-merge");
        assertThatThrownBy(() -> client.tag(dataset.path(), null, "before-merge", "3"))
                .hasMessageContaining("names change 0 already");
        assertThatThrownBy(() -> client.tag(dataset.path(), null, "17", null))
                .hasMessageContaining("cannot be the name of a tag");
        cluster.restartNameNode();
        assertThat(state(dataset, new AsOf.Tag("before-merge"))).isEqualTo(before);

        client.deleteTag(dataset.path(), null, "before-merge");
        await().until(() -> client.getDataset(dataset.path()).changes().replacedFiles() == 0);
        assertGone(dataset, new AsOf.Sequence(0), "is not known any more");
        assertGone(dataset, new AsOf.Tag("before-merge"), "the dataset has no tags");
    }

    @Test
    void whatIsPurgedCannotBeRead() throws Exception {
        Dataset dataset = dataset("purged");
        TestCommit first = committed(dataset, 10);
        committed(dataset, 30);
        client.keepHistory(dataset.path(), null, HOUR);
        client.tag(dataset.path(), null, "secret", null);
        TestDelete delete = new TestDelete(dataset, "delete-1").drop(first).stage(client, cluster.fs());
        assertThat(delete.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(state(dataset, new AsOf.Tag("secret")).get("time")).hasSizeGreaterThan(1);
        client.purgeReplaced(dataset.path(), null);
        assertGone(dataset, new AsOf.Tag("secret"), "the dataset has no tags");
        assertGone(dataset, new AsOf.Sequence(0), "the history that is kept begins with change 1");
        assertThat(state(dataset, new AsOf.Sequence(1))).isEqualTo(state(dataset, null));
    }

    /** The paths of the files of a state that a group would read; none if it does not serve the state. */
    private static List<String> read(Dataset dataset, long sequence, String group) throws IOException {
        ReadRequest request = ReadRequest.ofAllColumns(Filter.ALL).asOf(new AsOf.Sequence(sequence));
        try {
            ReadPlan plan =
                    client.plan(dataset.path(), request, group, List.of()).orElseThrow();
            return plan.each().stream()
                    .flatMap(part -> part.files().stream())
                    .map(file -> file.path())
                    .toList();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("as of change " + sequence);
            return List.of();
        }
    }

    /** The path of a replaced file is free, and an ordinary writer may use its name again. */
    @Test
    void anotherFileOfTheNameIsNotReadForAnAdoptedOne() throws Exception {
        Dataset dataset = dataset("adopted");
        committed(dataset, 10);
        client.keepHistory(dataset.path(), null, HOUR);
        Map<String, TreeSet<String>> before = state(dataset, null);
        for (long sequence = 1; sequence <= 3; sequence += 2) {
            TestAdopt adopt = new TestAdopt(dataset, "adopt-1", 20, 1);
            String path = adopt.paths().get(0);
            boolean again = sequence == 3;
            assertThat(read(dataset, again ? 1 : 0, "time").contains(path)).isEqualTo(again);
            adopt.write(cluster.fs());
            if (again) {
                assertThat(read(dataset, 1, "time")).doesNotContain(path);
                assertThat(read(dataset, 2, "time")).doesNotContain(path);
            }
            adopt = !again ? adopt : new TestAdopt(dataset, "adopt-2", 40, path);
            adopt.read(client).stage(client, cluster.fs());
            assertThat(adopt.publish(client).outcome()).isEqualTo(Outcome.COMMITTED);
            Map<String, TreeSet<String>> adopted = state(dataset, null);
            assertThat(read(dataset, sequence, "time")).contains(path);
            merged(dataset, "merge-" + sequence, Map.of(adopt.id(), adopt.files()));
            for (String group : List.of("signal", "device")) {
                assertThat(read(dataset, sequence, group)).containsExactlyInAnyOrderElementsOf(adopted.get(group));
            }
            assertThat(state(dataset, new AsOf.Sequence(0))).isEqualTo(before);
        }
        // two replaced files have the path: who asks for it gets one of them, for which alone it is planned
        String path = new TestAdopt(dataset, "adopt-1", 20, 1).paths().get(0);
        assertThat(List.of(
                        read(dataset, 1, "time").contains(path),
                        read(dataset, 3, "time").contains(path)))
                .containsExactlyInAnyOrder(true, false);
    }

    @Test
    void onlyTheOwnerAndSuperusersTag() throws Exception {
        Dataset dataset = dataset("owned");
        committed(dataset, 10);
        cluster.as("other", () -> {
            try (MpsrClient other = cluster.client()) {
                assertThatThrownBy(() -> other.tag(dataset.path(), null, "mine", null))
                        .hasMessageContaining("other");
                return null;
            }
        });
        assertThat(client.history(dataset.path(), 10).tags()).isEmpty();
    }
}
