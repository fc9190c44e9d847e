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
package org.hadoopmpsr.benchmarks.settings;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.SeekableInputStream;

/** A local file that counts the bytes that are read of it, and how often a read does not go on where the one before ended. */
final class CountedFile implements InputFile {
    private final LocalInputFile file;
    private long bytes;
    private int jumps;
    private long end = -1;

    CountedFile(Path path) {
        file = new LocalInputFile(path);
    }

    long bytes() {
        return bytes;
    }

    int jumps() {
        return jumps;
    }

    @Override
    public long getLength() throws IOException {
        return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() throws IOException {
        SeekableInputStream in = file.newStream();
        return new DelegatingSeekableInputStream(new Counted(in)) {
            @Override
            public long getPos() throws IOException {
                return in.getPos();
            }

            @Override
            public void seek(long to) throws IOException {
                in.seek(to);
            }
        };
    }

    private final class Counted extends java.io.FilterInputStream {
        private final SeekableInputStream in;

        Counted(SeekableInputStream in) {
            super(in);
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            long at = in.getPos();
            int value = in.read();
            count(at, value < 0 ? -1 : 1);
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            long at = in.getPos();
            return count(at, in.read(into, offset, length));
        }

        private int count(long at, int read) {
            if (read > 0) {
                jumps += at == end ? 0 : 1;
                bytes += read;
                end = at + read;
            }
            return read;
        }
    }
}
