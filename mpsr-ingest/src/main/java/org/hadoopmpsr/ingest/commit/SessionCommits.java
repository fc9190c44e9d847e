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
package org.hadoopmpsr.ingest.commit;

import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.ingest.source.SourceOffsets;
import org.hadoopmpsr.ingest.source.TopicIdentity;

/** Commits what a session has buffered, and says when it is time. For one thread. */
final class SessionCommits implements AutoCloseable {
    private final Committer committer;
    private final RecordIntake intake;
    private final SourceOffsets offsets;
    private final TopicIdentity identity;
    private final Setbacks setbacks;
    private final SinkTaskContext context;
    private final FlushLimits limits;
    private final LongSupplier clockMs;
    private long firstAcceptedMs;

    /**
     * Makes one that has committed nothing.
     *
     * @param committer closed with this
     * @param clockMs a clock in milliseconds that only goes forward
     */
    SessionCommits(
            Committer committer,
            RecordIntake intake,
            SourceOffsets offsets,
            TopicIdentity identity,
            Setbacks setbacks,
            SinkTaskContext context,
            FlushLimits limits,
            LongSupplier clockMs) {
        this.committer = committer;
        this.intake = intake;
        this.offsets = offsets;
        this.identity = identity;
        this.setbacks = setbacks;
        this.context = context;
        this.limits = limits;
        this.clockMs = clockMs;
    }

    /** True while the outcome of a commit is unknown. */
    boolean isPending() {
        return committer.isPending();
    }

    /** The interval to the next commit begins now. */
    void beginInterval() {
        firstAcceptedMs = clockMs.getAsLong();
    }

    /** True when what is buffered has reached a limit. */
    boolean isDue() {
        return intake.holds(limits.bytes())
                || offsets.isAhead() && clockMs.getAsLong() - firstAcceptedMs >= limits.intervalMs();
    }

    /** In how many milliseconds, 1 at least, the interval ends; {@link Long#MAX_VALUE} when there is nothing to commit. */
    long untilDueMs() {
        return offsets.isAhead()
                ? Math.max(1, firstAcceptedMs + limits.intervalMs() - clockMs.getAsLong())
                : Long.MAX_VALUE;
    }

    /**
     * Commits what is buffered. What a fenced commit held is dropped, and comes again from where the dataset is.
     *
     * @return false when it is to be tried again later
     * @throws ConnectException when the task is to end
     */
    boolean commit() {
        intake.awaitKept();
        List<CommitSource> sources = offsets.sources();
        PublishResult result;
        try {
            if (!committer.isPending()) {
                identity.requireUnchanged(sources);
            }
            result = committer.commit(intake.buffer(), sources);
        } catch (IOException e) {
            setbacks.failed(String.valueOf(e.getMessage()), e);
            return false;
        }
        if (result.refusal() != null) {
            setbacks.refused(result.refusal());
            return false;
        }
        intake.clear();
        beginInterval();
        if (result.isCommitted()) {
            offsets.committed(sources);
            context.requestCommit();
        } else {
            offsets.committedByOthers(result.offsets());
            offsets.rewind();
        }
        return true;
    }

    /** Drops what is buffered and not committed. */
    void drop() {
        committer.dropPending();
        intake.clear();
    }

    @Override
    public void close() {
        committer.close();
    }
}
