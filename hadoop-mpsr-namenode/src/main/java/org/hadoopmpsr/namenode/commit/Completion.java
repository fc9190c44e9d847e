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
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.commit.RollForward.Holds;
import org.hadoopmpsr.namenode.dataset.CommitLog;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.index.IndexChange;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done for a change after its commit point, in parts, each in one hold of the lock. After an error a new object
 * goes on where this one stopped. The caller has the dataset alone. For one thread.
 */
abstract class Completion {
    /** So many files of the default group, and of one directory of it in any case, appear in one hold of the lock. */
    static final int SHOWN_AT_ONCE = 100;
    /** With more directories, the end of a change's directory takes holds of its own. */
    private static final int FEW_DIRECTORIES = 50;

    final Shared parts;
    final DatasetRecord dataset;
    final String changeId;
    /** The directory of the change. */
    final String from;
    /** By group, and by directory in the order of their files. */
    private final Map<String, Map<String, List<INodeFile>>> files = new HashMap<>();

    private final Map<String, List<GroupFile>> added = new HashMap<>();
    private final Map<String, List<GroupFile>> removed = new HashMap<>();
    private @Nullable Deque<Part> todo;
    private @Nullable String home;
    private long builds;
    private boolean renamed;
    private @Nullable IOException failure;

    Completion(Shared parts, DatasetRecord dataset, String changeId) {
        this.parts = parts;
        this.dataset = dataset;
        this.changeId = changeId;
        this.from = parts.layout.publishingDir(dataset.id(), changeId);
    }

    /** What completions use. */
    record Shared(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            Offsets offsets,
            Indexes indexes,
            DatasetRights rights,
            SegmentRecords segments,
            CommitLog log,
            Deletion deletion) {}

    /** The work of one part, under the write lock. Returns false to be called again in the next hold. */
    interface Work {
        boolean run(NamespaceEdits edits) throws IOException;
    }

    /** @param edits about how many edits of HDFS it makes */
    record Part(int edits, Work work) {}

    /** Adds a new file that is to be moved, by the path below the change's directory. */
    void add(String path, INodeFile file) {
        int slash = path.indexOf('/');
        String directory = slash == path.lastIndexOf('/') ? "" : PathNames.parent(path.substring(slash + 1));
        files.computeIfAbsent(path.substring(0, slash), group -> new LinkedHashMap<>())
                .computeIfAbsent(directory, same -> new ArrayList<>())
                .add(file);
    }

    /** Finds all that is left to be done, after a crash or an error. Takes the read lock in short holds. */
    void find() throws IOException {
        for (String group : dataset.groups().names()) {
            parts.namespace.walk(from + "/" + group, (path, file) -> {
                add(path.substring(from.length() + 1), file);
                return true;
            });
        }
    }

    /** Adds the work before the end of the change. Needs the read lock. */
    abstract void plan(Collection<Part> all, CommitRecord change) throws IOException;

    /** The record of the segment that the change has made. Called at the end. */
    abstract Segment segment(CommitRecord change);

    /** The offsets that the change passed over, and that operators should know of. */
    List<OffsetJump> jumps() {
        return List.of();
    }

