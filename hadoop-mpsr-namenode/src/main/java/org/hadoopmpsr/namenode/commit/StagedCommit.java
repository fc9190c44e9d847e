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
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.RenameCheck;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.OffsetRules;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.commit.CommitCheck.CheckedFile;
import org.hadoopmpsr.namenode.commit.CommitCheck.NamedFile;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;

/** A commit in its staging directory, and its preparation before the commit point. For one publish and one thread. */
final class StagedCommit {
    /** The mode of files in the store. */
    private static final FsPermission IN_STORE = FsPermission.createImmutable((short) 0600);
    /** The number of files whose renames are checked in one hold of the lock. */
    private static final int CHECKED = 200;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final MpsrConfig config;
    private final PublishHolds holds;
    private final RollForward rollForward;
    private final DatasetQuotas quotas;
    private final DatasetRecord dataset;
    private final String commitId;
    private final List<CommitSource> sources;
    private final CommitManifest manifest;
    private final String staging;
    private final String store;
    private final CommitCheck check;
    private final List<CheckedFile> files = new ArrayList<>();
    private List<NamedFile> named = List.of();
    private ContentHash content = ContentHash.EMPTY;
    private CommittedContent added = CommittedContent.NONE;
    private long stagingId;
    private StagedTree tree;

    StagedCommit(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            PublishHolds holds,
            RollForward rollForward,
            DatasetQuotas quotas,
            DatasetRecord dataset,
            String commitId,
            List<CommitSource> sources,
            CommitManifest manifest) {
        this.system = system;
        this.namespace = namespace;
        this.config = config;
        this.holds = holds;
        this.rollForward = rollForward;
        this.quotas = quotas;
        this.dataset = dataset;
        this.commitId = commitId;
        this.sources = List.copyOf(sources);
        this.manifest = manifest;
        this.staging = layout.stagingDir(dataset.id(), commitId);
        this.store = layout.datasetDir(dataset.id());
        this.check = new CommitCheck(namespace, layout, dataset, commitId);
        this.tree = new StagedTree(check, 0, files);
    }

    /**
     * Checks what the commit says by itself. Takes no lock.
     *
     * @throws RefusedException with what is wrong
     */
    void read() throws IOException {
        List<StagedFile> staged = manifest.files();
        added = CommittedContent.of(staged);
        named = check.named(staged, config.maxCommitFiles());
        content = added.group(dataset.defaultGroup()).content();
        Optional<String> problem = OffsetRules.problem(sources, content.count());
        if (problem.isPresent()) {
            throw check.refused(Kind.INVALID, problem.get());
        }
    }

    /** The commit's records, each counted once, after {@link #read}. */
    ContentHash content() {
        return content;
    }

    /** The files that the commit names, after {@link #read}. */
    List<NamedFile> named() {
        return named;
    }

    /**
     * Checks everything, and then gives the staged files their statistics and rights, and makes their partition
     * directories. Takes the lock in short holds.
     *
     * @return the number of files
     */
    int prepare() throws IOException {
        for (CommitSource source : sources) {
            system.checkName(Offsets.recordOf(source, commitId).directoryName());
        }
        int maxAttributeBytes = holds.hold(edits -> {
            checkStagingDirectory(edits);
            return edits.maxXAttrBytes(Attributes.FILE);
        });
        for (List<NamedFile> step : PublishHolds.steps(named)) {
            system.read(() -> {
                for (NamedFile file : step) {
                    files.add(check.check(file, maxAttributeBytes));
                }
                return true;
            });
        }
        tree = new StagedTree(check, stagingId, files);
        system.read(() -> {
            checkTree();
            return true;
        });
        for (List<CheckedFile> step : PublishHolds.steps(files)) {
            holds.hold(edits -> {
                prepare(edits, step);
                return true;
            });
        }
        return files.size();
    }

