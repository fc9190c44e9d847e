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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** A client that asks the NameNode for a file over and over, as others do while somebody does harm. */
final class FuzzReader implements AutoCloseable {
    private static final int MAX = 2_000_000;

    private final FileSystem fs;
    private final Path file;
    private final Thread thread;
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private final int[] micros = new int[MAX];
    private volatile int count;
    private volatile boolean ended;

    FuzzReader(FileSystem fs, String file) {
        this.fs = fs;
        this.file = new Path(file);
        this.thread = new Thread(this::read, "reader");
        thread.start();
    }

    private void read() {
        try {
            while (!ended && count < MAX) {
                long start = System.nanoTime();
                fs.getFileBlockLocations(fs.getFileStatus(file), 0, Long.MAX_VALUE);
                micros[count] = (int) Math.min(Integer.MAX_VALUE, (System.nanoTime() - start) / 1_000);
                count++; // written by this thread alone
            }
        } catch (IOException e) {
            failure.set(e);
        }
    }

    /** The number of reads so far. */
    int count() throws IOException {
        IOException e = failure.get();
        if (e != null) {
            throw e;
        }
        return count;
    }

    /** Some reads: from one number to another one, which is none of them. */
    record Span(int from, int to) {}

    /** The reads since there were so many. */
    Span since(int from) throws IOException {
        return new Span(from, count());
    }

    /** The time that so many of the reads from {@code from} to now took at most, in milliseconds. */
    double quantileMs(int from, double share) {
        return quantileMs(from, count, share);
    }

    /** The time that so many of some reads took at most, in milliseconds. */
    double quantileMs(int from, int to, double share) {
        return quantileMs(List.of(new Span(from, to)), share);
    }

    /** The time that so many of all these reads took at most, in milliseconds. */
    double quantileMs(List<Span> spans, double share) {
        int[] sorted = spans.stream()
                .flatMapToInt(span -> Arrays.stream(micros, span.from, span.to))
                .sorted()
                .toArray();
        return sorted.length == 0
                ? 0
                : sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))] / 1e3;
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
