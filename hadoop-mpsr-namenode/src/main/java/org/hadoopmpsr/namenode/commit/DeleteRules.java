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
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.DeleteRule;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.commit.SegmentGuard;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.exchange.RemovedFiles;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.hadoopmpsr.namenode.writer.RepeatedCommit;

/**
 * The rules for deletes: the removed segments are current and unchanged, and what stays and what goes are together what they held
 * ({@link DeleteRule}).
 */
final class DeleteRules extends RewriteRules {
    private final List<Duplicates> deleted;
    /** The removed segments by the ids of those that have their records now. */
    private final Map<String, String> removedOf = new HashMap<>();

    private final Map<String, String> removedBySource = new HashMap<>();

    /**
     * @param deleted the records that go, by directory, as the job has read them
     * @param removed the files of the removed segments
     */
    DeleteRules(
            Completion.Shared parts,
            DatasetUpgrade upgrade,
            DatasetRecord dataset,
            DatasetChange change,
            List<Duplicates> deleted,
            RemovedFiles removed) {
        super(parts, upgrade, dataset, change, Map.of(), List.of(), removed);
        this.deleted = List.copyOf(deleted);
        for (int i = 0; i < change.removes().size(); i++) {
            removedOf.put(KeptSegment.id(change.id(), i), change.removes().get(i));
        }
    }

    private String removedOf(NamedFile file) {
        return removedOf.getOrDefault(file.statistics().commitId(), "");
    }

    @Override
    public void read(List<NamedFile> files, ContentHash records) throws IOException {
        super.read(files, records);
        files.forEach(file -> removedBySource.put(file.source(), removedOf(file)));
    }

    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException {
        edits.copyRights(removed.ofDefaultGroup(removedBySource.getOrDefault(source, "")), source);
    }

    @Override
    public Fence.Decision decide() throws IOException {
        Map<String, SegmentGuard.State> states = segments.states(dataset, change.removes(), removed::isInPlace);
        boolean published = parts.namespace().find(parts.layout().replacedDir(dataset.id(), change.id())) != null
                || states.values().stream().anyMatch(state -> change.id().equals(state.replacedBy()));
        return SegmentGuard.decide(change.id(), published, change.removes(), states);
    }

    @Override
    void checkContents() throws IOException {
        Map<String, Map<String, ContentHashes>> kept = new HashMap<>();
        Map<String, ContentHashes> byDirectory = new HashMap<>();
        for (NamedFile file : named()) {
            if (incomplete.contains(file.group())) {
                continue;
            }
            ContentHashes records = ContentHashes.of(file.statistics().content());
            kept.computeIfAbsent(removedOf(file), s -> new HashMap<>())
                    .merge(file.group(), records, ContentHashes::plus);
            byDirectory.merge(PathNames.parent(file.target()), records, ContentHashes::plus);
        }
        Optional<String> problem = DeleteRule.problem(
                whole.groups().names(),
                whole.groups().lossyNames(),
                change.removes(),
                new DeleteRule.Contents(removed.contentsBySegment(), removed.contentsByDirectory()),
                new DeleteRule.Contents(kept, byDirectory),
                deletedByDirectory());
        if (problem.isPresent()) {
            throw refused(problem.get());
        }
    }

    private Map<String, ContentHashes> deletedByDirectory() throws RefusedException {
        Map<String, ContentHashes> byDirectory = new HashMap<>();
        for (Duplicates some : deleted) {
            if (whole.groups().find(some.group()).isEmpty() || some.content().count() <= 0) {
                throw refused("it deletes " + some.content().count() + " records of group '" + some.group()
                        + "'; name a group of the dataset and at least one record");
            }
            byDirectory.merge(directory(some), ContentHashes.of(some.content()), ContentHashes::plus);
        }
        return byDirectory;
    }

    @Override
    public CommitRecord record(ContentHash records) {
        return new CommitRecord(change, null, Map.of());
    }

    @Override
    public void checkSame() throws IOException {
        RepeatedCommit.checkSegmentsOfOthers(parts.system(), parts.segments(), dataset, change, named());
    }
}
