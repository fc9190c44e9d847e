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
package org.hadoopmpsr.catalog.append;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.iceberg.Snapshot;
import org.hadoopmpsr.catalog.append.AddedFiles.Added;
import org.hadoopmpsr.catalog.append.AppendException.Kind;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.catalog.table.WritePlace;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.PublishResult.Outcome;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Refusal;
import org.slf4j.Logger;

/**
 * Appends the records of files that clients of Iceberg have written. All groups get them in one commit, and a snapshot is appended once,
 * however often a client asks. Safe for use by several threads.
 */
public final class Appends {
    private static final Logger LOG = PrintableLog.of(Appends.class);
    /** No topic of Kafka has such a name. Each append starts where the one before has ended. */
    private static final String TOPIC = "iceberg/appends";

    private static final int PARTITION = 0;
    private static final int MOST_TRIES = 100;
    private static final int LAST_CHANGES = 10_000;
    /** Of the heap, records in memory take a part at most. */
    private static final int HEAP_SHARE = 8;

    private final int most;
    private final long mostBytes;
    private final Semaphore slots;

    /**
     * Appends within limits.
     *
     * @param most how many appends are done at a time
     * @param mostBytes the most bytes of the files of an append
     */
    public Appends(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
        this.slots = new Semaphore(most);
    }

    /**
     * Appends what a snapshot adds.
     *
     * @param client asks the NameNode as the caller
     * @param fs reads and writes files as the caller
     * @param place where the caller's client writes
     * @throws AppendException if it is not appended, or nobody knows
     * @throws IOException if it is not appended, because HDFS or the NameNode does not answer or lets the caller not
     */
    public void append(MpsrClient client, FileSystem fs, DatasetTable table, WritePlace place, Snapshot snapshot)
            throws IOException, AppendException {
        if (!slots.tryAcquire()) {
            throw new AppendException(
                    Kind.AGAIN,
                    most + " appends are being done, as many as the gateway does at a time (--appends); try again",
                    null);
        }
        try {
            new One(client, fs, table, place, snapshot).run();
        } finally {
            slots.release();
        }
    }

    /** One append. */
    private final class One {
        private final MpsrClient client;
        private final FileSystem fs;
        private final DatasetTable table;
        private final Dataset dataset;
        private final CallerFiles files;
        private final Snapshot snapshot;
        /** The ids of all tries to append the snapshot begin so. */
        private final String prefix;

        private final String commitId;

        One(MpsrClient client, FileSystem fs, DatasetTable table, WritePlace place, Snapshot snapshot) {
            this.client = client;
            this.fs = fs;
            this.table = table;
            this.dataset = table.dataset();
            this.files = new CallerFiles(fs, place);
            this.snapshot = snapshot;
            this.prefix = "iceberg-" + Long.toUnsignedString(snapshot.snapshotId()) + "-";
            this.commitId = prefix + UUID.randomUUID();
        }

        void run() throws IOException, AppendException {
            FileRecords.check(dataset.schema());
            if (isPublished()) {
                return;
            }
            try {
                List<Added> added = new AddedFiles(files, table, mostBytes).of(snapshot);
                commit(added);
                delete(added);
            } catch (FileNotFoundException e) {
                // Another try may have published it meanwhile, and deleted the files then.
                if (!isPublished()) {
                    throw new AppendException(
                            Kind.WRONG,
                            "A file of the snapshot " + snapshot.snapshotId() + " is not there: " + e.getMessage()
                                    + ". If an earlier try has deleted it, look whether the records are there, and append them again if"
                                    + " not",
                            e);
                }
            } catch (IOException | AppendException e) {
                if (!isPublished()) {
                    throw e;
                }
            }
        }

        private void commit(List<Added> added) throws IOException, AppendException {
            BegunCommit begun = client.beginCommit(dataset.path(), dataset.id(), commitId, dataset.columns());
            if (begun.refusal() != null) {
                throw refused(begun.refusal());
            }
            boolean done = false;
            try {
                StagedRecords staged = stage(added, begun);
                done = staged.records() > 0 && publish(staged);
                LOG.info(
                        "snapshot {} of {}: {} records of {} files {}",
                        snapshot.snapshotId(),
                        dataset.path(),
                        staged.records(),
                        added.size(),
                        done ? "appended" : "are there");
            } finally {
                if (!done) {
                    discard();
                }
            }
        }

