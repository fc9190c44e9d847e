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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.core.commit.CommitId;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.Deletion;
import org.hadoopmpsr.namenode.store.Namespace;

/** Commits from staging to publishing. Limits the number of commits that are published at one time. */
public final class Commits {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Readiness readiness;
    private final Datasets datasets;
    private final Offsets offsets;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final CommitLog log;
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
            Offsets offsets,
            DatasetLocks locks,
            RollForward rollForward,
            CommitLog log,
            DatasetQuotas quotas,
            OpenCommits open,
            Deletion deletion,
            Counters counters) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.config = config;
        this.readiness = readiness;
        this.datasets = datasets;
        this.offsets = offsets;
        this.locks = locks;
        this.rollForward = rollForward;
        this.log = log;
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
     * @throws RefusedException when no commit can be begun now
     * @throws RetriableException when the dataset or the caller has too many open commits
     */
    public StagingPlace begin(CommitKey commit) throws IOException {
        String commitId = checkedId(commit);
        requireReady();
        DatasetRecord dataset = target("mpsrBeginCommit", commit);
        String owner = system.caller();
        String staging = layout.stagingDir(dataset.id(), commitId);
        return open.alone(staging, () -> {
            open.begin(
                    staging,
                    new OpenCommits.Open(dataset.id(), owner, system.clock().now()));
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
        DatasetRecord dataset = writable("mpsrAbortCommit", commit.path());
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
        String commitId = checkedId(commit);
        requireReady();
        // before a place is taken: who may not publish keeps nobody from it
        DatasetRecord dataset = target("mpsrPublish", commit);
        if (!places.tryAcquire()) {
            counters.increment(Counter.BUSY_COMMITS);
            throw new RetriableException("the NameNode publishes " + config.maxWaitingCommits()
                    + " commits already, as many as " + ConfigKeys.MAX_WAITING_COMMITS.name()
                    + " allows; try again in a moment");
        }
        long start = system.clock().monotonicNowNanos();
        try {
            return admitted(dataset, commitId, manifest);
        } finally {
            places.release();
            counters.publishTook(TimeUnit.NANOSECONDS.toMillis(system.clock().monotonicNowNanos() - start));
        }
    }

    private PublishResult admitted(DatasetRecord dataset, String commitId, CommitManifest manifest) throws IOException {
        List<CommitSource> sources = sources(commitId, manifest);
        String staging = layout.stagingDir(dataset.id(), commitId);
        PublishResult result = open.alone(
                staging,
                () -> new Publication(
                                system,
                                namespace,
                                layout,
                                config,
                                offsets,
                                locks,
                                rollForward,
                                log,
                                quotas,
                                counters,
                                dataset,
                                commitId,
                                sources,
                                manifest)
                        .run());
        if (result.outcome() == PublishResult.Outcome.COMMITTED) {
            open.end(staging);
        }
        return result;
    }

    private static String checkedId(CommitKey commit) throws RefusedException {
        try {
            return CommitId.check(commit.commitId());
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Kind.INVALID, String.valueOf(e.getMessage()));
        }
    }

    /** Before a lock is taken: HDFS limits the record of them. */
    private List<CommitSource> sources(String commitId, CommitManifest manifest) throws RefusedException {
        List<CommitSource> sources = manifest.sources();
        Optional<String> problem = DatasetChange.append(commitId, sources).problem();
        if (problem.isPresent()) {
            throw new RefusedException(Kind.INVALID, "commit " + commitId + " is refused: " + problem.get());
        }
        int bytes = new CommitRecord(commitId, sources, null, Map.of()).encode().length;
        int max = system.maxXAttrBytes(Attributes.COMMIT);
        if (bytes > max) {
            throw new RefusedException(
                    Kind.INVALID,
                    "commit " + commitId + " is refused: the record of its " + sources.size()
                            + " topic-partitions takes " + bytes + " bytes, more than the " + max
                            + " that an extended attribute may have (dfs.namenode.fs-limits.max-xattr-size); commit fewer"
                            + " topic-partitions at a time");
        }
        return sources;
    }

    private void requireReady() throws RefusedException {
        if (!readiness.isReady()) {
            throw new RefusedException(Kind.NOT_READY, readiness.status().message());
        }
    }

    private DatasetRecord writable(String operation, String path) throws IOException {
        system.checkWritable();
        return datasets.require(operation, path, FsAction.WRITE_EXECUTE);
    }

    /** The dataset that the commit goes to. */
    private DatasetRecord target(String operation, CommitKey commit) throws IOException {
        String path = commit.path();
        String expected = commit.datasetId();
        DatasetRecord dataset;
        try {
            dataset = writable(operation, path);
        } catch (AccessControlException e) {
            throw new RefusedException(Kind.NO_PERMISSION, e);
        } catch (FileNotFoundException e) {
            throw new RefusedException(
                    Kind.NO_SUCH_DATASET,
                    "there is no dataset at " + path
                            + "; where it was renamed or deleted, bring it back, else create it"
                            + " with 'hdfs mpsr dataset create'",
                    e);
        }
        if (expected != null && !dataset.id().equals(expected)) {
            throw new RefusedException(
                    Kind.OTHER_DATASET,
                    "the dataset at " + path + " is another one (" + dataset.id() + ") than the writer knows ("
                            + expected + "): it was dropped and created again, or another one was renamed to its path;"
                            + " open it anew to write to it");
        }
        return dataset;
    }
}
