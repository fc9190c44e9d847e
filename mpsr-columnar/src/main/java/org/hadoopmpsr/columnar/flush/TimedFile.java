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
package org.hadoopmpsr.columnar.flush;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** Measures how long the writer of a file is in calls of the file system: it creates, writes and closes. For one thread. */
final class TimedFile implements OutputFile {
    private final OutputFile file;
    private final LongSupplier clockNs;
    private long waitedNs;

    TimedFile(OutputFile file, LongSupplier clockNs) {
        this.file = file;
        this.clockNs = clockNs;
    }

    /** The time in these calls so far. */
    long waitedNs() {
        return waitedNs;
    }

    private interface Call {
        void run() throws IOException;
    }

    private interface Create {
        PositionOutputStream run() throws IOException;
    }

    private void timed(Call call) throws IOException {
        long start = clockNs.getAsLong();
        try {
            call.run();
        } finally {
            waitedNs += clockNs.getAsLong() - start;
        }
    }

    private PositionOutputStream created(Create create) throws IOException {
        long start = clockNs.getAsLong();
        try {
            return new Stream(create.run());
        } finally {
            waitedNs += clockNs.getAsLong() - start;
        }
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) throws IOException {
        return created(() -> file.create(blockSizeHint));
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
        return created(() -> file.createOrOverwrite(blockSizeHint));
    }

    @Override
    public boolean supportsBlockSize() {
        return file.supportsBlockSize();
    }

    @Override
    public long defaultBlockSize() {
        return file.defaultBlockSize();
    }

    @Override
    public String getPath() {
        return file.getPath();
    }

    private final class Stream extends PositionOutputStream {
        private final PositionOutputStream out;

        Stream(PositionOutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            timed(() -> out.write(b));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            timed(() -> out.write(bytes, offset, length));
        }

        @Override
        public void flush() throws IOException {
            timed(out::flush);
        }

        @Override
        public void close() throws IOException {
            timed(out::close);
        }
    }
}