    /**
     * Does more of the work. Needs the write lock.
     *
     * @param most about how many edits it may make
     * @return true if all is done
     * @throws IOException if a file cannot be moved, once the others of the same kind are
     */
    boolean goOn(NamespaceEdits edits, int most) throws IOException {
        home = parts.namespace.pathOf(dataset.inodeId());
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

    private Deque<Part> begin() throws IOException {
        builds = parts.indexes.builds(dataset);
        CommitRecord change = CommitRecord.on(parts.namespace.require(from));
        Deque<Part> all = new ArrayDeque<>();
        plan(all, change);
        all.add(new Part(0, edits -> throwFailure()));
        int directories = files.values().stream().mapToInt(Map::size).sum();
        all.add(new Part(directories > FEW_DIRECTORIES ? PublishHolds.STEP : 3, edits -> end(edits, change)));
        return all;
    }

    /** The new files of a group, by the path of their directory below the group's. */
    Map<String, List<INodeFile>> newFiles(String group) {
        return files.getOrDefault(group, Map.of());
    }

    /** The root of a group's files now; null if the dataset directory is deleted. */
    @Nullable
    String root(String group) {
        return group.equals(dataset.defaultGroup()) ? home : parts.layout.groupDir(dataset.id(), group);
    }

    /** Adds the moves of the new files of a group, so many of one directory in one hold of the lock. */
    void addMoves(Collection<Part> all, String group, int most) {
        newFiles(group).forEach((directory, inside) -> {
            for (List<INodeFile> some : LockSteps.parts(inside, most)) {
                all.add(new Part(some.size(), edits -> {
                    move(edits, group, directory, some);
                    return true;
                }));
            }
        });
    }

    /** Moves new files of one directory into place. Needs the write lock. */
    void move(NamespaceEdits edits, String group, String directory, List<INodeFile> some) {
        boolean shown = group.equals(dataset.defaultGroup());
        String below = directory.isEmpty() ? "" : "/" + directory;
        String source = from + "/" + group + below + "/";
        String root = root(group);
        String target = root + below;
        for (INodeFile file : some) {
            try {
                if (root == null) {
                    throw new IOException("the dataset directory is deleted");
                }
                String path = target + "/" + file.getLocalName();
                INode parent = makeParent(parts.namespace, edits, path, shown, file);
                edits.rename(source + file.getLocalName(), path);
                if (!StoredStatistics.isPublished(file)) {
                    throw new IOException(path + " has lost its attribute " + Attributes.FILE);
                }
                if (shown) {
                    parts.rights.published(dataset.inodeId(), file);
                }
                added(group, new GroupFile(parent.getId(), target, file));
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    /** A file of the dataset is published now. */
    void added(String group, GroupFile file) {
        added.computeIfAbsent(group, g -> new ArrayList<>()).add(file);
    }

    /** A file of the dataset was moved out of its place. */
    void removed(String group, GroupFile file) {
        removed.computeIfAbsent(group, g -> new ArrayList<>()).add(file);
    }

    /** A file could not be moved. */
    void failed(IOException e) {
        failure = failure == null ? e : failure;
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** After everything was tried. */
    boolean throwFailure() throws IOException {
        if (failure != null) {
            parts.indexes.forget(dataset.id());
            throw new IOException(
                    "commit " + changeId + " to " + dataset.path() + " is published, but not all of its files are"
                            + " in their places; the NameNode goes on trying: " + failure.getMessage(),
                    failure);
        }
        return true;
    }

    /** Removes the change's directory. From here on the change is a part of what the dataset should hold. */
    private boolean end(NamespaceEdits edits, CommitRecord change) throws IOException {
        if (change.sequence() > 0 && !change.groups().isEmpty()) {
            parts.segments.put(edits, dataset, segment(change));
        }
        byte[] sum = Attributes.get(parts.namespace.require(from), Attributes.COMMITTED);
        if (sum != null) {
            edits.setXAttr(parts.layout.datasetDir(dataset.id()), Attributes.COMMITTED, sum);
        }
        if (!parts.deletion.step(edits, from)) {
            return false;
        }
        parts.log.add(dataset.id(), change);
        if (renamed) {
            parts.indexes.forget(dataset.id());
        } else {
            parts.indexes.changed(dataset, new IndexChange.Files(changeId, added, removed), builds);
        }
        return true;
    }

    /**
     * Makes the missing partition directories of a file. In the dataset directory they get the rights that the writer of
     * the file would give them. Needs the write lock.
     *
     * @param shown true for a file of the default group
     * @return the directory of the file
     */
    static INode makeParent(Namespace namespace, NamespaceEdits edits, String target, boolean shown, INode file)
            throws IOException {
        String path = PathNames.parent(target);
        INode parent = namespace.find(path);
        if (parent == null) {
            edits.mkdirs(path, shown ? NamespaceEdits.Access.around(file) : NamespaceEdits.Access.own());
            parent = namespace.require(path);
        }
        return parent;
    }
}
