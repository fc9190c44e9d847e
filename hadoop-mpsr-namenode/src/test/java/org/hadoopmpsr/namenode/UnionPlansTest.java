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
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.testing.LostFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Segments that a group has lost are read from another group, and all others as before. */
class UnionPlansTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261125);
    private static final ReadRequest ALL = ReadRequest.ofAllColumns(Filter.ALL).inParts();

    private static TestCluster cluster;
    private static MpsrClient client;
    private static DistributedFileSystem fs;

    private final Map<String, TestCommit> commits = new TreeMap<>();
    private Dataset dataset;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(TestCluster.threeGroups(), 3, 3);
        client = cluster.client();
        fs = cluster.fs();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    /** Each commit has two files in each group. */
    private void publish(String name, int count) throws Exception {
        dataset = client.createDataset("/" + name + "/meas", TestCluster.SCHEMA);
        for (int i = 0; i < count; i++) {
            String id = "c-" + i;
            TestCommit commit = new TestCommit(
                    dataset,
                    id,
                    new CommitSource("t", 0, i * 10L, i * 10L + 10),
                    "PT-" + i,
                    LocalDate.of(2014, 5, 1 + i),
                    2);
            commit.stage(client, fs).publish(client);
            commits.put(id, commit);
        }
    }

    private void lose(String commit, String group) throws Exception {
        String file = commits.get(commit).published(group);
        LostFiles.lose(cluster.mini(), file);
        await().atMost(Duration.ofSeconds(30)).until(() -> LostFiles.isLost(cluster.mini(), file));
    }

    private ReadPlan plan(ReadRequest request, String group) throws Exception {
        return client.plan(dataset.path(), request, group, List.of()).orElseThrow();
    }

    /** The segments of a part, each of which must have all its files. */
    private static Set<String> segments(ReadPlan.Part part) {
        Map<String, Integer> files = new TreeMap<>();
        part.files().forEach(file -> {
            assertThat(file.path()).startsWith(part.root() + "/");
            String name = new Path(file.path()).getName();
            files.merge(name.substring(0, name.indexOf('-', 2)), 1, Integer::sum);
        });
        assertThat(files.values()).allMatch(count -> count == 2);
        return files.keySet();
    }

    private void assertWhole(ReadPlan plan) {
        assertThat(plan.stock()).as(plan.reason()).isFalse();
        List<String> read = new ArrayList<>();
        plan.parts().forEach(part -> read.addAll(segments(part)));
        Collections.sort(read);
        assertThat(read).isEqualTo(List.copyOf(commits.keySet()));
    }

    @Test
    void aLostFileCostsItsGroupOneSegment() throws Exception {
        publish("lost", 4);
        lose("c-1", "time");
        long unions = cluster.counter("UnionPlans");
        ReadPlan plan = plan(ALL, "time");
        assertWhole(plan);
        assertThat(plan.parts())
                .extracting(ReadPlan.Part::group)
                .startsWith("time")
                .hasSize(2);
        assertThat(segments(plan.parts().get(1))).containsExactly("c-1");
        assertThat(plan.reason())
                .matches("the reader asked for it; 3 segments from time, 1 segment from (signal|device)"
                        + " \\(time: degraded: 1 files without a live replica\\)");
        assertThat(plan.isOfOneGroup()).isFalse();
        assertThat(cluster.counter("UnionPlans")).isEqualTo(unions + 1);

        // a filter that leaves none of the lost file needs nothing else
        Filter other = new Filter.Compare(Filter.Operator.EQ, "signal", "PT-2");
        assertThat(plan(ReadRequest.ofAllColumns(other).inParts(), "time").isOfOneGroup())
                .isTrue();
        // whoever reads one group gets another one
        assertThat(client.plan(dataset.path(), Filter.ALL, null).orElseThrow().group())
                .isNotEqualTo("time");
        assertThat(client.plan(dataset.path(), Filter.ALL, "time").orElseThrow().group())
                .isNotEqualTo("time");

        // the plan is not kept: the file may be back at any moment
        assertThat(plan(ALL, "time")).isNotSameAs(plan(ALL, "time"));
        lose("c-1", "signal");
        lose("c-2", "device");
        ReadPlan more = plan(ALL, "time");
        assertWhole(more);
        assertThat(segments(more.parts().get(1))).containsExactly("c-1");
        assertThat(more.parts().get(1).group()).isEqualTo("device");
        lose("c-1", "device");
        assertThat(plan(ALL, "time").stock()).isTrue();
        assertThat(plan(ALL, null).reason()).contains("no other group has all records of 1 segment");
    }

    @Test
    void damagedFilesCostTheirGroupTheirSegments() throws Exception {
        publish("damaged", 4);
        ReadPlan before = plan(ALL, "device");
        assertThat(before.isOfOneGroup()).isTrue();
        cluster.pastMpsr().delete(new Path(commits.get("c-3").published("device")), false);
        ReadPlan plan = plan(ALL, "device");
        assertWhole(plan);
        assertThat(segments(plan.parts().get(1))).containsExactly("c-3");
        assertThat(plan.reason())
                .contains("(device: diverged: 1 published file(s) below ")
                .contains("have vanished");
        // nothing can come back by itself: the plan is kept
        assertThat(plan(ALL, "device")).isSameAs(plan);

        cluster.pastMpsr().delete(new Path(commits.get("c-0").published("device")), false);
        ReadPlan both = plan(ALL, "device");
        assertWhole(both);
        assertThat(segments(both.parts().get(1))).containsExactly("c-0", "c-3");

        // what is not of published files alone costs the whole group
        Path partition = new Path(commits.get("c-1").published("device")).getParent();
        TestCluster.write(cluster.pastMpsr(), partition + "/stray.parquet", 10);
        assertThat(plan(ALL, null).candidates())
                .filteredOn(c -> c.group().equals("device"))
                .singleElement()
                .satisfies(c -> assertThat(c.excluded()).contains("came without a commit"));
        ReadPlan instead = plan(ALL, "device");
        assertWhole(instead);
        assertThat(instead.group()).isNotEqualTo("device");
        assertThat(instead.reason()).contains("; group device, which the reader asked for, cannot be read: diverged: ");
    }

    /** The default group is what stock reads: whoever changed it may have meant it. */
    @Test
    void aChangedDefaultGroupIsReadAsStock() throws Exception {
        publish("default", 2);
        fs.delete(new Path(commits.get("c-0").published("time")), false);
        assertThat(plan(ALL, null).stock()).isTrue();
        assertThat(plan(ALL, "signal").reason()).contains("have vanished");
    }

    /** Pages of two parts: all of one choice of groups, whatever is lost or committed meanwhile. */
    @Test
    void pagesAreOfOneChoice() throws Exception {
        publish("pages", 5);
        lose("c-1", "time");
        lose("c-2", "time");
        try (PlanPages pages = new PlanPages(cluster, dataset, "time", ALL)) {
            assertThat(pages.last().getPartList()).hasSize(2);
            new TestCommit(dataset, 50, 60).stage(client, fs).publish(client);
            pages.rest();
            assertThat(pages.files(0)).hasSize(6).allMatch(f -> f.startsWith(dataset.path() + "/"));
            assertThat(pages.files(1)).hasSize(4).noneMatch(f -> f.startsWith(dataset.path() + "/"));
            assertThat(pages.files()).hasSize(10).doesNotHaveDuplicates();
        }
        try (PlanPages pages = new PlanPages(cluster, dataset, "time", ALL)) {
            lose("c-4", "time");
            assertThatThrownBy(pages::rest).hasMessageContaining("changed between two pages of the plan; plan again");
        }
        try (PlanPages pages = new PlanPages(cluster, dataset, "time", ALL)) {
            long union = pages.last().getUnion();
            assertThatThrownBy(() ->
                            pages.plan(pages.nextRequest().setUnion(union + 1).build()))
                    .hasMessageContaining("changed between two pages of the plan; plan again");
            assertThatThrownBy(() -> pages.plan(pages.nextRequest().setPart(2).build()))
                    .hasMessageContaining("changed between two pages of the plan; plan again");
        }
        ReadPlan whole =
                client.plan(dataset.path(), ALL, "time", List.of("signal")).orElseThrow();
        assertThat(whole.files()).hasSize(11).allMatch(f -> f.columns().containsKey("signal"));
    }

    /** Whatever is lost, a plan has each segment once if some group has all of its files, and is stock if none has. */
    @Test
    void randomLossesAreReadAround() throws Exception {
        Random random = new Random(SEED);
        publish("random", 6);
        List<String> groups = dataset.groups().names();
        Map<String, Set<String>> lost = new TreeMap<>();
        commits.keySet().forEach(commit -> lost.put(commit, new TreeSet<>()));
        int unions = 0;
        for (int i = 0; i < 12; i++) {
            String commit = "c-" + random.nextInt(6);
            String group = groups.get(random.nextInt(groups.size()));
            if (lost.get(commit).add(group)) {
                lose(commit, group);
            }
            boolean readable = lost.values().stream().allMatch(its -> its.size() < groups.size());
            String what = "seed " + SEED + " (-Dmpsr.seed), lost " + lost;
            ReadPlan plan = plan(ALL, null);
            assertThat(plan.stock()).as(what).isEqualTo(!readable);
            if (!readable) {
                break;
            }
            unions += plan.isUnion() ? 1 : 0;
            assertWhole(plan);
            for (ReadPlan.Part part : plan.parts()) {
                segments(part)
                        .forEach(segment ->
                                assertThat(lost.get(segment)).as(what).doesNotContain(part.group()));
            }
        }
        assertThat(unions).as("seed " + SEED).isGreaterThan(0);
    }
}
