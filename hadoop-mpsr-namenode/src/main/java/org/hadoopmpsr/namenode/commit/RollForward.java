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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits.Access;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.rights.DatasetRights;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Completes commits that have passed their commit point: moves the remaining files into place, records the offsets, and
 * removes the commit's directory. Idempotent: a further run continues where the last one stopped.
 */
public final class RollForward {
    private static final Logger LOG = PrintableLog.of(RollForward.class);

    private final Namespace namespace;
    private final StoreLayout layout;
    private final Offsets offsets;
    private final Indexes indexes;
    private final DatasetRights rights;
    private final CommitLog log;

    public RollForward(
            Namespace namespace,
            StoreLayout layout,
            Offsets offsets,
            Indexes indexes,
            DatasetRights rights,
            CommitLog log) {
        this.namespace = namespace;
        this.layout = layout;
        this.offsets = offsets;
        this.indexes = indexes;
        this.rights = rights;
        this.log = log;
    }

    /** Runs a step under the write lock. */
    public interface Holds {
        boolean hold(MpsrNamesystem.Write<Boolean> step) throws IOException;
    }

    /**
     * Completes all pending commits of a dataset, in short holds of the lock. The caller has the dataset alone.
     *
     * @return the number of commits
     * @throws IOException if one of them cannot be completed now
     */
    public int completeAll(Holds holds, DatasetRecord dataset) throws IOException {
        List<String> commits = new ArrayList<>();
        holds.hold(edits -> {
            for (INode commit : pending(dataset)) {
                commits.add(commit.getLocalName());
            }
            return true;
        });
        for (String commit : commits) {
            complete(holds, dataset, commit);
            LOG.info("MPSR: rolled forward commit {} of {}", commit, dataset.path());
        }
        return commits.size();
    }

    private List<INode> pending(DatasetRecord dataset) throws IOException {
        return namespace.children(layout.datasetDir(dataset.id()) + "/" + StoreLayout.PUBLISHING);
    }

    /** True if a commit of the dataset is pending. Needs only the read lock. */
    public boolean isPending(DatasetRecord dataset) throws IOException {
        return !pending(dataset).isEmpty();
    }

    /**
     * Completes one commit. If a file cannot be moved, the other files are moved nevertheless.
     *
     * @throws IOException if not everything could be done; the commit stays pending
     */
    void complete(Holds holds, DatasetRecord dataset, String commitId) throws IOException {
        Completion completion = new Completion(dataset, commitId);
        holds.hold(edits -> {
            completion.show(edits);
            return true;
        });
        completion.finish(holds);
    }

    /** A commit whose files are being moved into place. For one thread. */
    final class Completion {
        private final DatasetRecord dataset;
        private final String commitId;
        private final String from;
        private final Map<String, List<GroupFile>> moved = new HashMap<>();
        private final Map<String, String> parents = new HashMap<>();
        private @Nullable CommitRecord commit;
        private List<OffsetJump> jumps = List.of();
        private long builds;
        /** The files that could not be moved. */
        private final Set<String> stuck = new HashSet<>();

        private @Nullable IOException failure;

        Completion(DatasetRecord dataset, String commitId) {
            this.dataset = dataset;
            this.commitId = commitId;
            this.from = layout.publishingDir(dataset.id(), commitId);
        }

        /** Moves everything into place that readers without MPSR see, and records the offsets. */
        void show(NamespaceEdits edits) throws IOException {
            builds = indexes.builds(dataset);
            CommitRecord record = CommitRecord.on(namespace.require(from));
            commit = record;
            move(edits, dataset.defaultGroup(), Integer.MAX_VALUE);
            throwFailure();
            jumps = offsets.record(edits, dataset, record);
        }

        /** The offsets that the commit passed over, and that operators should know of. */
        List<OffsetJump> jumps() {
            return jumps;
        }

