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

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.stats.FileTotals;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages of a plan are of one state of the dataset, whatever happens between them. */
class PagedPlanTest {
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

    /** Two files for each group. */
    private static void commit(Dataset dataset, long start) throws Exception {
        new TestCommit(
                        dataset,
                        "c-" + start,
                        new CommitSource("t", 0, start, start + 10),
                        "PT-" + start % 3,
                        LocalDate.of(2014, 5, 1).plusDays(start / 30),
                        2)
                .stage(client, cluster.fs())
                .publish(client);
    }

    private static Dataset published(String name) throws Exception {
        Dataset dataset = client.createDataset("/" + name + "/meas", TestCluster.SCHEMA);
        for (long start = 0; start < 40; start += 10) {
            commit(dataset, start);
        }
        return dataset;
    }

    private static PlanPages pages(Dataset dataset, String group) throws Exception {
        return new PlanPages(cluster, dataset, group, ReadRequest.ofAllColumns(Filter.ALL));
    }

    private static List<String> files(Dataset dataset, String group) throws Exception {
        return client.plan(dataset.path(), Filter.ALL, group).orElseThrow().files().stream()
                .map(f -> f.path())
                .toList();
    }

    @Test
    void commitsBetweenPagesChangeNothing() throws Exception {
        for (String group : List.of("time", "signal", "device")) {
            Dataset dataset = published("pages-" + group);
            List<String> before = files(dataset, group);
            try (PlanPages pages = pages(dataset, group)) {
                for (long start = 40; pages.last().hasNext(); start += 10) {
                    assertThat(pages.last().getFileList()).hasSizeLessThanOrEqualTo(3);
                    commit(dataset, start);
                    pages.next();
                }
                assertThat(pages.files()).hasSize(8).isEqualTo(before);
            }
            assertThat(files(dataset, group)).hasSizeGreaterThan(8).containsAll(before);
        }
    }

    /** Also when commits come between pages. What the NameNode does not remember is planned as it is now. */
    @Test
    void aListingTellsWhichStateIsPlanned() throws Exception {
        Dataset dataset = published("listed");
        List<FileTotals> listings = new ArrayList<>();
        List<List<String>> states = new ArrayList<>();
        for (long start = 40; start < 80; start += 10) {
            ReadPlan now = client.plan(dataset.path(), Filter.ALL, "signal").orElseThrow();
            listings.add(now.defaultTotals());
            states.add(files(dataset, "signal"));
            commit(dataset, start);
        }
        for (int i = 0; i < listings.size(); i++) {
            ReadRequest listed = ReadRequest.ofAllColumns(Filter.ALL).of(listings.get(i));
            try (PlanPages pages = new PlanPages(cluster, dataset, "signal", listed)) {
                assertThat(pages.last().getDefaultFiles())
                        .isEqualTo(listings.get(i).files());
                assertThat(pages.last().getReason()).endsWith("; commits left out since the listing: 4");
                commit(dataset, 80 + 10 * i);
                while (pages.last().hasNext()) {
                    pages.next();
                }
                assertThat(pages.files()).isEqualTo(states.get(i));
            }
        }
        ReadRequest unknown = ReadRequest.ofAllColumns(Filter.ALL).of(new FileTotals(7, 1, 1));
        FileTotals earlier = listings.get(1);
        ReadRequest asMany = unknown.of(new FileTotals(earlier.files(), earlier.bytes(), earlier.fingerprint() + 1));
        checkIsPresent(dataset, List.of(unknown, asMany));
        cluster.restartNameNode();
        checkIsPresent(dataset, List.of(unknown, unknown.of(earlier)));
    }

    private static void checkIsPresent(Dataset dataset, List<ReadRequest> unknown) throws Exception {
        for (ReadRequest listed : unknown) {
            ReadPlan now =
                    client.plan(dataset.path(), listed, "signal", List.of()).orElseThrow();
            assertThat(now.files()).hasSize(2 * 12);
            assertThat(now.defaultTotals()).isNotEqualTo(listed.listed());
        }
    }

