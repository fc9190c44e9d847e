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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.DeleteRule;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.commit.RollbackRule;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.commit.SegmentGuard;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.exchange.RemovedFiles;
import org.hadoopmpsr.namenode.exchange.RestoredFiles;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.segment.HistoryRecords;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.writer.RepeatedCommit;

/**
 * The rules for rollbacks: the removed segments are current and unchanged, the new files hold what the restored segments had ({@link
 * RollbackRule}), and nobody has restored them since the rollback was planned.
 */
final class RollbackRules extends RewriteRules {
    private final long planned;
    private final RestoredFiles restored;
    private final HistoryRecords history;
    private Optional<String> overtaken = Optional.empty();

    /**
     * @param planned the number of the last change when it was planned
     * @param removed the files of the removed segments
     * @param restored what the replaced files hold
     */
    RollbackRules(
            Completion.Shared parts,
            DatasetUpgrade upgrade,
            DatasetRecord dataset,
            DatasetChange change,
            long planned,
            RemovedFiles removed,
            RestoredFiles restored) {
        super(parts, upgrade, dataset, change, Map.of(), List.of(), removed);
        this.planned = planned;
        this.restored = restored;
        this.history = new HistoryRecords(parts.namespace(), parts.layout());
    }

    @Override
    public Fence.Decision decide() throws IOException {
        Map<String, SegmentGuard.State> states = segments.states(dataset, change.removes(), removed::isInPlace);
        boolean published = parts.namespace().find(parts.layout().replacedDir(dataset.id(), change.id())) != null;
        for (int i = 0; i < change.restores().size() && !published; i++) {
            published = segments.get(dataset, KeptSegment.id(change.id(), i)) != null;
        }
        if (!published && overtaken.isPresent()) {
            return new Fence.Decision(
                    Fence.Verdict.FENCED,
                    "rollback " + change.id() + " was planned after change " + planned + ", and since then "
                            + overtaken.get() + ": drop the staged files and plan anew");
        }
        return SegmentGuard.decide(change.id(), published, change.removes(), states);
    }

    @Override
    public void prepare() throws IOException {
        restored.find(segments);
        super.prepare();
    }

    @Override
    void checkContents() throws IOException {
        Map<String, Map<String, ContentHashes>> brought = new HashMap<>();
        Map<String, ContentHashes> byDirectory = new HashMap<>();
        Map<String, String> restores = new HashMap<>();
        for (int i = 0; i < change.restores().size(); i++) {
            restores.put(KeptSegment.id(change.id(), i), change.restores().get(i));
        }
        for (NamedFile file : named()) {
            if (incomplete.contains(file.group())) {
                continue;
            }
            ContentHashes records = ContentHashes.of(file.statistics().content());
            String segment = restores.getOrDefault(file.statistics().commitId(), "");
            brought.computeIfAbsent(segment, s -> new HashMap<>()).merge(file.group(), records, ContentHashes::plus);
            byDirectory.merge(PathNames.parent(file.target()), records, ContentHashes::plus);
        }
        Optional<String> problem = RollbackRule.problem(
                whole.groups().names(),
                change.restores(),
                restored.contents(),
                new DeleteRule.Contents(brought, byDirectory));
        if (problem.isPresent()) {
            throw refused(problem.get());
        }
    }

    @Override
    public OptionalLong modificationTime(NamedFile file) {
        return file.group().equals(dataset.defaultGroup())
                ? restored.newestIn(PathNames.parent(file.target()))
                : OptionalLong.empty();
    }

    /** The replaced files have lost the rights that they had. */
    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException {
        edits.setGroup(source, parent.getGroupName()); // as of a commit
    }

    @Override
    public CommitRecord record(ContentHash records) {
        return new CommitRecord(change, null, Map.of());
    }

    /** Nobody else publishes to the dataset now. */
    @Override
    public void confirm() throws IOException {
        overtaken = change.restores().isEmpty() ? Optional.empty() : overtaking();
        if (overtaken.isPresent()) {
            throw refused(overtaken.get());
        }
        super.confirm();
    }

    /** What has happened since the plan that may have restored the same records, or hides that. */
    private Optional<String> overtaking() throws IOException {
        if (segments.last(dataset) == planned) {
            return Optional.empty();
        }
        for (Segment segment : segments.all(dataset)) {
            boolean brought = segment.since() > planned && KeptSegment.isRollback(segment.id());
            if (brought || isRemovedByRollback(segment)) {
                return Optional.of("another rollback was published");
            }
        }
        HistoryRecord kept = parts.system().read(() -> history.get(dataset));
        return kept != null && kept.horizon() > planned
                ? Optional.of("what changes have replaced was deleted")
                : Optional.empty();
    }

    private boolean isRemovedByRollback(Segment segment) {
        String by = segment.replacedBy();
        return by != null && segment.until() > planned && KeptSegment.isRollback(by);
    }

    @Override
    public void checkSame() throws IOException {
        RepeatedCommit.checkSegmentsOfOthers(parts.system(), parts.segments(), dataset, change, named());
    }
}
