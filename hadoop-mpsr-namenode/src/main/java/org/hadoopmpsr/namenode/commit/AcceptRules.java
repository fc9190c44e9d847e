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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.commit.SegmentGuard;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.rebuild.SegmentContent;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.exchange.AcceptedFiles;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.hadoopmpsr.namenode.writer.RepeatedCommit;

/**
 * The rules for acceptances: the segments are current, the files of the accepted group are those that the job has read, all groups get
 * the same records, and what the segments held before is known, so that what was committed stays known.
 */
final class AcceptRules implements ChangeRules {
    private final Completion.Shared parts;
    private final DatasetUpgrade upgrade;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    private final Rebuild accepted;
    private final List<Long> states;
    private final Map<String, ContentHash> held = new HashMap<>();
    private AcceptedFiles files;
    private ContentHash content = ContentHash.EMPTY;

    /** Takes the dataset to read, and the namesystem's lock in short holds. */
    AcceptRules(
            Completion.Shared parts,
            DatasetLocks locks,
            DatasetUpgrade upgrade,
            DatasetRecord dataset,
            DatasetChange change,
            Rebuild accepted,
            List<Long> states)
            throws IOException {
        this.parts = parts;
        this.upgrade = upgrade;
        this.dataset = dataset;
        this.change = change;
        this.accepted = accepted;
        this.states = List.copyOf(states);
        if (dataset.whole().groups().find(accepted.group()).isEmpty()) {
            throw refused(
                    Kind.INVALID,
                    "there is no complete replica group '" + accepted.group() + "' in "
                            + dataset.groups().names());
        }
        if (states.size() != accepted.replaces().size()) {
            throw refused(
                    Kind.INVALID,
                    "it names " + accepted.replaces().size() + " files and the states of " + states.size()
                            + "; name the state in which each was read");
        }
        this.files = locks.look(dataset, this::find);
    }

    private AcceptedFiles find() throws IOException {
        return AcceptedFiles.find(
                parts.system(),
                parts.layout(),
                dataset,
                accepted,
                states,
                parts.indexes().of(dataset));
    }

    @Override
    public void read(List<NamedFile> named, ContentHash records) {
        content = records;
    }

    @Override
    public Fence.Decision decide() throws IOException {
        Map<String, SegmentGuard.State> now = parts.segments().states(dataset, accepted.segments(), files::isCurrent);
        boolean published = parts.segments().get(dataset, change.id()) != null
                || parts.namespace().find(parts.layout().replacedDir(dataset.id(), change.id())) != null;
        return SegmentGuard.decideAcceptance(change.id(), published, accepted, now, files.gone());
    }

    @Override
    public void prepare() throws IOException {
        CommittedContent committed = parts.system()
                .read(() -> CommittedContent.on(
                        parts.namespace().require(parts.layout().datasetDir(dataset.id()))));
        Set<String> whole = files.whole(committed);
        held.clear();
        for (String segment : accepted.segments()) {
            Segment record = parts.system().read(() -> parts.segments().get(dataset, segment));
            Segment.Group recorded = record == null ? null : record.groups().get(dataset.defaultGroup());
            ContentHash known = SegmentContent.of(
                            recorded == null ? null : recorded.content(),
                            dataset.groups().lossyNames(),
                            files.contents(segment),
                            whole)
                    .orElseThrow(() -> refused(
                            Kind.NOT_REPLACEABLE,
                            "nobody can tell what segment " + segment
                                    + " held: the groups have different records of it, and no group has all that was"
                                    + " committed; rebuild what else is damaged first"));
            held.put(segment, known);
        }
        if (content.count() < files.soundRecords()) {
            throw refused(
                    Kind.INVALID,
                    "it has " + content.count() + " records, and group '" + accepted.group() + "' has "
                            + files.soundRecords() + " in files that nobody has changed; write all of them");
        }
        parts.system().read(() -> {
            check();
            return true;
        });
    }

    /** Checks that the files are those that were read, and have the same rights. Needs the read lock. */
    private void check() throws RefusedException {
        Optional<String> problem = files.problem();
        if (problem.isPresent()) {
            throw refused(Kind.NOT_REPLACEABLE, problem.get() + "; look again at what differs");
        }
        Set<NodeRights> rights = new HashSet<>();
        files.of(dataset.defaultGroup()).forEach(file -> rights.add(NodeRights.of(file.file())));
        if (rights.size() > 1) {
            throw refused(
                    Kind.NOT_REPLACEABLE,
                    "the segment's files in the default group have different rights, and the new ones get theirs; give"
                            + " them the same owner, group, mode and access control list");
        }
    }

    /** In the default group, which alone others see, the newest one of the files that are replaced in the same directory. */
    @Override
    public OptionalLong modificationTime(NamedFile file) {
        String directory = PathNames.parent(file.target());
        return file.group().equals(dataset.defaultGroup())
                ? files.of(file.group()).stream()
                        .filter(old -> old.directory().equals(directory))
                        .mapToLong(old -> old.file().getModificationTime())
                        .max()
                : OptionalLong.empty();
    }

    @Override
    public CommitRecord record(ContentHash records) {
        return new CommitRecord(change, records, Map.of());
    }

    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException {
        List<GroupFile> replaced = files.of(dataset.defaultGroup());
        if (replaced.isEmpty()) {
            edits.setGroup(source, parent.getGroupName()); // as if it had been written there
        } else {
            edits.copyRights(replaced.get(0).file(), source);
        }
    }

    @Override
    public void confirm() throws IOException {
        if (!files.isOf(parts.indexes().of(dataset))) {
            files = find();
            prepare(); // another change may have come meanwhile
        }
        upgrade.withMixedFiles(dataset);
    }

    @Override
    public void checkAgain() throws IOException {
        check();
    }

    @Override
    public CommittedContent after(CommittedContent before, CommittedContent added) {
        return files.after(before, added, held);
    }

    @Override
    public Completion completion() {
        RewriteCompletion completion = new RewriteCompletion(parts, dataset, change.id());
        for (String group : dataset.groups().names()) {
            files.of(group).forEach(file -> completion.remove(group, file));
        }
        return completion;
    }

    @Override
    public void checkSame() throws IOException {
        RepeatedCommit.checkSegment(parts.system(), parts.segments(), dataset, change, content);
    }

    @Override
    public List<CommittedOffset> offsets() {
        return List.of();
    }

    private RefusedException refused(Kind kind, String cause) {
        return RefusedException.of(kind, change, dataset, cause);
    }
}
