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
package org.hadoopmpsr.mount.view;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.apache.hadoop.fs.FileStatus;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.jspecify.annotations.Nullable;

/** A file as one {@code open} sees it: a reader, a writer, or both. Thread-safe. */
final class OpenFile {
    /** After so many bytes in sequence a reader takes what comes from one connection. */
    private static final long SEQUENCE_BYTES = 256 << 10;
    /** After so many reads elsewhere the connection of reads in sequence is given up. */
    private static final int READS_ELSEWHERE = 16;

    private final Node node;
    private final FileStatus status;
    private final Source source;
    private final @Nullable FileWriter writer;
    private final boolean atEnd;
    private final boolean growing;

    /** Guards what {@link #order} keeps. It never waits for HDFS: the thread that takes requests from the kernel asks for the order. */
    private final Object sequence = new Object();

    private volatile @Nullable FileReader reader;
    private @Nullable Lane lane;
    private long expected;
    private long inSequence;
    private int elsewhere;

    /** What the file is read from. */
    interface Source {
        /** A reader for what the file holds now. */
        FileReader open() throws IOException;

        /** Who of the mount writes the file now; null if nobody does. */
        @Nullable
        FileWriter writer();
    }

    /**
     * An open file.
     *
     * @param status of the file when it was opened
     * @param reader null if nothing was read yet
     * @param writer null if it is open for reads only
     * @param atEnd true if each write goes to the end
     * @param growing true if another program writes the file
     */
    OpenFile(
            Node node,
            FileStatus status,
            Source source,
            @Nullable FileReader reader,
            @Nullable FileWriter writer,
            boolean atEnd,
            boolean growing) {
        this.node = node;
        this.status = status;
        this.source = source;
        this.reader = reader;
        this.writer = writer;
        this.atEnd = atEnd;
        this.growing = growing;
    }

    Node node() {
        return node;
    }

    FileStatus status() {
        return status;
    }

    @Nullable
    FileWriter writer() {
        return writer;
    }

    /**
     * Decides how a read is done; asked for each read, in the order in which the kernel asks for them.
     *
     * @return where reads in sequence wait for each other; null for a read by position
     */
    @Nullable
    Executor order(long offset, int size, Executor threads) {
        synchronized (sequence) {
            return ordered(offset, size, threads);
        }
    }

    private @Nullable Executor ordered(long offset, int size, Executor threads) {
        inSequence = offset == expected ? inSequence + size : 0;
        expected = offset + size;
        if (inSequence >= SEQUENCE_BYTES) {
            elsewhere = 0;
            if (lane == null) {
                lane = new Lane(threads);
            }
            return lane;
        }
        FileReader known = reader;
        if (lane != null && ++elsewhere == READS_ELSEWHERE && known != null) {
            lane.execute(known::rest);
        }
        return null;
    }

    /** Reads until the buffer is full or the file ends. */
    void read(long offset, ByteBuffer into, boolean sequence) throws IOException {
        int start = into.position();
        reader().read(offset, into, sequence);
        if (into.hasRemaining()) {
            long next = offset + (into.position() - start);
            FileReader longer = longer(next);
            if (longer != null) {
                longer.read(next, into, false);
            }
        }
    }

    private synchronized FileReader reader() throws IOException {
        if (reader == null) {
            flush(source.writer());
            reader = source.open();
        }
        return reader;
    }

    /** A reader that sees more than the byte before, or null if there is no more. */
    private synchronized @Nullable FileReader longer(long offset) throws IOException {
        FileReader known = reader;
        if (known != null && known.length() > offset) {
            return known;
        }
        FileWriter writing = source.writer();
        if (writing == null && !growing) {
            return null;
        }
        flush(writing);
        FileReader longer = source.open();
        if (longer.length() <= offset) {
            longer.close();
            return null;
        }
        if (known != null) {
            known.close();
        }
        reader = longer;
        return longer;
    }

    void write(long offset, ByteBuffer bytes) throws IOException {
        FileWriter to = writer;
        if (to == null) {
            throw new ErrnoException(Errno.EBADF, "the file is open for reads only");
        }
        to.write(offset, bytes, atEnd);
    }

    void flush() throws IOException {
        flush(writer);
    }

    private static void flush(@Nullable FileWriter of) throws IOException {
        if (of != null) {
            of.flush();
        }
    }

    void sync() throws IOException {
        if (writer != null) {
            writer.sync();
        }
    }

    /** Closes the reader; the writer is others', too. */
    synchronized void closeReader() throws IOException {
        if (reader != null) {
            reader.close();
        }
    }
}
