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

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.commit.RollForward.Holds;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done for a commit after its commit point, in parts: first the files that readers without MPSR see, then
 * the offsets, then the other groups' files, and at last the end of the commit's directory. The files of one directory
 * move in one hold of the lock, up to {@link #SHOWN_AT_ONCE} of them. After an error a new object goes on where this one
 * stopped. For one thread.
 */
final class Completion {
    /** So many files of the default group, and of one directory of it in any case, appear in one hold of the lock. */
    static final int SHOWN_AT_ONCE = 100;
    /** The edits of HDFS for one source: the record, the topic's id, and a jump. */
    private static final int EDITS_OF_SOURCE = 3;
    /** With more directories, the end of a commit's directory takes holds of its own. */
    private static final int FEW_DIRECTORIES = 50;

    private final RollForward parts;
    private final DatasetRecord dataset;
    private final String commitId;
    private final String from;
    /** By group, and by directory in the order of their files. */
    private final Map<String, Map<String, List<INodeFile>>> files = new HashMap<>();

    private final Map<String, List<GroupFile>> moved = new HashMap<>();
    private final List<OffsetJump> jumps = new ArrayList<>();
    private @Nullable Deque<Part> todo;
    private @Nullable String home;
    private long builds;
    private boolean renamed;
    private @Nullable IOException failure;

    Completion(RollForward parts, DatasetRecord dataset, String commitId) {
        this.parts = parts;
        this.dataset = dataset;
        this.commitId = commitId;
        this.from = parts.layout().publishingDir(dataset.id(), commitId);
    }

    /** The work of one part, under the write lock. Returns false to be called again in the next hold. */
    private interface Work {
        boolean run(NamespaceEdits edits) throws IOException;
    }

    /** @param edits about how many edits of HDFS it makes */
    private record Part(int edits, Work work) {}

    /** Adds a file that is to be moved, by the path below the commit's directory. */
    void add(String path, INodeFile file) {
        int slash = path.indexOf('/');
        String directory = slash == path.lastIndexOf('/') ? "" : PathNames.parent(path.substring(slash + 1));
        files.computeIfAbsent(path.substring(0, slash), group -> new LinkedHashMap<>())
                .computeIfAbsent(directory, same -> new ArrayList<>())
                .add(file);
    }

    /** Adds all files of the commit that are not in their places. Takes the read lock in short holds. */
    void find() throws IOException {
        for (String group : dataset.groups().names()) {
            parts.namespace().walk(from + "/" + group, (path, file) -> {
                add(path.substring(from.length() + 1), file);
                return true;
            });
        }
    }

    /**
     * Does more of the work. Needs the write lock.
     *
     * @param most about how many edits it may make
     * @return true if all is done
     * @throws IOException if a file cannot be moved, once the others of the same kind are
     */
    boolean goOn(NamespaceEdits edits, int most) throws IOException {
        home = parts.namespace().pathOf(dataset.inodeId());
        renamed |= !dataset.path().equals(home);
        Deque<Part> open = todo == null ? begin() : todo;
        todo = open;
        int left = most;
        while (!open.isEmpty() && (left == most || open.element().edits() <= left)) {
            Part part = open.element();
            left -= part.edits();
            if (!part.work().run(edits)) {
                return false;
            }
            open.remove();
        }
        return open.isEmpty();
    }

    /** Does all that is left, in short holds of the lock. */
    void finish(Holds holds) throws IOException {
        boolean done = false;
        while (!done) {
            done = holds.hold(edits -> goOn(edits, PublishHolds.STEP));
        }
    }

    /** The offsets that the commit passed over, and that operators should know of. */
    List<OffsetJump> jumps() {
        return jumps;
    }

    private Deque<Part> begin() throws IOException {
        builds = parts.indexes().builds(dataset);
        CommitRecord commit = CommitRecord.on(parts.namespace().require(from));
        Deque<Part> all = new ArrayDeque<>();
        addMoves(all, dataset.defaultGroup(), SHOWN_AT_ONCE);
        all.add(new Part(0, edits -> throwFailure()));
        for (CommitSource source : commit.sources()) {
            all.add(new Part(EDITS_OF_SOURCE, edits -> {
                parts.offsets().record(edits, dataset, commit, source).ifPresent(jumps::add);
                return true;
            }));
        }
        for (String group : dataset.groups().names()) {
            if (!group.equals(dataset.defaultGroup())) {
                addMoves(all, group, PublishHolds.STEP);
            }
        }
        all.add(new Part(0, edits -> throwFailure()));
        int directories = files.values().stream().mapToInt(Map::size).sum();
        all.add(new Part(directories > FEW_DIRECTORIES ? PublishHolds.STEP : 2, edits -> end(edits, commit)));
        return all;
    }

    private void addMoves(Deque<Part> all, String group, int most) {
        files.getOrDefault(group, Map.of()).forEach((directory, inside) -> {
            for (List<INodeFile> some : LockSteps.parts(inside, most)) {
                all.add(new Part(some.size(), edits -> {
                    move(edits, group, directory, some);
                    return true;
                }));
            }
        });
    }

    private void move(NamespaceEdits edits, String group, String directory, List<INodeFile> some) {
        boolean shown = group.equals(dataset.defaultGroup());
        String below = directory.isEmpty() ? "" : "/" + directory;
        String source = from + "/" + group + below + "/";
        String root = shown ? home : parts.layout().groupDir(dataset.id(), group);
        String target = root + below;
        for (INodeFile file : some) {
            try {
                if (root == null) {
                    throw new IOException("the dataset directory is deleted");
                }
                String path = target + "/" + file.getLocalName();
                INode parent = parts.makeParent(edits, path, shown, file);
                edits.rename(source + file.getLocalName(), path);
                if (!StoredStatistics.isPublished(file)) {
                    throw new IOException(path + " has lost its attribute " + Attributes.FILE);
                }
                if (shown) {
                    parts.rights().published(dataset.inodeId(), file);
                }
                moved.computeIfAbsent(group, g -> new ArrayList<>()).add(new GroupFile(parent.getId(), target, file));
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
    }

    /** After everything was tried. */
    private boolean throwFailure() throws IOException {
        if (failure != null) {
            parts.indexes().forget(dataset.id());
            throw new IOException(
                    "commit " + commitId + " to " + dataset.path() + " is published, but not all of its files are"
                            + " in their places; the NameNode goes on trying: " + failure.getMessage(),
                    failure);
        }
        return true;
    }

    /** Removes the commit's directory. From here on the commit is a part of what the dataset should hold. */
    private boolean end(NamespaceEdits edits, CommitRecord commit) throws IOException {
        byte[] sum = Attributes.get(parts.namespace().require(from), Attributes.COMMITTED);
        if (sum != null) {
            edits.setXAttr(parts.layout().datasetDir(dataset.id()), Attributes.COMMITTED, sum);
        }
        if (!parts.deletion().step(edits, from)) {
            return false;
        }
        parts.log().add(dataset.id(), commit);
        if (renamed) {
            parts.indexes().forget(dataset.id());
        } else {
            parts.indexes().published(dataset, moved, builds);
        }
        return true;
    }
}
