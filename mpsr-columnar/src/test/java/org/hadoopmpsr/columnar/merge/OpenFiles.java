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
package org.hadoopmpsr.columnar.merge;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.SeekableInputStream;

/** Counts the files that are open. For one thread. */
final class OpenFiles {
    private int now;
    private int most;

    int now() {
        return now;
    }

    int most() {
        return most;
    }

    InputFile file(Path path) {
        InputFile file = new LocalInputFile(path);
        return new InputFile() {
            @Override
            public long getLength() throws IOException {
                return file.getLength();
            }

            @Override
            public SeekableInputStream newStream() throws IOException {
                return counted(file.newStream());
            }

            @Override
            public String toString() {
                return file.toString();
            }
        };
    }

    private SeekableInputStream counted(SeekableInputStream in) {
        most = Math.max(most, ++now);
        return new DelegatingSeekableInputStream(in) {
            private boolean open = true;

            @Override
            public long getPos() throws IOException {
                return in.getPos();
            }

            @Override
            public void seek(long position) throws IOException {
                in.seek(position);
            }

            @Override
            public void close() throws IOException {
                now -= open ? 1 : 0;
                open = false;
                in.close();
            }
        };
    }
}
