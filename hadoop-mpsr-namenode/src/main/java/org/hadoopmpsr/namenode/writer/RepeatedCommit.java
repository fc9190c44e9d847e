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
package org.hadoopmpsr.namenode.writer;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.group.LossyGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.CommitLog;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.segment.SegmentRecords;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/**
 * Tells a commit that is published again, because its writer lost the answer, from another commit under the same id. It
 * knows the commits of the committed offsets, the latest commits of the log, and the files that are in their places.
 */
public final class RepeatedCommit {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final CommitLog log;
    private final DatasetRecord dataset;
    private final String commitId;

    public RepeatedCommit(
            MpsrNamesystem system, Namespace namespace, CommitLog log, DatasetRecord dataset, String commitId) {
        this.system = system;
        this.namespace = namespace;
        this.log = log;
        this.dataset = dataset;
        this.commitId = commitId;
    }

    /**
     * Checks a commit whose offsets are not committed. Takes no lock.
     *
     * @param committed the offsets that a commit of this id has committed
     * @throws RefusedException if another commit had this id
     */
    public void checkNew(List<CommittedOffset> committed) throws RefusedException {
        Optional<CommittedOffset> last = committed.stream().findFirst();
        if (last.isPresent()) {
            throw refused("a commit of this id has committed partition "
                    + last.get().partition() + " of topic '" + last.get().topic() + "' up to offset "
                    + last.get().end() + ", and this one names other offsets");
        }
        if (log.get(dataset.id(), commitId).isPresent()) {
            throw refused("a commit of this id was published before, and its offsets are not the committed ones");
        }
    }

    /**
     * Checks a commit whose offsets this id has committed. Takes the read lock in short holds.
     *
     * @throws RefusedException if it has other records than the commit of this id
     */
    public void checkSame(ContentHash content, List<NamedFile> files) throws IOException {
        ContentHash published =
                log.get(dataset.id(), commitId).map(CommitLog.Entry::content).orElse(null);
        if (published != null && !published.equals(content)) {
            throw refused("the commit of this id has " + published.count() + " records with hash " + published.hex()
                    + ", and this one has " + content.count() + " with hash " + content.hex());
        }
        for (List<NamedFile> step : PublishHolds.steps(files)) {
            system.read(() -> {
                for (NamedFile file : step) {
                    checkSame(file);
                }
                return true;
            });
        }
    }

    private void checkSame(NamedFile file) throws IOException {
        INode inode = namespace.find(file.target());
        Header found = inode == null || !inode.isFile() ? null : StoredStatistics.header(inode.asFile());
        if (found != null
                && !(found.commitId().equals(commitId)
                        && found.content().equals(file.statistics().content()))) {
            throw refused("the published file " + file.target() + " has other records than this commit says");
        }
    }

    private RefusedException refused(String cause) {
        return new RefusedException(
                Kind.INVALID,
                "commit " + commitId + " to " + dataset.path() + " is refused: " + cause
                        + "; choose an id that no other commit has");
    }

    /**
     * Needs no lock.
     *
     * @throws RefusedException if the segment with the id of a change has other records than the change says
     */
    public static void checkSegment(
            MpsrNamesystem system,
            SegmentRecords segments,
            DatasetRecord dataset,
            DatasetChange change,
            ContentHash content)
            throws IOException {
        Segment record = system.read(() -> segments.get(dataset, change.id()));
        if (record != null
                && record.groups().entrySet().stream()
                        .anyMatch(e -> !LossyGroups.holds(
                                dataset.isLossy(e.getKey()), e.getValue().content(), content))) {
            throw RefusedException.of(
                    Kind.INVALID,
                    change,
                    dataset,
                    "the segment of this id has other records than this change; choose an id that no segment has");
        }
    }

    /**
     * Needs no lock.
     *
     * @param files those of the change
     * @throws RefusedException if a segment that a delete or a rollback of this id has made has other records than the change says
     */
    public static void checkSegmentsOfOthers(
            MpsrNamesystem system,
            SegmentRecords segments,
            DatasetRecord dataset,
            DatasetChange change,
            List<NamedFile> files)
            throws IOException {
        Map<String, Map<String, ContentHashes>> stated = new HashMap<>();
        for (NamedFile file : files) {
            stated.computeIfAbsent(file.statistics().commitId(), s -> new HashMap<>())
                    .merge(file.group(), ContentHashes.of(file.statistics().content()), ContentHashes::plus);
        }
        for (int i = 0; i < change.madeOf().size(); i++) {
            String made = KeptSegment.id(change.id(), i);
            Segment record = system.read(() -> segments.get(dataset, made));
            Map<String, ContentHashes> mine = stated.getOrDefault(made, Map.of());
            if (record != null
                    && !record.groups().entrySet().stream()
                            .allMatch(e -> ContentHashes.of(e.getValue().content())
                                    .equals(mine.getOrDefault(e.getKey(), ContentHashes.EMPTY)))) {
                throw RefusedException.of(
                        Kind.INVALID,
                        change,
                        dataset,
                        "segment " + made
                                + " has other records than this change says; choose an id that no change has");
            }
        }
    }
}
