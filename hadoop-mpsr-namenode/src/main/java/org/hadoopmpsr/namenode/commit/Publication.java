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
import org.hadoopmpsr.client.log.PrintableLog;
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
import org.slf4j.Logger;

/**
 * The publish of one commit, in all groups or in none. Long work is done first, in short holds of the lock: no reader
 * sees it, and a crash leaves a commit that is still staged. The last hold checks that everything is as it was
 * prepared, passes the commit point, which is one rename of the staged directory, and moves everything into place that
 * readers without MPSR see. The other groups' files follow in short holds. After a crash past the commit point, the
 * commit is rolled forward. For one thread and one call of {@link #run}.
 */
final class Publication {
    private static final Logger LOG = PrintableLog.of(Publication.class);
    /** So many topic-partitions of a commit are told. */
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
        if (decision.verdict() == Fence.Verdict.OPEN) {
            repeated.checkNew(offsets.ofCommit(dataset, commitId));
        }
        if (decision.verdict() != Fence.Verdict.ALREADY_COMMITTED) {
            Optional<String> other = Fence.otherTopic(sources, committed);
            if (other.isPresent()) {
                throw new RefusedException(Kind.OTHER_TOPIC, "commit " + commitId + " is refused: " + other.get());
            }
        }
        return decision;
    }

    private PublishResult result(Fence.Decision decision) throws IOException {
        return new PublishResult(
                outcome(decision.verdict()), decision.reason(), null, system.read(() -> offsets.of(dataset, sources)));
    }

    private static Outcome outcome(Fence.Verdict verdict) {
        return switch (verdict) {
            case OPEN -> Outcome.COMMITTED;
            case ALREADY_COMMITTED -> Outcome.ALREADY_COMMITTED;
            case FENCED -> Outcome.FENCED;
        };
    }

    /** Commits, and then moves the files that readers without MPSR do not see, in short holds. */
    private Fence.Decision finish(int files) throws IOException {
        if (system.read(() -> rollForward.isPending(dataset))) {
            completePending();
        }
        RollForward.Completion completion = rollForward.new Completion(dataset, commitId);
        Fence.Decision decision = holds.hold(edits -> commit(edits, completion));
        if (decision.verdict() == Fence.Verdict.OPEN) {
            completion.finish(holds::hold);
            completion.index();
            tell(completion.jumps());
            counters.increment(Counter.COMMITS);
            counters.add(Counter.COMMITTED_FILES, files);
        }
        return decision;
    }

    /** Tells operators of the offsets that were passed over. */
    private void tell(List<OffsetJump> jumps) throws IOException {
        counters.add(Counter.OFFSET_JUMPS, jumps.size());
        for (OffsetJump jump : jumps.subList(0, Math.min(TOLD, jumps.size()))) {
            LOG.warn(
                    "MPSR: commit {} to {} passes over offsets of which it has no or few records: {} ({} such"
                            + " topic-partitions in the commit). See hdfs mpsr dataset offsets {}",
                    commitId,
                    dataset.path(),
                    jump.text(),
                    jumps.size(),
                    dataset.path());
            system.callingUser().audit(true, "mpsrOffsetJump", dataset.path(), jump.text());
        }
    }

    /** Under one hold of the lock, repeats every check that can fail, and then commits. */
    private Fence.Decision commit(NamespaceEdits edits, RollForward.Completion completion) throws IOException {
        Fence.Decision decision = fence();
        if (decision.verdict() != Fence.Verdict.OPEN) {
            return decision;
        }
        staged.checkAgain(edits);
        committed = true;
        edits.rename(layout.stagingDir(dataset.id(), commitId), layout.publishingDir(dataset.id(), commitId));
        completion.show(edits);
        return decision;
    }
}
