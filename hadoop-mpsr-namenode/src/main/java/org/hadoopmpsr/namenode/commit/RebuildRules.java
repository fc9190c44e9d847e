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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.NodeRights;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.ContentRule;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.commit.SegmentGuard;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.rebuild.SegmentContent;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.exchange.RebuiltFiles;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.hadoopmpsr.namenode.writer.RefusedException;

/** The rules for rebuilds: the segments are current, and afterwards the group holds their records and no others. */
final class RebuildRules implements ChangeRules {
    /** So many of the new files are looked at to find out whether they are published. */
    private static final int LOOKED_AT = 100;

    private final Completion.Shared parts;
    private final DatasetUpgrade upgrade;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    private final Rebuild rebuild;
    private final boolean shown;
    private final Map<String, String> segmentBySource = new HashMap<>();
    /** Of the default group's files that go, by directory. */
    private final Map<String, Set<NodeRights>> rights = new HashMap<>();

    private List<NamedFile> named = List.of();
    private RebuiltFiles files;

    /** Takes the dataset to read, and the namesystem's lock in short holds. */
    RebuildRules(
            Completion.Shared parts,
            DatasetLocks locks,
            DatasetUpgrade upgrade,
            DatasetRecord dataset,
            DatasetChange change,
            Rebuild rebuild)
            throws IOException {
        this.parts = parts;
        this.upgrade = upgrade;
        this.dataset = dataset;
        this.change = change;
        this.rebuild = rebuild;
        if (dataset.groups().find(rebuild.group()).isEmpty()) {
            throw refused(
                    Kind.INVALID,
                    "there is no replica group '" + rebuild.group() + "' in "
                            + dataset.groups().names());
        }
        this.shown = rebuild.group().equals(dataset.defaultGroup());
        this.files = locks.look(dataset, this::find);
    }

    private RebuiltFiles find() throws IOException {
        return RebuiltFiles.find(
                parts.system(),
                parts.layout(),
                dataset,
                rebuild,
                parts.indexes().of(dataset));
    }

    @Override
    public void read(List<NamedFile> newFiles, ContentHash records) {
        named = newFiles;
        newFiles.forEach(f -> segmentBySource.put(f.source(), f.statistics().commitId()));
    }

    @Override
    public Fence.Decision decide() throws IOException {
        Map<String, SegmentGuard.State> states = parts.segments().states(dataset, rebuild.segments(), files::isCurrent);
        return SegmentGuard.decide(change.id(), isPublished(), rebuild, states, files.gone());
    }

