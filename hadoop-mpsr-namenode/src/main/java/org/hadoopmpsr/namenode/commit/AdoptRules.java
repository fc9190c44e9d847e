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
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.SegmentGuard;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.exchange.AdoptedFiles;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.hadoopmpsr.namenode.writer.RepeatedCommit;

/**
 * The rules for adoptions: the files of the default group are those that the job has read, and nobody has published or changed them
 * since. Their records are new to the dataset, and all groups get them.
 */
final class AdoptRules implements ChangeRules {
    /** So many files are adopted at once: all of them are looked at in the hold of the commit point. */
    static final int MOST = 1_000;

    private final Completion.Shared parts;
    private final DatasetUpgrade upgrade;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    private final Rebuild adopted;
    private final AdoptedFiles files;
    private List<String> paths = List.of();
    private ContentHash content = ContentHash.EMPTY;

    /** @param states in which the files were read, in their order */
    AdoptRules(
            Completion.Shared parts,
            DatasetUpgrade upgrade,
            DatasetRecord dataset,
            DatasetChange change,
            Rebuild adopted,
            List<Long> states)
            throws RefusedException {
        this.parts = parts;
        this.upgrade = upgrade;
        this.dataset = dataset;
        this.change = change;
        this.adopted = adopted;
        int count = adopted.replaces().size();
        if (!adopted.group().equals(dataset.defaultGroup())) {
            throw refused(
                    Kind.INVALID,
                    "it adopts files of group '" + adopted.group()
                            + "'; ordinary writers put files into the default group, '" + dataset.defaultGroup() + "'");
        }
        if (states.size() != count) {
            throw refused(
                    Kind.INVALID,
                    "it names " + count + " files and the states of " + states.size()
                            + "; name the state in which each was read");
        }
        if (count > MOST) {
            throw refused(
                    Kind.TOO_MANY_FILES,
                    count + " adopted files are more than the " + MOST + " of one change; adopt fewer at a time");
        }
        this.files = new AdoptedFiles(parts.system(), parts.namespace(), adopted.replaces(), states);
    }

    @Override
    public void read(List<NamedFile> named, ContentHash records) throws RefusedException {
        paths = named.stream()
                .filter(file -> file.group().equals(adopted.group()))
                .map(NamedFile::target)
                .toList();
        content = records;
        if (paths.size() != adopted.replaces().size()) {
            throw refused(
                    Kind.INVALID,
                    "it states the records of " + paths.size() + " files of the default group and adopts "
                            + adopted.replaces().size() + "; stage an empty file for each adopted file, and no other");
        }
    }

    @Override
    public Fence.Decision decide() throws IOException {
        boolean published = parts.segments().get(dataset, change.id()) != null;
        return SegmentGuard.decideAdoption(change.id(), published, files.changed(paths));
    }

    @Override
    public void prepare() {
        // the files are looked at with each decision
    }

    @Override
    public OptionalLong modificationTime(NamedFile file) {
        return OptionalLong.empty();
    }

    @Override
    public CommitRecord record(ContentHash records) {
        return new CommitRecord(change, records, Map.of());
    }

    /** What is staged for an adopted file is never shown. */
    @Override
    public void giveRights(NamespaceEdits edits, String source, INode parent) {
        // the adopted file keeps its own
    }

    @Override
    public void confirm() throws IOException {
        upgrade.withMixedFiles(dataset);
    }

    @Override
    public void checkAgain() {
        // the files are looked at with the commit point
    }

    @Override
    public CommittedContent after(CommittedContent before, CommittedContent added) {
        return before.plus(added);
    }

    @Override
    public Completion completion() {
        return new AdoptCompletion(parts, dataset, change.id());
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