    /**
     * Checks that the renames will be allowed, in short holds of the lock. The caller has the dataset alone, and nobody
     * else publishes to it.
     */
    void checkRoom() throws IOException {
        RenameCheck renames = new RenameCheck();
        for (List<CheckedFile> step : LockSteps.parts(files, CHECKED)) {
            holds.hold(edits -> {
                for (CheckedFile file : step) {
                    renames.add(edits, file.source(), file.target());
                }
                renames.check(edits);
                return true;
            });
        }
    }

    /** Gives all files to what moves them. */
    void addTo(Completion completion) {
        for (CheckedFile file : files) {
            completion.add(file.source().substring(staging.length() + 1), file.staged());
        }
    }

    private boolean isShown(CheckedFile file) {
        return file.target().startsWith(dataset.path() + "/");
    }

    private void checkTree() throws IOException {
        INode directory = namespace.find(staging);
        if (directory == null || directory.getId() != stagingId) {
            throw notBegun();
        }
        tree.check(namespace, directory.asDirectory());
    }

    /** Checks that the staging directory is the caller's, and notes the commit on it. */
    private void checkStagingDirectory(NamespaceEdits edits) throws IOException {
        INode directory = namespace.find(staging);
        if (directory == null) {
            throw notBegun();
        }
        if (!directory.getUserName().equals(system.caller())) {
            system.checkSuperuser("mpsrPublish", staging);
        }
        stagingId = directory.getId();
        CommitRecord commit = new CommitRecord(commitId, sources, content, OffsetRules.noted(sources, content.count()));
        edits.setXAttr(staging, Attributes.COMMIT, commit.encode());
    }

    private IOException notBegun() {
        return new RefusedException(
                Kind.NOT_STAGED,
                staging + " does not exist: the commit was not begun, or it was aborted or begun anew; begin it and"
                        + " stage its files again");
    }

    private void prepare(NamespaceEdits edits, List<CheckedFile> step) throws IOException {
        NamespaceEdits.Access inStore = new NamespaceEdits.Access(NamespaceEdits.self(), null, IN_STORE);
        for (CheckedFile file : step) {
            INode parent =
                    rollForward.makeParent(edits, file.target(), isShown(file), namespace.require(file.source()));
            edits.setXAttr(file.source(), Attributes.FILE, file.attribute());
            if (isShown(file)) {
                edits.setGroup(file.source(), parent.getGroupName()); // as if it had been written there
            } else {
                edits.setAccess(file.source(), inStore);
            }
        }
    }

    /**
     * Checks that everything is as it was prepared, and that the renames will not fail: those of the default group, if they
     * are few enough to be made in this hold. Needs the write lock.
     */
    void checkAgain(NamespaceEdits edits) throws IOException {
        checkTree();
        if (!dataset.path().equals(namespace.pathOf(dataset.inodeId()))) {
            throw check.refused(
                    Kind.NO_SUCH_DATASET, "the dataset's directory was moved or deleted while it was published");
        }
        List<CheckedFile> shown = files.stream().filter(this::isShown).toList();
        if (shown.size() <= Completion.SHOWN_AT_ONCE) {
            RenameCheck renames = new RenameCheck();
            for (CheckedFile file : shown) {
                renames.add(edits, file.source(), file.target());
            }
            renames.check(edits);
        }
        quotas.check(dataset, 0);
        addUp(edits);
    }

    /** Notes what the dataset should hold after this commit, unless that is not known. */
    private void addUp(NamespaceEdits edits) throws IOException {
        CommittedContent before = CommittedContent.on(namespace.require(store));
        if (before != null) {
            CommittedContent after = before.plus(added);
            if (after.isTooLarge()) {
                throw check.refused(
                        Kind.INVALID,
                        "the dataset would have more than " + CommittedContent.MAX_RECORDS
                                + " records; some commit stated a false number: see 'verify' for the files with false"
                                + " statistics");
            }
            edits.setXAttr(staging, Attributes.COMMITTED, after.encode());
        }
    }
}
