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
import java.util.Objects;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal;
import org.hadoopmpsr.ingest.commit.CommitStager.StagedFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Stages and publishes one commit after the other. A commit whose outcome is unknown, or that is refused for a while,
 * stays pending, and is published again before the next one is staged. Not safe for use by several threads.
 */
final class Committer implements AutoCloseable {
    private static final Logger LOG = PrintableLog.of(Committer.class);
    private static final int PUBLISH_ATTEMPTS = 2;

    private final CommitTarget target;
    private final CommitStager stager;
    private final IngestMetrics metrics;
    private @Nullable PendingCommit pending;

    Committer(CommitTarget target, CommitStager stager, IngestMetrics metrics) {
        this.target = target;
        this.stager = stager;
        this.metrics = metrics;
    }

    /** True while the outcome of a commit is unknown. */
    boolean isPending() {
        return pending != null;
    }

    /**
     * Commits what is buffered, or finds out what became of the pending commit, which covers the same records. A commit stays
     * pending after an exception of publishing it, and when it is refused for a while only.
     *
     * @return the outcome
     * @throws IOException when it may be called again with the same records: nothing is staged, or the outcome is unknown
     * @throws ConnectException when the task is to end
     */
    PublishResult commit(RecordBuffer buffer, List<CommitSource> sources) throws IOException {
        long startNs = System.nanoTime();
        if (pending == null) {
            Refusal refusal = stage(buffer, sources);
            if (refusal != null) {
                return PublishResult.refused(refusal);
            }
        }
        PendingCommit commit = Objects.requireNonNull(pending);
        long stagedNs = System.nanoTime();
        PublishResult result = publish(commit);
        if (result.isCommitted()) {
            pending = null;
            note(commit, (stagedNs - startNs) / 1_000_000, (System.nanoTime() - stagedNs) / 1_000_000);
        } else if (result.refusal() == null || !result.refusal().mayPass()) {
            dropPending();
        }
        if (result.outcome() == PublishResult.Outcome.FENCED) {
            LOG.warn("commit {} is fenced: {}", commit.id(), result.reason());
            metrics.fenced();
        }
        return result;
    }

    private void note(PendingCommit commit, long stagedMs, long publishedMs) {
        metrics.committed(commit, stagedMs, publishedMs);
        LOG.info(
                "commit {}: {} records in {} files, staged in {} ms, published in {} ms",
                commit.id(),
                commit.records(),
                commit.files().size(),
                stagedMs,
                publishedMs);
    }

    /** Gives the pending commit up; whether it is published shows in the dataset's offsets. */
    void dropPending() {
        if (pending != null) {
            abort(pending.id());
            pending = null;
        }
    }

    /** Makes what is buffered the pending commit, or says why not. */
    private @Nullable Refusal stage(RecordBuffer buffer, List<CommitSource> sources) throws IOException {
        String id = PendingCommit.newId(sources);
        BegunCommit begun;
        try {
            begun = target.begin(id);
        } catch (IOException e) {
            throw notStaged(id, e);
        }
        if (begun.refusal() != null) {
            return begun.refusal();
        }
        try {
            StagedFiles staged = stager.stage(buffer, id, begun);
            if (staged.refusal() == null) {
                pending = new PendingCommit(id, sources, staged.files(), buffer.rows());
            }
            return staged.refusal();
        } catch (IOException e) {
            throw notStaged(id, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while commit " + id + " was staged", e);
        } finally {
            if (pending == null) {
                abort(id);
            }
        }
    }

    private static IOException notStaged(String id, IOException e) {
        return new IOException("cannot stage commit " + id + ", nothing of it is published: " + text(e), e);
    }

    private PublishResult publish(PendingCommit commit) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return target.publish(commit.id(), commit.sources(), commit.files());
            } catch (IOException e) {
                if (attempt == PUBLISH_ATTEMPTS) {
                    throw new IOException(
                            "cannot publish commit " + commit.id() + ", the outcome is unknown: " + text(e), e);
                }
                LOG.info("the outcome of commit {} is unknown, publishing it again: {}", commit.id(), text(e));
            }
        }
    }

    private static String text(IOException e) {
        String text = MpsrClient.answer(e);
        return MpsrClient.isWithoutMpsr(e) ? "the NameNode runs without MPSR (" + text + ")" : text;
    }

    private void abort(String id) {
        try {
            target.abort(id);
        } catch (IOException e) {
            LOG.info(
                    "cannot delete the staged files of commit {}, the NameNode does so after a while: {}",
                    id,
                    MpsrClient.answer(e));
        }
    }

    @Override
    public void close() {
        dropPending();
        stager.close();
    }
}
