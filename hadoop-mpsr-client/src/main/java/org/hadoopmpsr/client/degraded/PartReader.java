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
package org.hadoopmpsr.client.degraded;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The records of a part of a planned file, in one of three ways: first from the file itself, with a client that gives up
 * soon; then from another group; then from the file again, as without MPSR. It goes on to another group only while nothing
 * was given. After that, the task fails if it may be tried again: the engine drops what it gave, and in the next try the file
 * is read to its end once before anything is given. If the task may not be tried again, the file is read once more as without
 * MPSR: what was given comes first again, and is left out. For one thread.
 *
 * @param <T> what is given at a time
 */
public final class PartReader<T> implements Closeable {
    /** What the error of a task says that fails so that its next try reads from another group. */
    public static final String STARTS_AGAIN = "the task starts again, and reads the records from another group";

    private static final Logger LOG = PrintableLog.of(PartReader.class);

    private final PartReads<T> reads;
    private final String path;
    private final URI dataset;
    private final Attempt attempt;
    private final int timeoutMs;
    private final long began = System.nanoTime();

    /** Null at the end, and before the first read. */
    private @Nullable PartRecords<T> current;

    private boolean isPatient;
    private boolean isOfOtherGroup;
    private long count;

    /**
     * Reads nothing yet.
     *
     * @param path of the file, without its file system
     * @param dataset the dataset directory, with its file system
     * @param timeoutMs after so many milliseconds without an answer, a DataNode is given up
     */
    public PartReader(PartReads<T> reads, String path, URI dataset, Attempt attempt, int timeoutMs) {
        this.reads = reads;
        this.path = path;
        this.dataset = dataset;
        this.attempt = attempt;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Opens the file; call it first.
     *
     * @throws Exception of the engine's reader, if the records cannot be read in any way
     */
    public void begin() throws Exception {
        if (RecentNames.BAD_FILES.contains(path) || SilentNodes.holdBlockOf(reads::nodes)) {
            takeOver(null);
            return;
        }
        try {
            if (!attempt.isFirst()) {
                OtherGroup.readOnce(reads.failingSoon());
            }
            current = reads.failingSoon();
        } catch (Exception e) {
            failed(e);
        }
    }

    /**
     * Whether there is more.
     *
     * @throws Exception if the records cannot be read in any way, or the task has to start again
     */
    public boolean hasNext() throws Exception {
        try {
            return current != null && current.hasNext();
        } catch (Exception e) {
            failed(e);
            return current != null && current.hasNext();
        }
    }

    /**
     * Goes on, if there is more.
     *
     * @throws Exception if the records cannot be read in any way, or the task has to start again
     */
    public T next() throws Exception {
        T next;
        try {
            next = open().next();
        } catch (Exception e) {
            failed(e);
            next = open().next();
        }
        count++;
        return next;
    }

    private PartRecords<T> open() {
        if (current == null) {
            throw new IllegalStateException("the part is closed");
        }
        return current;
    }

    private boolean isEnding(Exception failure) {
        return ReadFailures.isInterrupted(failure) || attempt.isEnding().getAsBoolean();
    }

    /** Goes on in another way, or throws the failure. */
    private void failed(Exception failure) throws Exception {
        if (isPatient || isEnding(failure) || !ReadFailures.isLoss(failure)) {
            throw failure;
        }
        close();
        if (count == 0 && !isOfOtherGroup) {
            SilentNodes.note(reads::nodes, began, timeoutMs);
        }
        boolean isNew = RecentNames.BAD_FILES.add(path);
        if (isOfOtherGroup) {
            throw failure;
        }
        if (count == 0) {
            if (isNew) {
                LOG.warn(
                        "{} of the dataset {} cannot be read ({}); its records are looked for in other groups",
                        path,
                        dataset,
                        ReadFailures.line(failure));
            }
            takeOver(failure);
        } else if (attempt.mayFail()) {
            throw new IOException(path + " cannot be read to its end; " + STARTS_AGAIN, failure);
        } else {
            goOn();
        }
    }

    private void takeOver(@Nullable Exception failure) throws Exception {
        try {
            OtherGroup<T> other = reads.fromOtherGroup(!attempt.isFirst() || !attempt.mayFail());
            isOfOtherGroup = true;
            current = other.records();
            LOG.info("The records of {} come from group {}", path, other.group());
        } catch (Exception e) {
            if (isEnding(e)) {
                throw e;
            }
            LOG.warn(
                    "The records of {} do not come from another group: {}. The file is read as without MPSR",
                    path,
                    ReadFailures.line(e));
            isPatient = true;
            try {
                current = reads.patient();
            } catch (Exception original) {
                original.addSuppressed(e);
                if (failure != null) {
                    original.addSuppressed(failure);
                }
                throw original;
            }
        }
    }

    /** The engine's reader gives the same rows in the same order each time. */
    private void goOn() throws Exception {
        isPatient = true;
        PartRecords<T> again = reads.patient();
        current = again;
        for (long left = count; left > 0; left--) {
            if (!again.hasNext()) {
                throw new IOException(path + " gave " + count + " rows or batches, and now gives fewer");
            }
            again.next();
        }
    }

    @Override
    public void close() throws IOException {
        PartRecords<T> open = current;
        current = null;
        if (open != null) {
            open.close();
        }
    }
}