        private StagedRecords stage(List<Added> added, BegunCommit begun) throws IOException, AppendException {
            RecordBuffer buffer = new RecordBuffer(dataset.schema());
            RecordAppender appender = new RecordAppender(buffer, dataset.writtenGroups());
            StagedRecords staged = new StagedRecords(fs, dataset.path(), dataset.writtenGroups(), commitId, begun);
            long inMemory = Runtime.getRuntime().maxMemory() / HEAP_SHARE / most;
            for (Added file : added) {
                new FileRecords(table, file, fs).putAll(appender, () -> {
                    if (buffer.sizeBytes() > inMemory) {
                        staged.write(buffer);
                    }
                });
            }
            staged.write(buffer);
            return staged;
        }

        /**
         * Publishes it, unless an earlier try has. Which one is first is told by the offsets: the look whether one is there comes after the
         * offsets are read, and another one that comes in between has moved them.
         *
         * @return false if an earlier try has published it
         */
        private boolean publish(StagedRecords staged) throws IOException, AppendException {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                Dataset now = client.getDataset(dataset.path());
                if (isPublished(now)) {
                    return false;
                }
                long from = now.offsets().stream()
                        .filter(Appends::isOurs)
                        .mapToLong(CommittedOffset::end)
                        .findFirst()
                        .orElse(0);
                PublishResult result =
                        publish(new CommitSource(TOPIC, PARTITION, from, from + staged.records()), staged.files());
                if (result.isCommitted()) {
                    return true;
                }
                if (result.refusal() != null) {
                    throw refused(result.refusal());
                }
            }
            throw new AppendException(
                    Kind.AGAIN, "other appends came before this one, " + MOST_TRIES + " times; try again", null);
        }

        private PublishResult publish(CommitSource source, List<StagedFile> staged)
                throws IOException, AppendException {
            try {
                return client.publish(dataset.path(), dataset.id(), commitId, List.of(source), staged);
            } catch (IOException e) {
                // Once nothing is staged any more no call can publish it, and nothing is deleted while one does.
                try {
                    client.abortCommit(dataset.path(), dataset.id(), commitId);
                    if (isPublished()) {
                        return new PublishResult(Outcome.ALREADY_COMMITTED, "", null, List.of());
                    }
                } catch (IOException unknown) {
                    e.addSuppressed(unknown);
                    throw new AppendException(
                            Kind.UNKNOWN,
                            "Nobody knows whether the snapshot " + snapshot.snapshotId() + " is appended to "
                                    + dataset.path() + ": " + MpsrClient.answer(e)
                                    + "; send the same commit again, which appends it once",
                            e);
                }
                throw e;
            }
        }

        private boolean isPublished() throws IOException {
            return isPublished(client.getDataset(dataset.path()));
        }

        /** Whether a try has, by what the dataset keeps of its last append, of its segments and of its changes. */
        private boolean isPublished(Dataset now) throws IOException {
            return now.offsets().stream()
                            .anyMatch(offset ->
                                    isOurs(offset) && offset.commitId().startsWith(prefix))
                    || client.segments(dataset.path()).segments().stream()
                            .anyMatch(segment -> segment.id().startsWith(prefix))
                    || client.history(dataset.path(), LAST_CHANGES).changes().stream()
                            .anyMatch(change -> String.valueOf(change.id()).startsWith(prefix));
        }

        private AppendException refused(Refusal refusal) throws IOException {
            if (refusal.kind() == Refusal.Kind.NO_PERMISSION) {
                throw new AccessControlException(refusal.reason());
            }
            return new AppendException(Kind.AGAIN, refusal.reason(), null);
        }

        private void discard() {
            try {
                client.abortCommit(dataset.path(), dataset.id(), commitId);
            } catch (IOException e) {
                LOG.warn("commit {} is not discarded; the NameNode will, as it expires", commitId, e);
            }
        }

        /** The records are in files of the dataset's own. A late repetition finds none of these. */
        private void delete(List<Added> added) {
            for (Added file : added) {
                Path path = file.status().getPath();
                try {
                    fs.delete(path, false);
                } catch (IOException e) {
                    LOG.warn("{} is appended and not deleted", path, e);
                }
            }
        }
    }

    private static boolean isOurs(CommittedOffset offset) {
        return offset.topic().equals(TOPIC) && offset.partition() == PARTITION;
    }
}
