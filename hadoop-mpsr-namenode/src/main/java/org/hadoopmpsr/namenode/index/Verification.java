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
package org.hadoopmpsr.namenode.index;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * Compares an index with the namespace, so that no query reads what no longer holds: files that came without a commit,
 * vanished or changed. The first look costs one at every file of the dataset, later ones one at every directory and at
 * the files of those that changed; with the read lock in short holds. Thread-safe.
 */
public final class Verification {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Map<String, Known> byRoot = new ConcurrentHashMap<>();
    private final AtomicLong underway = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();

    public Verification(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** What was seen below a representation's root, and what it is good for. */
    private record Known(long epoch, long changes, SeenDirectories seen) {}

    /** To be told when a file that exists may have changed: its directory does not tell. */
    public void fileChanged() {
        changes.incrementAndGet();
    }

    /** A change of a file that exists, of which nobody knows when its caller learns that it is done. */
    public interface Change extends AutoCloseable {
        @Override
        void close();
    }

    /** To be asked for before such a change, and closed after it; until then every look is at every file. */
    public Change fileChanging() {
        underway.incrementAndGet();
        return () -> {
            fileChanged();
            underway.decrementAndGet();
        };
    }

    /**
     * Finds what keeps each representation from being read.
     *
     * @return the reason by group; groups that can be read are missing
     */
    public Map<String, String> problems(DatasetRecord dataset, DatasetIndex index) throws IOException {
        Map<String, String> problems = new HashMap<>();
        for (String group : dataset.groups().names()) {
            String problem = look(dataset, index, group).problem();
            if (!problem.isEmpty()) {
                problems.put(group, problem);
            }
        }
        return problems;
    }

    /**
     * What a representation holds that was not published.
     *
     * @param untrackedFiles files that came without a commit
     * @param restoredFiles those of them that have the statistics of a commit
     * @param differs true when the problem is that the files which there are differ from what was committed
     * @param problem the first thing that keeps it from being read; empty when it can be
     */
    public record Look(long untrackedFiles, long restoredFiles, boolean differs, String problem) {}

    /** Compares one representation. */
    public Look look(DatasetRecord dataset, DatasetIndex index, String group) throws IOException {
        String root = dataset.root(layout, group);
        GroupIndex indexed = index.group(group);
        SeenDirectories seen = see(dataset.id() + "/" + group, root, indexed);
        String problem = seen.problem();
        if (problem == null && seen.files() != indexed.files()) {
            problem = "diverged: " + VanishedFiles.text(system, root, indexed, seen, indexed.files() - seen.files());
        }
        boolean inPlace = problem == null;
        if (problem == null) {
            problem = difference(dataset, index, group);
        }
        return new Look(seen.untracked(), seen.restored(), inPlace && problem != null, problem == null ? "" : problem);
    }

    /** How the index differs from what was committed; where that is not known, from the default group. */
    private @Nullable String difference(DatasetRecord dataset, DatasetIndex index, String group) {
        CommittedContent committed;
        try {
            committed = committed(dataset);
        } catch (IOException e) {
            return e.getMessage();
        }
        GroupIndex indexed = index.group(group);
        if (committed == null) {
            return indexed.content().equals(index.group(dataset.defaultGroup()).content())
                    ? null
                    : "diverged: it does not hold the same records as the default group";
        }
        CommittedContent.Group wanted = committed.group(group);
        if (indexed.isAllOf(wanted)) {
            return null;
        }
        return "diverged: " + indexed.files() + " files with "
                + indexed.content().count() + " records lie below "
                + dataset.root(layout, group) + ", but " + wanted.files() + " files with "
                + wanted.content().count() + " records were committed"
                + (indexed.files() > wanted.files()
                        ? "; where an older MPSR has published here, remove the attribute " + Attributes.COMMITTED
                                + " of " + layout.datasetDir(dataset.id())
                        : "");
    }

    /** What was committed to a dataset, or null where that is not known. Takes the read lock. */
    public @Nullable CommittedContent committed(DatasetRecord dataset) throws IOException {
        return system.read(() -> {
            INode store = namespace.find(layout.datasetDir(dataset.id()));
            return store == null ? null : CommittedContent.on(store);
        });
    }

    private SeenDirectories see(String key, String root, GroupIndex indexed) throws IOException {
        long epoch = system.ha().epoch();
        boolean still = underway.get() == 0; // asked first: what ends after this has not changed the count yet
        long changed = changes.get();
        Known known = byRoot.get(key);
        SeenDirectories before = still && known != null && known.epoch == epoch && known.changes == changed
                ? known.seen
                : SeenDirectories.NONE;
        SeenDirectories now = before.look(system, namespace, root, indexed);
        byRoot.put(key, new Known(epoch, changed, now));
        return now;
    }

    /** How many representations anything was seen of. */
    public int size() {
        return byRoot.size();
    }

    /** Keeps what was seen of these datasets, and drops what was seen of others, which are gone. */
    public void retain(Set<String> datasetIds) {
        byRoot.keySet().removeIf(key -> !datasetIds.contains(key.substring(0, key.lastIndexOf('/'))));
    }
}
