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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.Segments;
import org.hadoopmpsr.core.plan.Filter;

/** Compares the cluster with what it should hold. */
final class ChaosCheck {
    /** HDFS deletes surplus copies only when all DataNodes have told a new active NameNode what they hold. */
    private static final int LOOKS_PER_REPORT = 10;

    private final Chaos chaos;

    ChaosCheck(Chaos chaos) {
        this.chaos = chaos;
    }

    /** Waits until nothing is on its way any more and all is as it should be. */
    void settled() {
        int[] looks = {0};
        await().atMost(Chaos.LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> {
                    if (++looks[0] % LOOKS_PER_REPORT == 0) {
                        chaos.mini().triggerBlockReports();
                    }
                    all();
                });
    }

    private void all() throws IOException {
        ChaosStatus status = new ChaosStatus(chaos);
        status.isReady();
        assertThat(chaos.client().listDatasets().stream().map(Dataset::path))
                .containsExactlyInAnyOrderElementsOf(
                        chaos.datasets().stream().map(ChaosDataset::path).toList());
        Set<String> troubled = new TreeSet<>();
        for (ChaosDataset dataset : chaos.datasets()) {
            Map<String, Integer> lost = new TreeMap<>();
            for (String group : dataset.groupNames()) {
                int n = files(dataset, group);
                if (n > 0) {
                    lost.put(group, n);
                }
                if (n > 0 || !dataset.isWell(group)) {
                    troubled.add(dataset.path() + ", group '" + group + "'");
                }
            }
            described(dataset);
            planned(dataset, lost.keySet());
            inStore(dataset);
        }
        status.warnsOf(troubled);
        status.hasNoErrors();
    }

    /** The files of a group, and where their blocks lie; returns how many of the published ones have lost a block. */
    private int files(ChaosDataset dataset, String group) throws IOException {
        String root = dataset.root(group);
        Set<String> found = new TreeSet<>();
        Set<String> lost = new TreeSet<>();
        for (LocatedFileStatus file : list(root)) {
            String path = file.getPath().toUri().getPath();
            String relative = path.substring(root.length() + 1);
            found.add(relative);
            if (!placed(dataset, group, (HdfsLocatedFileStatus) file)) {
                lost.add(relative);
            }
        }
        assertThat(found).as("files of " + root).isEqualTo(dataset.presentFiles(group));
        for (TestCommit commit : dataset.staged().values()) {
            for (LocatedFileStatus file : list(dataset.storeDir() + "/staging/" + commit.id() + "/" + group)) {
                placed(dataset, group, (HdfsLocatedFileStatus) file);
            }
        }
        lost.removeAll(dataset.strays(group));
        return lost.size();
    }

    private List<LocatedFileStatus> list(String root) throws IOException {
        List<LocatedFileStatus> files = new ArrayList<>();
        try {
            RemoteIterator<LocatedFileStatus> listing = chaos.fs().listFiles(new Path(root), true);
            while (listing.hasNext()) {
                files.add(listing.next());
            }
        } catch (FileNotFoundException e) {
            assertThat(root).as("a directory that is missing").startsWith("/.mpsr/");
        }
        return files;
    }

    /** Every block on nodes of its group, as often as the group asks; false when one has no live copy. */
    private boolean placed(ChaosDataset dataset, String group, HdfsLocatedFileStatus file) {
        long live = chaos.groups().nodesOf(group).stream()
                .filter(n -> !chaos.dataNodes().down().contains(n))
                .count();
        boolean readable = true;
        for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
            List<String> nodes = Arrays.stream(block.getLocations())
                    .map(DatanodeInfo::getDatanodeUuid)
                    .toList();
            assertThat(chaos.groups().nodesOf(group))
                    .as("nodes of %s", file.getPath())
                    .containsAll(nodes);
            if (nodes.isEmpty() && live < chaos.groups().nodesOf(group).size()) {
                readable = false;
            } else {
                assertThat(new HashSet<>(nodes))
                        .as("copies of %s", file.getPath())
                        .hasSize((int) Math.min(dataset.replication(group), live))
                        .hasSameSizeAs(nodes);
            }
        }
        return readable;
    }

    private void described(ChaosDataset dataset) throws IOException {
        Dataset now = chaos.client().getDataset(dataset.path());
        for (Dataset.Representation r : now.representations()) {
            assertThat(r.root()).isEqualTo(dataset.root(r.group()));
            if (dataset.vanished(r.group()).isEmpty()) {
                assertThat(r.content()).as("content of " + r.root()).isEqualTo(dataset.content());
            }
        }
        assertThat(now.offsets().stream().mapToLong(o -> o.end()).sum()).isEqualTo(dataset.end());
        assertThat(now.offsets()).hasSizeLessThanOrEqualTo(1);
    }

    private void planned(ChaosDataset dataset, Set<String> lost) throws IOException {
        List<String> readable = dataset.groupNames().stream()
                .filter(g -> dataset.isWell(dataset.defaultGroup()) && dataset.isWell(g) && !lost.contains(g))
                .toList();
        for (MpsrClient client : List.of(chaos.client(), chaos.observing())) {
            for (String group : dataset.groupNames()) {
                ReadPlan plan =
                        client.plan(dataset.path(), new Filter.Unknown(), group).orElseThrow();
                String what = "plan of " + dataset.path() + " in " + group + ": " + plan.reason();
                assertThat(plan.stock()).as(what).isEqualTo(readable.isEmpty());
                if (!readable.isEmpty()) {
                    assertThat(plan.group()).as(what).isIn(readable.contains(group) ? List.of(group) : readable);
                    String root = dataset.root(plan.group()) + "/";
                    assertThat(plan.files().stream().map(f -> f.path().substring(root.length())))
                            .as(what)
                            .containsExactlyInAnyOrderElementsOf(dataset.publishedFiles(plan.group()));
                }
            }
        }
    }

    private void inStore(ChaosDataset dataset) throws IOException {
        assertThat(names(dataset.storeDir() + "/replaced")).isEqualTo(dataset.rewrites());
        if (dataset.isWell()) {
            assertThat(chaos.client().segments(dataset.path()).segments()).allSatisfy(this::isAsRecorded);
        }
        assertThat(chaos.client().segments(dataset.path()).segments().stream()
                        .map(Segments.Info::id)
                        .filter(dataset.soundSegments()::contains))
                .containsExactlyInAnyOrderElementsOf(dataset.soundSegments());
        assertThat(names(dataset.storeDir() + "/publishing")).isEmpty();
        assertThat(names(dataset.storeDir() + "/staging"))
                .isEqualTo(dataset.staged().keySet());
    }

    /** A segment's files in each group have the records that its change stated. */
    private void isAsRecorded(Segments.Info segment) {
        if (segment.notReplaceable() != null) { // a DataNode is down
            assertThat(segment.notReplaceable()).as(segment.id()).contains("without a live replica");
        }
        assertThat(segment.groups().values())
                .as(segment.id())
                .allSatisfy(group -> assertThat(group.content()).isEqualTo(segment.content()));
    }

    private Set<String> names(String dir) throws IOException {
        Set<String> names = new TreeSet<>();
        if (chaos.fs().exists(new Path(dir))) {
            for (FileStatus child : chaos.fs().listStatus(new Path(dir))) {
                names.add(child.getPath().getName());
            }
        }
        return names;
    }
}
