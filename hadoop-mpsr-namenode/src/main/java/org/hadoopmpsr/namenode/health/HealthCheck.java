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
package org.hadoopmpsr.namenode.health;

import java.io.IOException;
import java.util.List;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.RepresentationName;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.index.CommitContents;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.index.Verification;
import org.hadoopmpsr.namenode.nodes.CopyBounds;
import org.hadoopmpsr.namenode.store.CommittedContent;
import org.hadoopmpsr.namenode.untracked.UntrackedFiles;

/** Looks at one representation for what an operator should know of it. */
public final class HealthCheck {
    private final MpsrConfig config;
    private final Indexes indexes;
    private final Verification verification;
    private final FileHealth files;
    private final CopyBounds bounds;
    private final UntrackedFiles untracked;
    private final DatasetLocks locks;

    public HealthCheck(
            MpsrConfig config,
            Indexes indexes,
            Verification verification,
            FileHealth files,
            CopyBounds bounds,
            UntrackedFiles untracked,
            DatasetLocks locks) {
        this.config = config;
        this.indexes = indexes;
        this.verification = verification;
        this.files = files;
        this.bounds = bounds;
        this.untracked = untracked;
        this.locks = locks;
    }

    /** What was found, and where the files lie. */
    record Result(RepresentationHealth health, FileHealth.Look files) {}

    /** Looks at every published file of the representation, with the read lock in short holds. */
    Result check(DatasetRecord dataset, String group) throws IOException {
        Verification.Look look = look(dataset, group);
        if (look.restoredFiles() > 0 && verification.committed(dataset) != null) {
            // what was committed is known, so the index may be made anew of what is found
            indexes.forget(dataset.id());
            look = look(dataset, group);
        }
        DatasetIndex index = indexes.of(dataset);
        String name = RepresentationName.group(group);
        int replication = replication(dataset, group);
        FileHealth.Look found = files.look(index.group(group), name, replication, bounds.most(name, replication));
        boolean isIncomplete = look.differs() && dataset.incomplete().contains(group);
        String noted = isIncomplete ? look.problem() : look.isOnlyAddedTo() ? added(dataset) : "";
        String differs = look.differs() && noted.isEmpty() ? commits(dataset, index, group) : "";
        return new Result(
                new RepresentationHealth(
                        dataset.path(),
                        group,
                        found.degradedFiles(),
                        look.untrackedFiles(),
                        found.misplacedBlocks(),
                        found.otherReplicationFiles(),
                        noted.isEmpty() ? look.problem() + differs : "",
                        noted),
                found);
    }

    /** What ordinary writers have added, and why the first file of it stays in the default group alone. */
    private String added(DatasetRecord dataset) throws IOException {
        UntrackedFiles.Found found = untracked.of(dataset);
        List<UntrackedFile> unfit =
                found.files().stream().filter(f -> f.unfit() != null).toList();
        return found.files().size() + (found.more() ? " or more" : "") + " file(s) with "
                + found.files().stream().mapToLong(UntrackedFile::length).sum()
                + " bytes that ordinary writers have added are not in all groups"
                + (unfit.isEmpty()
                        ? ""
                        : "; " + unfit.size() + " of them cannot be adopted: "
                                + unfit.get(0).path() + ": " + unfit.get(0).unfit());
    }

    private Verification.Look look(DatasetRecord dataset, String group) throws IOException {
        return locks.look(dataset, () -> verification.look(dataset, indexes.of(dataset), group));
    }

    /** That of the configuration, as for files that are written now. */
    private int replication(DatasetRecord dataset, String group) {
        return config.groups()
                .flatMap(groups -> groups.find(RepresentationName.group(group)))
                .or(() -> dataset.groups().find(group))
                .map(ReplicaGroup::replication)
                .orElseThrow();
    }

    /** The commits that are not what they were, told by a group that holds all that was committed. */
    private String commits(DatasetRecord dataset, DatasetIndex index, String group) throws IOException {
        CommittedContent committed = verification.committed(dataset);
        boolean isLossy = dataset.isLossy(group);
        for (String other : dataset.groups().names()) {
            if (committed != null
                    && !other.equals(group)
                    && !dataset.isLossy(other)
                    && index.isWhole(dataset, other, committed)) {
                String commits = CommitContents.of(index.group(group), isLossy)
                        .differences(CommitContents.of(index.group(other), isLossy));
                return commits.isEmpty() ? "" : "; they differ in commit(s) " + commits;
            }
        }
        return "";
    }
}
