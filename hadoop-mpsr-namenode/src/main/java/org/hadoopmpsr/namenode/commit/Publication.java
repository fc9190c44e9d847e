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
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.Refusal.Kind;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.quota.DatasetQuotas;
import org.hadoopmpsr.namenode.store.Namespace;

/**
 * The publish of one commit, in all groups or in none. Long work is done first, in short holds of the lock: no reader
 * sees it, and a crash leaves a commit that is still staged. One hold checks that everything is as it was prepared,
 * passes the commit point, which is one rename of the staged directory, and begins to move the files into place. What
 * is left follows in short holds ({@link Completion}). After a crash past the commit point, the commit is rolled
 * forward. For one thread and one call of {@link #run}.
 */
final class Publication {
    /** So many topic-partitions of a commit have a line in the audit log. */
    private static final int TOLD = 20;

    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final Offsets offsets;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final Counters counters;
    private final DatasetRecord dataset;
    private final List<CommitSource> sources;
    private final String commitId;
    private final PublishHolds holds;
    private final StagedCommit staged;
    private final RepeatedCommit repeated;
    private boolean committed;

    Publication(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            MpsrConfig config,
            Offsets offsets,
            DatasetLocks locks,
            RollForward rollForward,
            CommitLog log,
            DatasetQuotas quotas,
            Counters counters,
            DatasetRecord dataset,
            String commitId,
            List<CommitSource> sources,
            CommitManifest manifest) {
        this.system = system;
        this.layout = layout;
        this.offsets = offsets;
        this.locks = locks;
        this.rollForward = rollForward;
        this.counters = counters;
        this.dataset = dataset;
        this.sources = sources;
        this.commitId = commitId;
        this.holds = new PublishHolds(system, counters);
        this.staged = new StagedCommit(
                system, namespace, layout, config, holds, rollForward, quotas, dataset, commitId, sources, manifest);
        this.repeated = new RepeatedCommit(system, namespace, log, dataset, commitId);
    }

    /**
     * Publishes it.
     *
     * @throws RefusedException with what is wrong: nothing is published
     * @throws IOException when nobody knows whether it is published
     */
    PublishResult run() throws IOException {
        try {
            staged.read();
        } catch (RefusedException e) {
            counters.increment(Counter.REFUSED_COMMITS);
            throw e;
        }
        if (system.read(() -> rollForward.isPending(dataset))) {
            locks.alone(dataset, this::completePending);
        }
        Fence.Decision decision = system.read(this::fence);
        if (decision.verdict() == Fence.Verdict.OPEN) {
            try {
                repeated.checkNew(offsets.ofCommit(dataset, commitId));
                int files = staged.prepare();
                decision = locks.alone(dataset, () -> finish(files));
            } catch (IOException e) {
                if (committed) {
                    throw e;
                }
                decision = system.read(this::fence);
                if (decision.verdict() == Fence.Verdict.OPEN) {
                    counters.increment(Counter.REFUSED_COMMITS);
                    throw refusal(e);
                }
                // committed by another call meanwhile, which is why something was missing
            }
        }
        if (decision.verdict() == Fence.Verdict.ALREADY_COMMITTED) {
            repeated.checkSame(staged.content(), staged.named());
        }
        if (decision.verdict() != Fence.Verdict.OPEN) {
            boolean fenced = decision.verdict() == Fence.Verdict.FENCED;
            counters.increment(fenced ? Counter.FENCED_COMMITS : Counter.REPEATED_COMMITS);
        }
        return result(decision);
    }

    /** Completes what an error or a crash has left. Nobody else changes the dataset. */
    private int completePending() throws IOException {
        int completed = rollForward.completeAll(holds::hold, dataset);
        counters.add(Counter.ROLLED_FORWARD, completed);
        return completed;
    }

    /** Of an error before the commit point. */
    private static IOException refusal(IOException e) {
        if (e instanceof QuotaExceededException) {
            return new RefusedException(Kind.NO_SPACE, e);
        }
        return e instanceof AccessControlException ? new RefusedException(Kind.NO_PERMISSION, e) : e;
    }

    private Fence.Decision fence() throws IOException {
        List<CommittedOffset> committed = offsets.of(dataset, sources);
        Fence.Decision decision = Fence.decide(commitId, sources, committed);
        if (decision.verdict() != Fence.Verdict.ALREADY_COMMITTED) {
            Optional<String> other = Fence.otherTopic(sources, committed);
            if (other.isPresent()) {
                throw new RefusedException(Kind.OTHER_TOPIC, "commit " + commitId + " is refused: " + other.get());
            }
        }
        return decision;
    }

    private PublishResult result(Fence.Decision decision) throws IOException {
        List<CommittedOffset> committedNow =
                locks.look(dataset, () -> system.read(() -> offsets.of(dataset, sources))); // all of a commit, or none
        return new PublishResult(outcome(decision.verdict()), decision.reason(), null, committedNow);
    }

    private static Outcome outcome(Fence.Verdict verdict) {
        return switch (verdict) {
            case OPEN -> Outcome.COMMITTED;
            case ALREADY_COMMITTED -> Outcome.ALREADY_COMMITTED;
            case FENCED -> Outcome.FENCED;
        };
    }

    /** Commits, and then does what is left in short holds. The caller has the dataset alone. */
    private Fence.Decision finish(int files) throws IOException {
        if (system.read(() -> rollForward.isPending(dataset))) {
            completePending();
        }
        repeated.checkNew(offsets.ofCommit(dataset, commitId));
        staged.checkRoom();
        Completion completion = new Completion(rollForward, dataset, commitId);
        staged.addTo(completion);
        boolean[] complete = new boolean[1];
        Fence.Decision decision = holds.hold(edits -> {
            Fence.Decision open = commit(edits);
            complete[0] = open.verdict() == Fence.Verdict.OPEN && completion.goOn(edits, Completion.SHOWN_AT_ONCE);
            return open;
        });
        if (decision.verdict() == Fence.Verdict.OPEN) {
            if (!complete[0]) {
                completion.finish(holds::hold);
            }
            rollForward.indexes().known(dataset); // or the published files would wait in memory for a plan
            tell(completion.jumps());
            counters.increment(Counter.COMMITS);
            counters.add(Counter.COMMITTED_FILES, files);
        }
        return decision;
    }

    /** Tells operators of the offsets that were passed over. */
    private void tell(List<OffsetJump> jumps) throws IOException {
        rollForward.tell(dataset, commitId, jumps);
        for (OffsetJump jump : jumps.subList(0, Math.min(TOLD, jumps.size()))) {
            system.callingUser().audit(true, "mpsrOffsetJump", dataset.path(), jump.text());
        }
    }

    /** Repeats every check that can fail, and then commits. Needs the write lock. */
    private Fence.Decision commit(NamespaceEdits edits) throws IOException {
        Fence.Decision decision = fence();
        if (decision.verdict() != Fence.Verdict.OPEN) {
            return decision;
        }
        staged.checkAgain(edits);
        committed = true;
        edits.rename(layout.stagingDir(dataset.id(), commitId), layout.publishingDir(dataset.id(), commitId));
        return decision;
    }
}
