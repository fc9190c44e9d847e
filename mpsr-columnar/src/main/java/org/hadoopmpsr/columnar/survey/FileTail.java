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
package org.hadoopmpsr.columnar.survey;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/**
 * The end of a Parquet file, with its footer: what tells the schema and the number of records. It is read at once, mostly, while
 * Parquet's reader goes back and forth. Immutable.
 */
public final class FileTail implements InputFile {
    /** Longer than most footers. */
    private static final int ENOUGH = 64 << 10;

    /** The length of the footer, and the four letters of the format. */
    private static final int END = 8;

    private final long length;
    private final byte[] tail;

    private FileTail(long length, byte[] tail) {
        this.length = length;
        this.tail = tail;
    }

    /** Reads bytes at a place of a file. */
    public interface Bytes {
        void readFully(long position, byte[] into) throws IOException;
    }

    /**
     * Reads the end of a file.
     *
     * @param length of the file
     */
    public static FileTail read(long length, Bytes file) throws IOException {
        byte[] tail = new byte[(int) Math.min(length, ENOUGH)];
        file.readFully(length - tail.length, tail);
        if (tail.length >= END) {
            long footer = Integer.toUnsignedLong(
                    ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt(tail.length - END));
            long needed = footer + END;
            // what claims to be longer than the file is for Parquet to refuse
            if (needed > tail.length && needed <= length && needed <= Integer.MAX_VALUE - END) {
                tail = new byte[(int) needed];
                file.readFully(length - needed, tail);
            }
        }
        return new FileTail(length, tail);
    }

    @Override
    public long getLength() {
        return length;
    }

    @Override
    public SeekableInputStream newStream() {
        return new Stream(new Memory(tail), length - tail.length);
    }

    private static final class Memory extends ByteArrayInputStream {
        Memory(byte[] bytes) {
            super(bytes);
        }

        int position() {
            return pos;
        }

        void seek(int position) {
            pos = position;
        }
    }

    private static final class Stream extends DelegatingSeekableInputStream {
        private final Memory memory;
        private final long first;

        Stream(Memory memory, long first) {
            super(memory);
            this.memory = memory;
            this.first = first;
        }

        @Override
        public long getPos() {
            return first + memory.position();
        }

        @Override
        public void seek(long position) throws IOException {
            if (position < first) {
                throw new EOFException("the byte at " + position + " is not in the end of the file that was read");
            }
            memory.seek((int) Math.min(Integer.MAX_VALUE, position - first));
        }
    }
}
