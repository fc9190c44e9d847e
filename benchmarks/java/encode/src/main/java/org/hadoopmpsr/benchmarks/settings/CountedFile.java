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
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/**
 * A local file that counts the bytes that are read of it, and how often a read does not go on where the one before ended. Parquet's own
 * local file reads byte by byte.
 */
final class CountedFile implements InputFile {
    private final Path path;
    private long bytes;
    private int jumps;
    private long end = -1;

    CountedFile(Path path) {
        this.path = path;
    }

    long bytes() {
        return bytes;
    }

    int jumps() {
        return jumps;
    }

    @Override
    public long getLength() throws IOException {
        return Files.size(path);
    }

    @Override
    public SeekableInputStream newStream() throws IOException {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
        return new DelegatingSeekableInputStream(new Counted(file)) {
            @Override
            public long getPos() throws IOException {
                return file.getFilePointer();
            }

            @Override
            public void seek(long to) throws IOException {
                file.seek(to);
            }
        };
    }

    private final class Counted extends InputStream {
        private final RandomAccessFile file;

        Counted(RandomAccessFile file) {
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            long at = file.getFilePointer();
            int value = file.read();
            count(at, value < 0 ? -1 : 1);
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            long at = file.getFilePointer();
            int read = file.read(into, offset, length);
            count(at, read);
            return read;
        }

        private void count(long at, int read) {
            if (read > 0) {
                jumps += at == end ? 0 : 1;
                bytes += read;
                end = at + read;
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
