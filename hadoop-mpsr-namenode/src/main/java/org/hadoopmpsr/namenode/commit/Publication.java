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
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.commit.OffsetJump;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.staging.PublishHolds;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.writer.RefusedException;

/**
 * The publish of one change, in all groups or in none. Long work is done first, in short holds of the lock: no reader
 * sees it, and a crash leaves a change that is still staged. One hold checks that everything is as it was prepared,
 * passes the commit point, which is one rename of the staged directory, and begins to move the files into place. What
 * is left follows in short holds ({@link Completion}). After a crash past the commit point, the change is rolled
 * forward. For one thread and one call of {@link #run}.
 */
final class Publication {
    /** So many topic-partitions of a commit have a line in the audit log. */
    private static final int TOLD = 20;

    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final PublishHolds holds;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final Counters counters;
    private final DatasetRecord dataset;
    private final DatasetChange change;
    private final StagedCommit staged;
    private final ChangeRules rules;
    private boolean committed;

    Publication(
            MpsrNamesystem system,
            StoreLayout layout,
            PublishHolds holds,
            DatasetLocks locks,
            RollForward rollForward,
            Counters counters,
            DatasetRecord dataset,
            DatasetChange change,
            StagedCommit staged,
            ChangeRules rules) {
        this.system = system;
        this.layout = layout;
        this.holds = holds;
        this.locks = locks;
        this.rollForward = rollForward;
        this.counters = counters;
        this.dataset = dataset;
        this.change = change;
        this.staged = staged;
        this.rules = rules;
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
        Fence.Decision decision = system.read(rules::decide);
        if (decision.verdict() == Fence.Verdict.OPEN) {
            try {
                rules.prepare();
                int files = staged.prepare();
                decision = locks.alone(dataset, () -> finish(files));
            } catch (IOException e) {
                if (committed) {
                    throw e;
                }
                decision = system.read(rules::decide);
                if (decision.verdict() == Fence.Verdict.OPEN) {
                    counters.increment(Counter.REFUSED_COMMITS);
                    throw refusal(e);
                }
                // committed by another call meanwhile, which is why something was missing
            }
        }
        if (decision.verdict() == Fence.Verdict.ALREADY_COMMITTED) {
            rules.checkSame();
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
            return new RefusedException(Refusal.Kind.NO_SPACE, e);
        }
        return e instanceof AccessControlException ? new RefusedException(Refusal.Kind.NO_PERMISSION, e) : e;
    }

    private PublishResult result(Fence.Decision decision) throws IOException {
        List<CommittedOffset> committedNow =
                locks.lookAtAny(dataset, () -> system.read(rules::offsets)); // all of a commit, or none
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
        checkGroups();
        if (system.read(() -> rollForward.isPending(dataset))) {
            completePending();
        }
        Fence.Decision decision = system.read(rules::decide);
        if (decision.verdict() != Fence.Verdict.OPEN) {
            return decision;
        }
        rules.confirm();
        staged.confirm();
        Completion completion = rules.completion();
        staged.addTo(completion);
        boolean few =
                files <= LockSteps.SIZE; // HDFS counts what it renames, so the commit point of more takes a hold alone
        boolean[] complete = new boolean[1];
        decision = holds.hold(edits -> {
            Fence.Decision open = commit(edits);
            complete[0] =
                    open.verdict() == Fence.Verdict.OPEN && few && completion.goOn(edits, Completion.SHOWN_AT_ONCE);
            return open;
        });
        if (decision.verdict() == Fence.Verdict.OPEN) {
            if (!few) {
                complete[0] = holds.hold(edits -> completion.goOn(edits, Completion.SHOWN_AT_ONCE));
            }
            if (!complete[0]) {
                completion.finish(holds::hold);
            }
            rollForward.parts().indexes().known(dataset); // or the published files would wait in memory for a plan
            tell(completion.jumps());
            count(files);
        }
        return decision;
    }

    /** The groups may have been altered since the change was checked. */
    private void checkGroups() throws IOException {
        byte[] definition = system.read(() -> {
            INode directory = system.directory().getInode(dataset.inodeId());
            return directory == null ? null : Attributes.get(directory, Attributes.DATASET);
        });
        if (definition != null && !dataset.hasGroupsOf(definition)) {
            throw RefusedException.of(
                    Refusal.Kind.GROUPS_CHANGED,
                    change,
                    dataset,
                    "the groups of the dataset were altered meanwhile; open the dataset anew");
        }
    }

    private void count(int files) {
        switch (change.kind()) {
            case APPEND -> counters.increment(Counter.COMMITS);
            case REWRITE, ACCEPT, DELETE, ROLLBACK, OVERWRITE -> {
                counters.increment(Counter.REWRITES);
                counters.add(Counter.REPLACED_SEGMENTS, change.removes().size());
            }
            case ADOPT -> {
                counters.increment(Counter.ADOPTIONS);
                counters.add(Counter.ADOPTED_FILES, staged.inPlace());
            }
            case REBUILD -> {
                counters.increment(Counter.REBUILDS);
                counters.add(Counter.REBUILT_FILES, files);
            }
        }
        counters.add(Counter.COMMITTED_FILES, files);
    }

    /** Tells operators of the offsets that were passed over. */
    private void tell(List<OffsetJump> jumps) throws IOException {
        rollForward.tell(dataset, change.id(), jumps);
        for (OffsetJump jump : jumps.subList(0, Math.min(TOLD, jumps.size()))) {
            system.callingUser().audit(true, "mpsrOffsetJump", dataset.path(), jump.text());
        }
    }

    /** Repeats every check that can fail, and then commits. Needs the write lock. */
    private Fence.Decision commit(NamespaceEdits edits) throws IOException {
        Fence.Decision decision = rules.decide();
        if (decision.verdict() != Fence.Verdict.OPEN) {
            return decision;
        }
        staged.checkAgain(edits);
        rules.checkAgain();
        committed = true;
        edits.rename(layout.stagingDir(dataset.id(), change.id()), layout.publishingDir(dataset.id(), change.id()));
        return decision;
    }
}
