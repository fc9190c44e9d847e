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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.RenameCheck;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.check.CommitCheck;
import org.hadoopmpsr.namenode.check.CommitCheck.CheckedFile;
import org.hadoopmpsr.namenode.check.StagedTree;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Offsets;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.ChangeLists;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.writer.CommitManifest;
import org.hadoopmpsr.namenode.writer.RefusedException;

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
    private final DatasetQuotas quotas;
    private final DatasetRecord dataset;
    private final ChangeRules rules;
    private final DatasetChange change;
    private final CommitManifest manifest;
    private final SegmentRecords segments;
    private final String staging;
    private final String store;
    private final CommitCheck check;
    private final List<CheckedFile> files = new ArrayList<>();
    private List<NamedFile> named = List.of();
    private ContentHash content = ContentHash.EMPTY;
    private CommittedContent added = CommittedContent.NONE;
    private long stagingId;
    private long sequence;
    private StagedTree tree;

    StagedCommit(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            PublishHolds holds,
            DatasetQuotas quotas,
            DatasetRecord dataset,
            ChangeRules rules,
            DatasetChange change,
            CommitManifest manifest) {
        this.system = system;
        this.namespace = namespace;
        this.config = config;
        this.holds = holds;
        this.quotas = quotas;
        this.dataset = dataset;
        this.rules = rules;
        this.change = change;
        this.manifest = manifest;
        this.segments = new SegmentRecords(system, namespace, layout);
        this.staging = layout.stagingDir(dataset.id(), change.id());
        this.store = layout.datasetDir(dataset.id());
        this.check = new CommitCheck(namespace, layout, dataset, change);
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
        if (change.makesOneSegment()) { // others may be hashed in different ways
            content = added.group(dataset.defaultGroup()).content().single().orElseThrow();
        }
        checkRecord();
        rules.read(named, content);
    }

    /** Before a lock is taken: HDFS limits the record of the sources. */
    private void checkRecord() throws IOException {
        int max = system.maxXAttrBytes(Attributes.COMMIT);
        Segment.Group largest = new Segment.Group(
                Long.MAX_VALUE, Long.MAX_VALUE, new ContentHash(HashKind.XXH_128, Long.MAX_VALUE, 0, 0));
        Map<String, Segment.Group> groups =
                dataset.groups().names().stream().collect(Collectors.toMap(name -> name, name -> largest));
        int bytes = rules.record(content).counted(Long.MAX_VALUE, groups).encode(max).length;
        if (bytes > max) {
            throw new RefusedException(
                    Kind.INVALID,
                    "commit " + change.id() + " is refused: the record of its "
                            + change.sources().size() + " topic-partitions takes " + bytes + " bytes, more than the "
                            + max + " that an extended attribute may have (dfs.namenode.fs-limits.max-xattr-size);"
                            + " commit fewer topic-partitions at a time");
        }
    }

    /**
     * Checks everything, and then gives the staged files their statistics and rights, and makes their partition
     * directories. Takes the lock in short holds.
     *
     * @return the number of files
     */
    int prepare() throws IOException {
        for (CommitSource source : change.sources()) {
            system.checkName(Offsets.recordOf(source, change.id()).directoryName());
        }
        int maxAttributeBytes = holds.hold(edits -> {
            checkStagingDirectory(edits);
            return edits.maxXAttrBytes(Attributes.FILE);
        });
        setTimes();
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

    /** Before the files are checked: their statistics say their times. */
    private void setTimes() throws IOException {
        List<NamedFile> timed = named.stream()
                .filter(file -> rules.modificationTime(file).isPresent())
                .toList();
        for (List<NamedFile> step : PublishHolds.steps(timed)) {
            holds.hold(edits -> {
                for (NamedFile file : step) {
                    edits.setModificationTime(
                            file.source(), rules.modificationTime(file).getAsLong());
                }
                return true;
            });
        }
    }

    /**
     * Checks that the renames will be allowed, in short holds of the lock, and gives the change its number if the dataset
     * counts its changes. The caller has the dataset alone, and nobody else publishes to it.
     */
    void confirm() throws IOException {
        checkRoom();
        boolean counts = system.read(() -> segments.areKept(dataset));
        sequence = counts ? segments.last(dataset) + 1 : 0;
    }

    private void checkRoom() throws IOException {
        RenameCheck renames = new RenameCheck();
        for (List<CheckedFile> step : LockSteps.parts(files, CHECKED)) {
            holds.hold(edits -> {
                for (CheckedFile file : step) {
                    if (!file.inPlace()) {
                        renames.add(edits, file.source(), file.target());
                    }
                }
                renames.check(edits);
                return true;
            });
        }
    }

    /** The number of files that lie where they are published. */
    int inPlace() {
        return (int) files.stream().filter(CheckedFile::inPlace).count();
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
        CommitRecord commit = rules.record(content);
        edits.setXAttr(staging, Attributes.COMMIT, commit.encode(edits.maxXAttrBytes(Attributes.COMMIT)));
        for (Map.Entry<String, byte[]> list : ChangeLists.of(change, edits.maxXAttrBytes(Attributes.COMMIT))
                .byName()
                .entrySet()) {
            edits.setXAttr(staging, list.getKey(), list.getValue());
        }
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
            if (file.inPlace()) {
                edits.setXAttr(file.source(), Attributes.FILE, file.attribute());
                continue;
            }
            INode parent = Completion.makeParent(
                    namespace, edits, file.target(), isShown(file), namespace.require(file.source()));
            edits.setXAttr(file.source(), Attributes.FILE, file.attribute());
            if (isShown(file)) {
                rules.giveRights(edits, file.source(), parent);
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
        List<CheckedFile> shown =
                files.stream().filter(f -> isShown(f) && !f.inPlace()).toList();
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

    /** Notes what the dataset should hold after this commit, unless that is not known, and the number of the change. */
    private void addUp(NamespaceEdits edits) throws IOException {
        CommittedContent before = CommittedContent.on(namespace.require(store));
        if (before != null) {
            CommittedContent after = rules.after(before, added)
                    .inAll(dataset.incomplete(), dataset.defaultGroup())
                    .withSequence(sequence);
            if (after.isTooLarge()) {
                throw check.refused(
                        Kind.INVALID,
                        "the dataset would have more than " + CommittedContent.MAX_RECORDS
                                + " records; some commit stated a false number: see 'verify' for the files with false"
                                + " statistics");
            }
            edits.setXAttr(staging, Attributes.COMMITTED, after.encode());
        }
        if (sequence > 0) {
            CommitRecord commit = rules.record(content).counted(sequence, groups());
            edits.setXAttr(staging, Attributes.COMMIT, commit.encode(edits.maxXAttrBytes(Attributes.COMMIT)));
        }
    }

    /** What each group gets of the segment that the change makes. */
    private Map<String, Segment.Group> groups() {
        if (!change.makesOneSegment()) {
            return Map.of();
        }
        Map<String, Long> bytes = new HashMap<>();
        files.forEach(file -> bytes.merge(file.group(), file.bytes(), Long::sum));
        Map<String, Segment.Group> groups = new HashMap<>();
        added.groups()
                .forEach((name, group) -> groups.put(
                        name,
                        new Segment.Group(
                                group.files(),
                                bytes.getOrDefault(name, 0L),
                                group.content().single().orElseThrow())));
        return groups;
    }
}
