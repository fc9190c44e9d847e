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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.core.commit.CommitId;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.exchange.RemovedFiles;
import org.hadoopmpsr.namenode.exchange.RestoredFiles;
import org.hadoopmpsr.namenode.history.PastFiles;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.segment.DatasetUpgrade;
import org.hadoopmpsr.namenode.staging.OpenCommits;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.staging.StagingPlace;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.writer.Admission;
import org.hadoopmpsr.namenode.writer.CommitKey;
import org.hadoopmpsr.namenode.writer.CommitManifest;
import org.hadoopmpsr.namenode.writer.RefusedException;
import org.hadoopmpsr.namenode.writer.RepeatedCommit;
import org.jspecify.annotations.Nullable;

/** Commits from staging to publishing. Limits the number of commits that are published at one time. */
public final class Commits {
    /** So many characters of what a delete or a rollback says are in the audit log. */
    private static final int TOLD = 1_000;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Admission admission;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final DatasetUpgrade upgrade;
    private final PastFiles pastFiles;
    private final DatasetQuotas quotas;
    private final OpenCommits open;
    private final Deletion deletion;
    private final Counters counters;
    private final Semaphore places;

    public Commits(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            Readiness readiness,
            Datasets datasets,
            DatasetLocks locks,
            RollForward rollForward,
            DatasetUpgrade upgrade,
            PastFiles pastFiles,
            DatasetQuotas quotas,
            OpenCommits open,
            Deletion deletion,
            Counters counters) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.config = config;
        this.admission = new Admission(system, namespace, readiness, datasets);
        this.locks = locks;
        this.rollForward = rollForward;
        this.upgrade = upgrade;
        this.pastFiles = pastFiles;
        this.quotas = quotas;
        this.open = open;
        this.deletion = deletion;
        this.counters = counters;
        this.places = new Semaphore(config.maxWaitingCommits());
    }

    /** The number of commits that are being published or wait for it. */
    public int waiting() {
        return config.maxWaitingCommits() - places.availablePermits();
    }

    /** The number of commits that are begun and neither published nor given up. */
    public int open() {
        return open.size();
    }

    /**
     * Makes an empty staging directory for the caller; what was staged under this id before is deleted.
     *
     * @param known the columns that the writer knows, and that must be the dataset's; null for any
     * @param rebuild what it rebuilds, of which operators are told; null for another change
     * @throws RefusedException when no commit can be begun now
     * @throws RetriableException when the dataset or the caller has too many open commits
     */
    public StagingPlace begin(CommitKey commit, @Nullable DatasetColumns known, @Nullable RebuildScope rebuild)
            throws IOException {
        String commitId = Admission.checkedId(commit);
        admission.requireReady();
        DatasetRecord dataset = admission.target("mpsrBeginCommit", commit);
        if (known != null && !known.equals(dataset.columns())) {
            throw new RefusedException(
                    Kind.GROUPS_CHANGED,
                    "the columns of " + dataset.path() + " were altered; open the dataset anew, and write all of them");
        }
        if (rebuild != null && dataset.groups().find(rebuild.group()).isEmpty()) {
            throw new IllegalArgumentException("there is no replica group '" + rebuild.group() + "' in "
                    + dataset.groups().names() + ", so that nothing can be rebuilt in it");
        }
        String owner = system.caller();
        String staging = layout.stagingDir(dataset.id(), commitId);
        return open.alone(staging, () -> {
            open.begin(
                    staging,
                    new OpenCommits.Open(dataset.id(), owner, system.clock().now(), rebuild));
            boolean made = false;
            try {
                while (!made) {
                    made = system.write("mpsrBeginCommit", edits -> make(edits, dataset, staging, owner));
                }
            } catch (QuotaExceededException e) {
                throw new RefusedException(Kind.NO_SPACE, e);
            } finally {
                if (!made) {
                    open.end(staging);
                }
            }
            return new StagingPlace(staging, dataset.id(), config.maxCommitFiles());
        });
    }

    /** @return false if more of what was staged before has to be deleted first, in a further hold */
    private boolean make(NamespaceEdits edits, DatasetRecord dataset, String staging, String owner) throws IOException {
        if (!deletion.step(edits, staging)) {
            return false;
        }
        String group = namespace.require(dataset.path()).getGroupName();
        NamespaceEdits.Access access =
                new NamespaceEdits.Access(owner, group, FsPermission.createImmutable((short) 0700));
        quotas.check(dataset, 1 + dataset.groups().names().size());
        edits.mkdirs(staging, access);
        for (String name : dataset.groups().names()) {
            edits.mkdirs(staging + "/" + name, access);
        }
        edits.copyDefaultAcl(dataset.path(), staging + "/" + dataset.defaultGroup());
        return true;
    }

    /** Deletes what is staged; no effect where nothing is, and where another dataset is than the caller knows. */
    public void abort(CommitKey commit) throws IOException {
        String commitId = CommitId.check(commit.commitId());
        DatasetRecord dataset = admission.writable("mpsrAbortCommit", commit.path());
        if (commit.datasetId() != null && !commit.datasetId().equals(dataset.id())) {
            return;
        }
        String staging = layout.stagingDir(dataset.id(), commitId);
        open.alone(staging, () -> {
            deletion.all("mpsrAbortCommit", staging);
            return true;
        });
        open.end(staging);
    }

    /**
     * Publishes a commit in all groups or in none.
     *
     * @throws RefusedException when it is not published and will not be until something else changes
     * @throws RetriableException when too many commits wait already; nothing was done
     */
    public PublishResult publish(CommitKey commit, CommitManifest manifest) throws IOException {
        String commitId = Admission.checkedId(commit);
        admission.requireReady();
        // before a place is taken: who may not publish keeps nobody from it
        DatasetRecord dataset = admission.target("mpsrPublish", commit);
        if (!places.tryAcquire()) {
            counters.increment(Counter.BUSY_COMMITS);
            throw new RetriableException("the NameNode publishes " + config.maxWaitingCommits()
                    + " commits already, as many as " + ConfigKeys.MAX_WAITING_COMMITS.name()
                    + " allows; try again in a moment");
        }
        long start = system.clock().monotonicNowNanos();
        try {
            return admitted(dataset, Admission.change(commitId, manifest), manifest);
        } finally {
            places.release();
            counters.publishTook(TimeUnit.NANOSECONDS.toMillis(system.clock().monotonicNowNanos() - start));
        }
    }

    private PublishResult admitted(DatasetRecord dataset, DatasetChange change, CommitManifest manifest)
            throws IOException {
        String staging = layout.stagingDir(dataset.id(), change.id());
        PublishResult result =
                open.alone(staging, () -> publication(dataset, change, manifest).run());
        if (result.outcome() == PublishResult.Outcome.COMMITTED) {
            open.end(staging);
            audit(dataset, change, manifest.condition());
        }
        return result;
    }

    /** Who has taken records away must be found in the audit log, also when all records of the change are gone. */
    private void audit(DatasetRecord dataset, DatasetChange change, String condition) throws IOException {
        String call = switch (change.kind()) {
            case DELETE -> "mpsrDelete";
            case ROLLBACK -> "mpsrRollback";
            case OVERWRITE -> "mpsrOverwrite";
            default -> "";
        };
        if (!call.isEmpty()) {
            String told = condition.length() <= TOLD ? condition : condition.substring(0, TOLD) + "...";
            String what = condition.isEmpty() ? change.id() : change.id() + ": " + told;
            system.callingUser().audit(true, call, dataset.path(), PrintableText.of(what));
        }
    }

    private Publication publication(DatasetRecord dataset, DatasetChange change, CommitManifest manifest)
            throws IOException {
        ChangeRules rules = rules(dataset, change, manifest);
        PublishHolds holds = new PublishHolds(system, counters);
        StagedCommit staged =
                new StagedCommit(system, namespace, layout, config, holds, quotas, dataset, rules, change, manifest);
        return new Publication(system, layout, holds, locks, rollForward, counters, dataset, change, staged, rules);
    }

    private ChangeRules rules(DatasetRecord dataset, DatasetChange change, CommitManifest manifest) throws IOException {
        Completion.Shared parts = rollForward.parts();
        if (change.kind() == DatasetChange.Kind.APPEND) {
            RepeatedCommit repeated = new RepeatedCommit(system, namespace, parts.log(), dataset, change.id());
            return new AppendRules(parts, dataset, change, repeated);
        }
        admission.checkOwner(dataset);
        Rebuild rebuild = change.rebuild();
        if (rebuild != null) {
            if (rebuild.replaces().size() > config.maxCommitFiles()) {
                throw RefusedException.of(
                        Kind.TOO_MANY_FILES,
                        change,
                        dataset,
                        rebuild.replaces().size() + " replaced files are more than the " + config.maxCommitFiles()
                                + " that " + ConfigKeys.MAX_COMMIT_FILES.name() + " allows; rebuild fewer at a time");
            }
            if (change.kind() == DatasetChange.Kind.ADOPT) {
                return new AdoptRules(parts, upgrade, dataset, change, rebuild, manifest.states());
            }
            return change.kind() == DatasetChange.Kind.ACCEPT
                    ? new AcceptRules(parts, locks, upgrade, dataset, change, rebuild, manifest.states())
                    : new RebuildRules(parts, locks, upgrade, dataset, change, rebuild);
        }
        RemovedFiles removed = new RemovedFiles(system, parts.indexes(), locks, dataset, change);
        if (change.kind() == DatasetChange.Kind.DELETE) {
            return new DeleteRules(parts, upgrade, dataset, change, manifest.duplicates(), removed);
        }
        if (change.kind() == DatasetChange.Kind.OVERWRITE) {
            return new OverwriteRules(parts, upgrade, dataset, change, removed);
        }
        if (change.kind() == DatasetChange.Kind.ROLLBACK) {
            RestoredFiles restored = new RestoredFiles(system, pastFiles, dataset, change);
            return new RollbackRules(parts, upgrade, dataset, change, manifest.planned(), removed, restored);
        }
        return new RewriteRules(
                parts, upgrade, dataset, change, manifest.removedContent(), manifest.duplicates(), removed);
    }
}
