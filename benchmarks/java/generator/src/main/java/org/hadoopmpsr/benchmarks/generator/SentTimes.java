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
package org.hadoopmpsr.benchmarks.generator;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes down when every hundredth of the readings was sent: lines "number milliseconds", at once. For one thread. */
final class SentTimes implements AutoCloseable {
    private static final int EVERY = 100;

    private final BufferedWriter lines;

    SentTimes(Path file) throws IOException {
        lines = Files.newBufferedWriter(file);
    }

    /** Says that the reading with this number, from 0, is about to be sent. */
    void sending(long number) throws IOException {
        if (number % EVERY == 0) {
            lines.write(number + " " + System.currentTimeMillis() + "\n");
            lines.flush();
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
