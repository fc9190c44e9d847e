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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Steps of users who rename, drop, delete and keep snapshots of whole datasets. */
final class ChaosDirectories {
    /** The cluster's replication. */
    private static final int COPIES = 3;

    private final Chaos chaos;
    private final DistributedFileSystem fs;

    ChaosDirectories(Chaos chaos) {
        this.chaos = chaos;
        this.fs = chaos.fs();
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("rename the dataset", 2, this::rename),
                new ChaosStep("move a file in from outside", 1, this::moveIn),
                new ChaosStep("snapshot", 1, this::snapshot),
                new ChaosStep("delete the snapshot", 2, this::deleteSnapshot),
                new ChaosStep("drop", 1, this::drop),
                new ChaosStep("drop what is changed", 3, this::dropChanged),
                new ChaosStep("delete the dataset", 1, this::delete),
                new ChaosStep("delete what it left", 3, this::deleteOrphan));
    }

    private Optional<ChaosDataset> any(Predicate<ChaosDataset> which) {
        return chaos.anyDataset(which);
    }

    private boolean rename() throws IOException {
        Optional<ChaosDataset> some = any(d -> d.snapshot().isEmpty());
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get().disturb();
        String to = chaos.home() + "/" + chaos.newName("renamed");
        chaos.log("rename %s to %s", dataset.path(), to);
        assertThat(fs.rename(new Path(dataset.path()), new Path(to))).isTrue();
        dataset.renamed(to);
        return true;
    }

    private boolean moveIn() throws IOException {
        Optional<ChaosDataset> some = any(d -> true);
        if (some.isEmpty()) {
            return false;
        }
        String outside = chaos.home() + "/" + chaos.newName("outside");
        String target = some.get().root(chaos.any(some.get().groupNames())) + "/moved-in";
        chaos.log("move %s to %s", outside, target);
        TestCluster.write(fs, outside, 100);
        assertThatThrownBy(() -> fs.rename(new Path(outside), new Path(target)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot rename");
        return true;
    }

    private boolean snapshot() throws IOException {
        Optional<ChaosDataset> some = any(d -> d.snapshot().isEmpty());
        if (some.isEmpty()) {
            return false;
        }
        String name = chaos.newName("s");
        chaos.log("snapshot %s of %s", name, some.get().path());
        fs.allowSnapshot(new Path(some.get().path()));
        fs.createSnapshot(new Path(some.get().path()), name);
        some.get().snapshot(Optional.of(name));
        return true;
    }

    private boolean deleteSnapshot() throws IOException {
        Optional<ChaosDataset> some = any(d -> d.snapshot().isPresent());
        if (some.isEmpty()) {
            return false;
        }
        chaos.log("delete the snapshot of %s", some.get().path());
        fs.deleteSnapshot(new Path(some.get().path()), some.get().snapshot().orElseThrow());
        some.get().snapshot(Optional.empty());
        return true;
    }

    private boolean drop() throws IOException {
        return drop(any(d -> true));
    }

    private boolean dropChanged() throws IOException {
        return drop(any(d -> d.groupNames().stream()
                .anyMatch(g -> !d.changed(g).isEmpty() || d.vanished(g).containsValue(""))));
    }

    private boolean drop(Optional<ChaosDataset> some) throws IOException {
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get().disturb();
        chaos.log("drop %s", dataset.path());
        assertThat(chaos.client().dropDataset(dataset.path(), true).getFilesKept())
                .isEqualTo(dataset.presentFiles(dataset.defaultGroup()).size());
        chaos.datasets().remove(dataset);
        othersStayUntilCopied(dataset);
        chaos.deleteFilesOf(dataset);
        chaos.awaitGone(dataset);
        return true;
    }

    /** The other groups' files are deleted when the default group's have all their copies, and not before. */
    private void othersStayUntilCopied(ChaosDataset dataset) {
        int live = chaos.mini().getDataNodes().size();
        await().atMost(Chaos.LONG).untilAsserted(() -> {
            boolean there = fs.exists(new Path(dataset.storeDir()));
            int fewest = fewestCopies(dataset);
            if (there) {
                assertThat(fewest == 0 || live < COPIES)
                        .as("all %d copies can be made, and there are %d", COPIES, fewest)
                        .isTrue();
            } else {
                assertThat(fewest).as("copies of what was kept").isGreaterThanOrEqualTo(COPIES);
            }
        });
    }

    /** Of any block of what was the default representation. */
    private int fewestCopies(ChaosDataset dataset) throws IOException {
        int fewest = COPIES;
        RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(dataset.path()), true);
        while (files.hasNext()) {
            for (BlockLocation block : files.next().getBlockLocations()) {
                fewest = Math.min(fewest, block.getNames().length);
            }
        }
        return fewest;
    }

    private boolean delete() throws IOException {
        Optional<ChaosDataset> some = any(d -> d.snapshot().isEmpty());
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get().disturb();
        chaos.log("delete %s", dataset.path());
        chaos.deleteFilesOf(dataset);
        chaos.datasets().remove(dataset);
        chaos.orphans().add(dataset.storeDir());
        return true;
    }

    private boolean deleteOrphan() throws IOException {
        if (chaos.orphans().isEmpty()) {
            return false;
        }
        List<String> orphans = new ArrayList<>(chaos.orphans());
        chaos.log("delete %s", orphans.get(0));
        assertThat(fs.delete(new Path(orphans.get(0)), true)).isTrue();
        chaos.orphans().remove(orphans.get(0));
        return true;
    }
}