    /** Also when the index is built anew, and where a name would be escaped in a URI. */
    @Test
    void totalsAreThoseOfAListing() throws Exception {
        Dataset dataset = published("totals %41 ä#?=");
        FileTotals totals = checkTotals(dataset.path());
        commit(dataset, 40);
        assertThat(checkTotals(dataset.path())).isNotEqualTo(totals);
        Path parent = new Path(dataset.path()).getParent();
        cluster.fs().rename(parent, new Path("/totals"));
        checkTotals("/totals/meas");
        cluster.restartNameNode();
        checkTotals("/totals/meas");
    }

    private static FileTotals checkTotals(String path) throws Exception {
        FileTotals listed = FileTotals.EMPTY;
        RemoteIterator<LocatedFileStatus> files = cluster.fs().listFiles(new Path(path), true);
        while (files.hasNext()) {
            LocatedFileStatus file = files.next();
            listed = listed.plus(file.getPath().toUri().getPath(), file.getLen());
        }
        ReadPlan plan = client.plan(path, Filter.ALL, "signal").orElseThrow();
        assertThat(plan.stock()).isFalse();
        assertThat(plan.defaultTotals()).isEqualTo(listed);
        return listed;
    }

    /** What is compared with a listing is not read, so its blocks are not looked for. */
    @Test
    void filesThatAreComparedHaveNoBlocks() throws Exception {
        Dataset dataset = published("compared");
        ReadPlan read = client.plan(dataset.path(), Filter.ALL, "time").orElseThrow();
        ReadPlan compared = client.plan(dataset.path(), ReadRequest.ofFiles(Filter.ALL), "time", List.of())
                .orElseThrow();
        assertThat(compared.isOfStateOf(read)).isTrue();
        assertThat(compared.files())
                .hasSameSizeAs(read.files())
                .allMatch(f -> f.blocks().isEmpty());
        assertThat(read.files()).noneMatch(f -> f.blocks().isEmpty());
        commit(dataset, 40);
        assertThat(client.plan(dataset.path(), Filter.ALL, "signal")
                        .orElseThrow()
                        .isOfStateOf(read))
                .isFalse();
    }

    /** A client from before there were tokens, and one whose token means nothing. */
    @Test
    void whoHasNoTokenGetsThePlanEachTime() throws Exception {
        Dataset dataset = published("older");
        for (int i = 0; i < 2; i++) {
            try (PlanPages pages = pages(dataset, "signal")) {
                assertThat(pages.last().getUnchanged()).isFalse();
                assertThat(pages.last().getFileCount()).isEqualTo(3);
                for (int length : new int[] {0, 8, 40, 41}) {
                    PlanResponseProto page = pages.plan(pages.request().toBuilder()
                            .setToken(ByteString.copyFrom(new byte[length]))
                            .build());
                    assertThat(page.getFileList()).isEqualTo(pages.last().getFileList());
                }
            }
        }
    }

    @Test
    void aFileThatHasGoneIsNoticed() throws Exception {
        Dataset dataset = published("gone");
        try (PlanPages pages = pages(dataset, "time")) {
            commit(dataset, 40);
            cluster.fs().delete(new Path(files(dataset, "time").get(7)), false);
            assertThatThrownBy(pages::next).rootCause().hasMessageContaining("plan again");
        }
    }

    @Test
    void anotherDatasetAtThePathIsNoticed() throws Exception {
        Dataset dataset = published("other");
        try (PlanPages pages = pages(dataset, "signal")) {
            client.dropDataset(dataset.path(), true);
            assertThat(pages.next().getDataset()).isFalse();
        }
        cluster.fs().delete(new Path(dataset.path()), true);
        Dataset second = published("other");
        try (PlanPages pages = pages(second, "signal")) {
            client.dropDataset(second.path(), true);
            cluster.fs().delete(new Path(second.path()), true);
            published("other");
            assertThatThrownBy(pages::next).rootCause().hasMessageContaining("plan again");
        }
    }

    @Test
    void aNameNodeThatWasRestartedKnowsNoPages() throws Exception {
        Dataset dataset = published("restart");
        try (PlanPages pages = pages(dataset, "signal")) {
            cluster.restartNameNode();
            assertThatThrownBy(pages::next).rootCause().hasMessageContaining("plan again");
        }
        assertThat(files(dataset, "signal")).hasSize(8);
    }
}
