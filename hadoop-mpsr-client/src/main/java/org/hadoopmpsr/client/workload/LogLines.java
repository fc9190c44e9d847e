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
package org.hadoopmpsr.client.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Reads the lines of local files. */
final class LogLines {

    private LogLines() {}

    /**
     * Reads all lines, in the order of the files' names.
     *
     * @param paths files, or directories with files; those that end with {@code .gz} are unpacked
     * @throws IOException if a file is missing or cannot be read
     */
    static void each(List<String> paths, Consumer<String> reader) throws IOException {
        for (Path file : files(paths)) {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    reader.accept(line);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static List<Path> files(List<String> paths) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String path : paths) {
            Path named = Path.of(path);
            if (!Files.exists(named)) {
                throw new IOException(
                        "there is no local file '" + path + "'; fetch it first, for instance with" + " hdfs dfs -get");
            }
            try (Stream<Path> below = Files.walk(named)) {
                below.filter(Files::isRegularFile).sorted().forEach(files::add);
            }
        }
        return files;
    }
}
