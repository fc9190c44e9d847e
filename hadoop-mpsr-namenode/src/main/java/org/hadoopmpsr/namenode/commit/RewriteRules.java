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
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.ContentRule;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.RemovedContent;
import org.hadoopmpsr.core.commit.SegmentGuard;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ReadContent;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.exchange.RemovedFiles;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.hadoopmpsr.namenode.writer.RepeatedCommit;

/** The rules for rewrites: the removed segments are current and unchanged, and the new files have the same records. */
class RewriteRules implements ChangeRules {
    final Completion.Shared parts;
    final SegmentRecords segments;
    final DatasetRecord dataset;
    final DatasetChange change;
    final RemovedFiles removed;
    private final DatasetUpgrade upgrade;
    private final Map<String, RemovedContent> read;
    private final List<Duplicates> duplicates;
    /** The dataset without incomplete groups, for which no rule holds until they are complete. */
    final DatasetRecord whole;

    final Set<String> incomplete;
    private List<NamedFile> named = List.of();
    private ContentHash content = ContentHash.EMPTY;

    /**
     * @param read the records of the removed segments by group, as the job has read them
     * @param duplicates the records that the job has left out because another one has the same key
     * @param removed the files of the removed segments
     */
    RewriteRules(
            Completion.Shared parts,
            DatasetUpgrade upgrade,
            DatasetRecord dataset,
            DatasetChange change,
            Map<String, RemovedContent> read,
            List<Duplicates> duplicates,
            RemovedFiles removed) {
        this.parts = parts;
        this.segments = parts.segments();
        this.upgrade = upgrade;
        this.dataset = dataset;
        this.change = change;
        this.read = Map.copyOf(read);
        this.duplicates = List.copyOf(duplicates);
        this.removed = removed;
        this.whole = dataset.whole();
        this.incomplete = dataset.incomplete();
    }

    @Override
    public void read(List<NamedFile> files, ContentHash records) throws IOException {
        named = files;
        content = records;
        removed.find();
    }

    @Override
    public Fence.Decision decide() throws IOException {
        Map<String, SegmentGuard.State> states = segments.states(dataset, change.removes(), removed::isInPlace);
        boolean published = segments.get(dataset, change.id()) != null;
        return SegmentGuard.decide(change.id(), published, change.removes(), states);
    }

    @Override
    public void prepare() throws IOException {
        removed.check(segments);
        checkContents();
    }

    /** Checks what the new files hold. */
    void checkContents() throws IOException {
        Map<String, ContentHash> added = new HashMap<>();
        Map<String, ContentHash> byDirectory = new HashMap<>();
        for (NamedFile file : named) {
            ContentHash records = file.statistics().content();
            added.merge(file.group(), records, ContentHash::plus);
            if (!incomplete.contains(file.group())) {
                byDirectory.merge(PathNames.parent(file.target()), records, ContentHash::plus);
            }
        }
        Map<String, ContentHash> leftOut = new HashMap<>();
        Map<String, ContentHash> leftOutByDirectory = new HashMap<>();
        addUpDuplicates(leftOut, leftOutByDirectory);
        Optional<String> problem = ContentRule.unchanged(
                        whole.groups().names(), whole.groups().lossyNames(), added, removed.contents(), read, leftOut)
                .or(() -> ContentRule.unchangedInEach(
                        byDirectory, removed.contentsByDirectory(), leftOutByDirectory, rehashed()));
        if (problem.isPresent()) {
            throw refused(problem.get());
        }
    }

    /** The new files. */
    List<NamedFile> named() {
        return named;
    }

    private void addUpDuplicates(Map<String, ContentHash> byGroup, Map<String, ContentHash> byDirectory)
            throws RefusedException {
        if (!duplicates.isEmpty() && dataset.keys().isEmpty()) {
            throw refused("it leaves out records as duplicates, and the dataset has no key columns; keep all records");
        }
        try {
            for (Duplicates some : duplicates) {
                if (whole.groups().find(some.group()).isEmpty()
                        || some.content().count() <= 0) {
                    throw refused("it leaves out " + some.content().count() + " records of group '" + some.group()
                            + "'; name a group of the dataset and at least one record");
                }
                byGroup.merge(some.group(), some.content(), ContentHash::plus);
                byDirectory.merge(directory(some), some.content(), ContentHash::plus);
            }
        } catch (IllegalArgumentException e) {
            throw refused("of the records that it leaves out, " + e.getMessage() + "; hash all records in one way");
        }
    }

    /** Where records that are left out were. */
    String directory(Duplicates some) {
        String root = dataset.root(parts.layout(), some.group());
        return some.directory().isEmpty() ? root : root + "/" + some.directory();
    }

    RefusedException refused(String cause) {
        return RefusedException.of(Kind.INVALID, change, dataset, cause);
    }

    /** What the job has read, by directory, where files are hashed in another way than the new ones. */
    private Map<String, ReadContent> rehashed() {
        Map<String, ReadContent> byDirectory = new HashMap<>();
        for (String group : whole.groups().names()) {
            String root = dataset.root(parts.layout(), group);
            read.getOrDefault(group, RemovedContent.EMPTY)
                    .rehashed()
                    .forEach((directory, records) ->
                            byDirectory.put(directory.isEmpty() ? root : root + "/" + directory, records));
        }
        return byDirectory;
    }

    @Override
    public OptionalLong modificationTime(NamedFile file) {
        // others see files of the default group alone
        return file.group().equals(dataset.defaultGroup())
                ? removed.newestIn(PathNames.parent(file.target()))
                : OptionalLong.empty();
    }

    @Override
    public CommitRecord record(ContentHash records) {
        return new CommitRecord(change, records, Map.of());
    }

    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException {
        edits.copyRights(removed.ofDefaultGroup(""), source);
    }

    @Override
    public void confirm() throws IOException {
        removed.checkUnchanged();
        upgrade.run(dataset);
    }

    @Override
    public void checkAgain() throws IOException {
        removed.checkDefaultGroup();
    }

    @Override
    public CommittedContent after(CommittedContent before, CommittedContent added) {
        return before.minus(removed.total()).plus(added);
    }

    @Override
    public Completion completion() {
        RewriteCompletion completion = new RewriteCompletion(parts, dataset, change.id());
        removed.byGroup().forEach((group, files) -> files.forEach(file -> completion.remove(group, file)));
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
}