    /** Its files are in their places until another change replaces them; what it has replaced is kept for a while. */
    private boolean isPublished() throws IOException {
        if (parts.namespace().find(parts.layout().replacedDir(dataset.id(), change.id())) != null) {
            return true;
        }
        for (NamedFile file : named.subList(0, Math.min(LOOKED_AT, named.size()))) {
            INode inode = parts.namespace().find(file.target());
            if (inode != null && inode.isFile() && StoredStatistics.isPublished(inode.asFile())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void prepare() throws IOException {
        checkContents();
        if (shown) {
            LockSteps.read(
                    parts.system(), List.copyOf(files.replacedByDirectory().entrySet()), some -> {
                        for (Map.Entry<String, List<INodeFile>> entry : some) {
                            checkRights(entry.getKey(), entry.getValue());
                        }
                    });
        }
    }

    private void checkContents() throws IOException {
        CommittedContent committed = parts.system()
                .read(() -> CommittedContent.on(
                        parts.namespace().require(parts.layout().datasetDir(dataset.id()))));
        Set<String> whole = files.whole(committed);
        Map<String, Map<String, ContentHash>> added = new HashMap<>();
        for (NamedFile file : named) {
            added.computeIfAbsent(file.statistics().commitId(), s -> new HashMap<>())
                    .merge(PathNames.parent(file.target()), file.statistics().content(), this::sum);
        }
        for (String segment : rebuild.segments()) {
            Optional<String> problem = problem(segment, added.getOrDefault(segment, Map.of()), whole);
            if (problem.isPresent()) {
                throw refused(Kind.NOT_REPLACEABLE, problem.get() + "; ask for the damage again");
            }
        }
    }

    private ContentHash sum(ContentHash one, ContentHash other) {
        boolean alike = one.isEmpty() || other.isEmpty() || one.kind() == other.kind();
        return alike ? one.plus(other) : new ContentHash(one.kind(), -1, 0, 0); // equal to no content
    }

    private Optional<String> problem(String segment, Map<String, ContentHash> added, Set<String> whole)
            throws IOException {
        Segment record = parts.system().read(() -> parts.segments().get(dataset, segment));
        Segment.Group recorded = record == null ? null : record.groups().get(rebuild.group());
        Map<String, ContentHash> ofGroups = files.contents(segment);
        Optional<ContentHash> content = SegmentContent.of(
                recorded == null ? null : recorded.content(), dataset.groups().lossyNames(), ofGroups, whole);
        if (content.isEmpty()) {
            return Optional.of("nobody can tell what segment " + segment + " holds: the groups have different records"
                    + " of it, and no group has all that was committed");
        }
        ContentHash all = added.values().stream().reduce(ContentHash.EMPTY, this::sum);
        boolean isCounted = recorded == null && dataset.isLossy(rebuild.group());
        boolean complete =
                LossyGroups.holds(isCounted, ofGroups.getOrDefault(rebuild.group(), ContentHash.EMPTY), content.get())
                        && !files.hasVanished();
        boolean inPlace = complete && !rebuild.moves(); // else nobody knows in which directories records are missing
        return SegmentContent.problem(segment, rebuild.group(), content.get(), isCounted, files.kept(segment), all)
                .or(() -> inPlace
                        ? ContentRule.unchangedInEach(added, files.replacedContents(segment), Map.of(), Map.of())
                        : Optional.empty());
    }

    /** Checks that the files that go have one kind of rights in each directory, which the new ones get. Needs the read lock. */
    private void checkRights(String directory, List<INodeFile> replaced) throws RefusedException {
        Set<NodeRights> seen = rights.computeIfAbsent(directory, d -> new HashSet<>());
        replaced.forEach(f -> seen.add(NodeRights.of(f)));
        if (seen.size() > 1) {
            throw refused(
                    Kind.NOT_REPLACEABLE,
                    "the damaged files in " + directory
                            + " have different rights, and the new ones get theirs; give them the same owner,"
                            + " group, mode and access control list");
        }
    }

    @Override
    public OptionalLong modificationTime(NamedFile file) {
        return shown // others see files of the default group alone
                ? files.timeOf(file.statistics().commitId(), PathNames.parent(file.target()))
                : OptionalLong.empty();
    }

    @Override
    public CommitRecord record(ContentHash records) {
        return new CommitRecord(change, null, Map.of());
    }

    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException {
        List<INodeFile> replaced = files.replacedByDirectory().getOrDefault(parent.getFullPathName(), List.of());
        INodeFile like = replaced.isEmpty() ? files.anyKept(segmentBySource.getOrDefault(source, "")) : replaced.get(0);
        if (like == null) {
            edits.setGroup(source, parent.getGroupName()); // as if it had been written there
        } else {
            edits.copyRights(like, source);
        }
    }

    @Override
    public void confirm() throws IOException {
        if (!files.isOf(parts.indexes().of(dataset))) {
            files = find();
            checkContents(); // another change may have come meanwhile
        }
        upgrade.run(dataset);
    }

    @Override
    public void checkAgain() throws IOException {
        if (shown) {
            parts.system().holds().look(files.replaced());
            for (Map.Entry<String, List<INodeFile>> entry :
                    files.replacedByDirectory().entrySet()) {
                checkRights(entry.getKey(), entry.getValue());
            }
        }
    }

    @Override
    public CommittedContent after(CommittedContent before, CommittedContent added) {
        return files.after(before, added);
    }

    @Override
    public Completion completion() {
        RebuildCompletion completion = new RebuildCompletion(parts, dataset, change.id());
        files.replacedFiles().forEach(file -> completion.remove(rebuild.group(), file));
        files.keptHeaders().forEach(completion::keep);
        if (files.hasVanished()) {
            completion.forgetIndex();
        }
        return completion;
    }

    @Override
    public void checkSame() throws IOException {
        List<NamedFile> some = new ArrayList<>(named.subList(0, Math.min(LOOKED_AT, named.size())));
        parts.system().read(() -> {
            for (NamedFile file : some) {
                INode inode = parts.namespace().find(file.target());
                Header found = inode == null || !inode.isFile() ? null : StoredStatistics.header(inode.asFile());
                if (found != null && !found.content().equals(file.statistics().content())) {
                    throw refused(
                            Kind.INVALID,
                            "the published file " + file.target()
                                    + " has other records than this change says; choose an id that no change has");
                }
            }
            return true;
        });
    }

    @Override
    public List<CommittedOffset> offsets() {
        return List.of();
    }

    private RefusedException refused(Kind kind, String cause) {
        return RefusedException.of(kind, change, dataset, cause);
    }
}
