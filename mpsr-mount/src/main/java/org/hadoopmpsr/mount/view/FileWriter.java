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
import org.apache.hadoop.fs.FSDataOutputStream;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file at its end, which is what HDFS can. All open files of the mount that write the same file share one of these, because
 * HDFS lets one stream write a file. Thread-safe. After a failure everything that is written fails.
 */
final class FileWriter {
    private final Target target;
    private @Nullable FSDataOutputStream out;
    private volatile long length;
    private boolean dirty;
    private @Nullable IOException broken;
    private @Nullable Times times;

    /** The file, under the name that it has now. */
    interface Target {
        /** Opens it to write at its end. */
        FSDataOutputStream append() throws IOException;

        /** Makes it empty. */
        void truncate() throws IOException;

        /** Sets its times. */
        void setTimes(Times times) throws IOException;
    }

    /** Milliseconds since 1970; -1 for a time that stays. */
    record Times(long modificationMs, long accessMs) {}

    /**
     * A writer.
     *
     * @param out the stream; null if it is to be opened with the first write
     * @param length the bytes that the file has
     */
    FileWriter(Target target, @Nullable FSDataOutputStream out, long length) {
        this.target = target;
        this.out = out;
        this.length = length;
    }

    /** The bytes that the file has, with those that readers do not see yet. */
    long length() {
        return length;
    }

    /**
     * Writes all bytes.
     *
     * @param atEnd true to write at the end, whatever the offset is
     * @throws ErrnoException {@code EOPNOTSUPP} unless the offset is the file's length
     */
    synchronized void write(long offset, ByteBuffer bytes, boolean atEnd) throws IOException {
        requireWhole();
        requireEnd(offset, atEnd);
        FSDataOutputStream stream = out;
        if (stream == null) {
            stream = target.append();
            out = stream;
            length = stream.getPos(); // others may have appended meanwhile
            requireEnd(offset, atEnd);
        }
        try {
            int count = bytes.remaining();
            stream.write(bytes.array(), bytes.arrayOffset() + bytes.position(), count);
            length += count;
            dirty = true;
            times = null; // a write is a modification
        } catch (IOException e) {
            broken = e;
            throw e;
        }
    }

    private void requireEnd(long offset, boolean atEnd) throws ErrnoException {
        if (!atEnd && offset != length) {
            throw new ErrnoException(
                    Errno.EOPNOTSUPP,
                    "a write at " + offset + " of a file with " + length + " bytes; HDFS writes at the end only");
        }
    }

    /** What is written is visible to readers. */
    synchronized void flush() throws IOException {
        requireWhole();
        if (out != null && dirty) {
            try {
                out.hflush();
                dirty = false;
            } catch (IOException e) {
                broken = e;
                throw e;
            }
        }
    }

    /** What is written is on the disks of DataNodes. */
    synchronized void sync() throws IOException {
        requireWhole();
        if (out != null) {
            try {
                out.hsync();
                dirty = false;
            } catch (IOException e) {
                broken = e;
                throw e;
            }
        }
    }

    /** Makes the file empty. */
    synchronized void truncate() throws IOException {
        requireWhole();
        if (length > 0) {
            closeStream();
            target.truncate();
            length = 0;
        }
    }

    /** Sets the times; again when the file is closed without another write, which HDFS takes for a modification. */
    synchronized void setTimes(Times wanted) throws IOException {
        target.setTimes(wanted);
        times = out == null ? null : wanted;
    }

    /** Closes the file. A write after this opens it again. */
    synchronized void close() throws IOException {
        closeStream();
    }

    private void closeStream() throws IOException {
        FSDataOutputStream stream = out;
        out = null;
        dirty = false;
        if (stream != null) {
            stream.close();
            if (times != null) {
                target.setTimes(times);
                times = null;
            }
        }
    }

    private void requireWhole() throws IOException {
        if (broken != null) {
            throw new IOException("an earlier write of the file failed", broken);
        }
    }
}
