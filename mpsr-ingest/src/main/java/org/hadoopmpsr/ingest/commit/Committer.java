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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stages and publishes one commit after the other. While the outcome of one is unknown it stays pending, and only
 * publishing it again goes on. Not safe for use by several threads.
 */
final class Committer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final int PUBLISH_ATTEMPTS = 2;
    private static final Set<String> REFUSALS = Set.of(
            "java.lang.IllegalArgumentException",
            "org.apache.hadoop.HadoopIllegalArgumentException",
            "org.apache.hadoop.ipc.RpcNoSuchProtocolException",
            "org.apache.hadoop.ipc.RpcNoSuchMethodException");

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
     * Commits what is buffered, or finds out what became of the pending commit, which covers the same records.
     *
     * @return the outcome; nothing is pending then, and if fenced nothing is staged
     * @throws RetriableException when it may be called again with the same records
     * @throws ConnectException when trying again is of no use
     */
    PublishResult commit(RecordBuffer buffer, List<CommitSource> sources) {
        long startNs = System.nanoTime();
        PendingCommit commit = pending == null ? stage(buffer, sources) : pending;
        pending = commit;
        long stagedNs = System.nanoTime();
        PublishResult result = publish(commit);
        pending = null;
        if (result.verdict() == Fence.Verdict.FENCED) {
            LOG.warn("commit {} is fenced: {}", commit.id(), result.reason());
            metrics.fenced();
            abort(commit.id());
        } else {
            long stagedMs = (stagedNs - startNs) / 1_000_000;
            long publishedMs = (System.nanoTime() - stagedNs) / 1_000_000;
            metrics.committed(commit, stagedMs, publishedMs);
            LOG.info(
                    "commit {}: {} records in {} files, staged in {} ms, published in {} ms",
                    commit.id(),
                    commit.records(),
                    commit.files().size(),
                    stagedMs,
                    publishedMs);
        }
        return result;
    }

    /** Gives the pending commit up; whether it is published shows in the dataset's offsets. */
    void dropPending() {
        if (pending != null) {
            abort(pending.id());
            pending = null;
        }
    }

    private PendingCommit stage(RecordBuffer buffer, List<CommitSource> sources) {
        String id = PendingCommit.newId(sources);
        boolean staged = false;
        try {
            List<StagedFile> files = stager.stage(buffer, id, target.begin(id));
            staged = true;
            return new PendingCommit(id, sources, files, buffer.rows());
        } catch (IOException e) {
            throw failure("cannot stage commit " + id, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while commit " + id + " was staged", e);
        } finally {
            if (!staged) {
                abort(id);
            }
        }
    }

    private PublishResult publish(PendingCommit commit) {
        for (int attempt = 1; ; attempt++) {
            try {
                return target.publish(commit.id(), commit.sources(), commit.files());
            } catch (IOException e) {
                LOG.warn("the outcome of commit {} is unknown, attempt {}: {}", commit.id(), attempt, e.toString());
                if (isRefusal(e)) {
                    dropPending();
                }
                if (pending == null || attempt == PUBLISH_ATTEMPTS) {
                    throw failure("cannot publish commit " + commit.id(), e);
                }
            }
        }
    }

    private void abort(String id) {
        try {
            target.abort(id);
        } catch (IOException e) {
            LOG.warn("cannot delete the staged files of commit {}; they stay in the staging directory", id, e);
        }
    }

    private static ConnectException failure(String what, IOException e) {
        String message = what + ": " + e.getMessage();
        return isRefusal(e) ? new ConnectException(message, e) : new RetriableException(message + "; trying again", e);
    }

    /** Errors that come again whenever the call is repeated. */
    private static boolean isRefusal(IOException e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof AccessControlException
                    || t instanceof FileNotFoundException
                    || t instanceof RemoteException remote && REFUSALS.contains(remote.getClassName())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        dropPending();
        stager.close();
    }
}