        /** Moves all remaining files, in short holds of the lock. */
        void finish(Holds holds) throws IOException {
            boolean complete = false;
            while (!complete) {
                complete = holds.hold(edits -> goOn(edits, PublishHolds.STEP));
            }
        }

        /**
         * Moves more of the remaining files.
         *
         * @return true if no file is left
         */
        boolean goOn(NamespaceEdits edits, int maxFiles) throws IOException {
            int left = maxFiles;
            for (String group : dataset.groups().names()) {
                left -= move(edits, group, left);
                if (left == 0) {
                    return false;
                }
            }
            throwFailure();
            keepSum(edits);
            edits.delete(from);
            if (commit != null) {
                log.add(dataset.id(), commit);
            }
            indexes.published(dataset, moved, builds);
            return true;
        }

        /** From here on the commit is a part of what the dataset should hold. */
        private void keepSum(NamespaceEdits edits) throws IOException {
            byte[] sum = Attributes.get(namespace.require(from), Attributes.COMMITTED);
            if (sum != null) {
                edits.setXAttr(layout.datasetDir(dataset.id()), Attributes.COMMITTED, sum);
            }
        }

        /**
         * Brings the index up to date; otherwise the published files would wait in memory for a plan. Needs no lock.
         */
        void index() {
            indexes.known(dataset);
        }

        private int move(NamespaceEdits edits, String group, int maxFiles) throws IOException {
            String root = dataset.root(layout, group);
            List<CommitFile> files = files(from + "/" + group, maxFiles, stuck);
            for (CommitFile file : files) {
                try {
                    String target = root + "/" + file.relative();
                    String parent = PathNames.parent(target);
                    if (parents.putIfAbsent(parent, parent) == null) {
                        makeParent(edits, dataset, target, file.inode());
                    }
                    place(edits, file, target);
                    if (group.equals(dataset.defaultGroup())) {
                        rights.published(dataset.inodeId(), file.inode());
                    }
                    moved.computeIfAbsent(group, g -> new ArrayList<>())
                            .add(GroupFile.of(parents.getOrDefault(parent, parent), file.inode()));
                } catch (IOException e) {
                    stuck.add(file.path());
                    failure = failure == null ? e : failure;
                }
            }
            return files.size();
        }

        /** After everything was tried. */
        private void throwFailure() throws IOException {
            if (failure != null) {
                indexes.forget(dataset.id());
                throw new IOException(
                        "commit " + commitId + " to " + dataset.path() + " is published, but not all of its files are"
                                + " in their places; the NameNode goes on trying: " + failure.getMessage(),
                        failure);
            }
        }
    }

    /** A file of a commit that is not in its place yet. */
    private record CommitFile(String path, String relative, INodeFile inode) {}

    private List<CommitFile> files(String root, int max, Set<String> without) throws IOException {
        List<CommitFile> files = new ArrayList<>();
        namespace.walk(root, (path, file) -> {
            if (!without.contains(path)) {
                files.add(new CommitFile(path, path.substring(root.length() + 1), file));
            }
            return files.size() < max;
        });
        return files;
    }

    private static void place(NamespaceEdits edits, CommitFile file, String target) throws IOException {
        edits.rename(file.path(), target);
        if (!StoredStatistics.isPublished(file.inode())) {
            throw new IOException(target + " has lost its attribute " + Attributes.FILE);
        }
    }

    /**
     * Makes the missing partition directories of a file. In the dataset directory they get the rights that the writer of
     * the file would give them.
     *
     * @return the directory of the file
     */
    INode makeParent(NamespaceEdits edits, DatasetRecord dataset, String target, INode file) throws IOException {
        String path = PathNames.parent(target);
        INode parent = namespace.find(path);
        if (parent == null) {
            edits.mkdirs(path, path.startsWith(dataset.path() + "/") ? Access.around(file) : Access.own());
            parent = namespace.require(path);
        }
        return parent;
    }
}
