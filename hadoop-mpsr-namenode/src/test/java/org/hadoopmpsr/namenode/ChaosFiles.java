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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Steps of users who work on datasets by hand, as on any directory. */
final class ChaosFiles {
    private final Chaos chaos;
    private final DistributedFileSystem fs;

    ChaosFiles(Chaos chaos) {
        this.chaos = chaos;
        this.fs = chaos.fs();
    }

    List<ChaosStep> steps() {
        return List.of(
                new ChaosStep("write a stray file", 2, this::stray),
                new ChaosStep("delete a stray file", 3, this::unstray),
                new ChaosStep("append", 1, this::append),
                new ChaosStep("truncate", 1, this::truncate),
                new ChaosStep("concat", 1, this::concat),
                new ChaosStep("move to the trash, or delete", 2, this::trash),
                new ChaosStep("the same, and a failover", 2, this::trashAndFailOver),
                new ChaosStep("move back", 4, this::back),
                new ChaosStep("setrep", 1, this::setReplication));
    }

    private Optional<ChaosDataset> any(Predicate<ChaosDataset> which) {
        return chaos.anyDataset(which);
    }

    private Path file(ChaosDataset dataset, String group, String relative) {
        return new Path(dataset.root(group) + "/" + relative);
    }

    private boolean stray() throws IOException {
        Optional<ChaosDataset> some = any(d -> true);
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get().disturb();
        String group = dataset.defaultGroup();
        String relative = "x=" + chaos.random(2) + "/" + chaos.newName("stray");
        chaos.log("write %s", file(dataset, group, relative));
        TestCluster.write(fs, file(dataset, group, relative).toString(), 500);
        dataset.strays(group).add(relative);
        return true;
    }

    private boolean unstray() throws IOException {
        for (ChaosDataset dataset : chaos.datasets()) {
            for (String group : dataset.groupNames()) {
                if (!dataset.strays(group).isEmpty()) {
                    String relative = chaos.any(dataset.strays(group));
                    chaos.log("delete %s", file(dataset, group, relative));
                    assertThat(fs.delete(file(dataset, group, relative), false)).isTrue();
                    dataset.strays(group).remove(relative);
                    return true;
                }
            }
        }
        return false;
    }

    /** A published file of any group. */
    private interface Change {
        boolean to(ChaosDataset dataset, String group, List<String> sound) throws IOException;
    }

    private boolean change(Change change) throws IOException {
        Optional<ChaosDataset> some = any(d -> !d.publishedCommits().isEmpty());
        if (some.isEmpty()) {
            return false;
        }
        ChaosDataset dataset = some.get();
        String group = chaos.any(dataset.groupNames());
        List<String> sound = dataset.soundFiles(group);
        // one that is down may hold the only copy
        return !sound.isEmpty() && chaos.dataNodes().down().isEmpty() && change.to(dataset.disturb(), group, sound);
    }

    /** Files of the store cannot be changed. */
    private static boolean isRefused(ChaosDataset dataset, String group, ThrowingCallable call) {
        if (group.equals(dataset.defaultGroup())) {
            return false;
        }
        assertThatThrownBy(call).hasMessageContaining("is MPSR's own");
        return true;
    }

    private boolean append() throws IOException {
        return change((dataset, group, sound) -> {
            String relative = chaos.any(sound);
            chaos.log("append to %s", file(dataset, group, relative));
            if (isRefused(dataset, group, () -> fs.append(file(dataset, group, relative)))) {
                return true;
            }
            try (FSDataOutputStream out = fs.append(file(dataset, group, relative))) {
                out.write(1);
            }
            dataset.changed(group).add(relative);
            return true;
        });
    }

    private boolean truncate() throws IOException {
        return change((dataset, group, sound) -> {
            String relative = chaos.any(sound);
            chaos.log("truncate %s", file(dataset, group, relative));
            if (isRefused(dataset, group, () -> fs.truncate(file(dataset, group, relative), 100))) {
                return true;
            }
            if (!fs.truncate(file(dataset, group, relative), 100)) {
                await().atMost(Chaos.LONG).until(() -> fs.isFileClosed(file(dataset, group, relative)));
            }
            dataset.changed(group).add(relative);
            return true;
        });
    }

    private boolean concat() throws IOException {
        return change((dataset, group, sound) -> {
            String target = chaos.any(sound);
            String dir = target.substring(0, target.lastIndexOf('/') + 1);
            List<String> sources = sound.stream()
                    .filter(f -> !f.equals(target) && f.startsWith(dir) && f.indexOf('/', dir.length()) < 0)
                    .toList();
            if (sources.isEmpty() || dataset.snapshot().isPresent()) {
                return false;
            }
            String source = chaos.any(sources);
            chaos.log("concat %s to %s", source, file(dataset, group, target));
            Path[] joined = {file(dataset, group, source)};
            if (isRefused(dataset, group, () -> fs.concat(file(dataset, group, target), joined))) {
                return true;
            }
            fs.concat(file(dataset, group, target), joined);
            dataset.changed(group).add(target);
            dataset.vanished(group).put(source, "");
            return true;
        });
    }

    private boolean trash() throws IOException {
        return change((dataset, group, sound) -> {
            String relative = chaos.any(sound);
            if (!group.equals(dataset.defaultGroup())) {
                // out of the store there is no way back
                chaos.log("delete %s", file(dataset, group, relative));
                isRefused(dataset, group, () -> fs.delete(file(dataset, group, relative), false));
                assertThat(chaos.cluster().pastMpsr().delete(file(dataset, group, relative), false))
                        .isTrue();
                dataset.vanished(group).put(relative, "");
                return true;
            }
            String trash = "/chaos-trash/" + chaos.newName(dataset.id());
            chaos.log("move %s to %s", file(dataset, group, relative), trash);
            fs.mkdirs(new Path("/chaos-trash"));
            assertThat(fs.rename(file(dataset, group, relative), new Path(trash)))
                    .isTrue();
            dataset.vanished(group).put(relative, trash);
            return true;
        });
    }

    /** Who is active then has not seen the file. */
    private boolean trashAndFailOver() throws Exception {
        boolean done = trash();
        if (done) {
            chaos.log("failover");
            chaos.cluster().failOver();
        }
        return done;
    }

    private boolean back() throws IOException {
        for (ChaosDataset dataset : chaos.datasets()) {
            for (String group : dataset.groupNames()) {
                for (Map.Entry<String, String> away : dataset.vanished(group).entrySet()) {
                    if (!away.getValue().isEmpty()) {
                        Path target = file(dataset, group, away.getKey());
                        chaos.log("move %s back to %s", away.getValue(), target);
                        fs.mkdirs(target.getParent());
                        assertThat(fs.rename(new Path(away.getValue()), target)).isTrue();
                        dataset.vanished(group).remove(away.getKey());
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean setReplication() throws IOException {
        Optional<ChaosDataset> some = any(d -> !d.publishedCommits().isEmpty());
        if (some.isEmpty() || some.get().soundFiles("time").isEmpty()) {
            return false;
        }
        String relative = chaos.any(some.get().soundFiles("time"));
        chaos.log("setrep 3 %s", file(some.get(), "time", relative));
        assertThatThrownBy(() -> fs.setReplication(file(some.get(), "time", relative), (short) 3))
                .hasMessageContaining("cannot set the replication");
        return true;
    }
}
