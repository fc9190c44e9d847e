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

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * Reads a file through one stream of Hadoop's client. Reads that follow each other take what a DataNode sends in one go; all others are
 * by position, several at a time. Thread-safe.
 */
final class FileReader implements Closeable {
    private final FSDataInputStream in;
    private final long length;

    FileReader(FSDataInputStream in, long statusLength) {
        this.in = in;
        this.length = in instanceof HdfsDataInputStream hdfs ? hdfs.getVisibleLength() : statusLength;
    }

    /** The bytes that can be read. More may come if the file is being written; another reader sees them. */
    long length() {
        return length;
    }

    /**
     * Reads until the buffer is full or the file ends.
     *
     * @param inSequence true for one of the reads that follow each other; they come one at a time
     */
    void read(long offset, ByteBuffer into, boolean inSequence) throws IOException {
        int wanted = (int) Math.min(into.remaining(), Math.max(0, length - offset));
        if (wanted == 0) {
            return;
        }
        int limit = into.limit();
        into.limit(into.position() + wanted);
        if (inSequence) {
            stream(offset, into);
        } else {
            in.readFully(offset, into);
        }
        into.limit(limit);
    }

    private void stream(long offset, ByteBuffer into) throws IOException {
        synchronized (in) {
            if (in.getPos() != offset) {
                in.seek(offset);
            }
            while (into.hasRemaining()) {
                if (in.read(into) < 0) {
                    throw new IOException("the file ends at " + in.getPos() + ", and had " + length + " bytes");
                }
            }
        }
    }

    /** Gives the connection to a DataNode up, which the next read in sequence opens anew. */
    void rest() {
        synchronized (in) {
            in.unbuffer();
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
