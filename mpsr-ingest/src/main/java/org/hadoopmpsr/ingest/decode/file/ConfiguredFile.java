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
package org.hadoopmpsr.ingest.decode.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hadoopmpsr.core.text.PrintableText;

/**
 * Files that the connector's configuration names. Whoever may configure a connector may name any file of the worker, so
 * only regular files of moderate size in {@link AllowedPaths} are read, and no message tells what is in them.
 */
public final class ConfiguredFile {
    private static final int MAX_BYTES = 16 << 20;

    private ConfiguredFile() {}

    /**
     * The file's bytes.
     *
     * @param what what the file holds, for messages, such as {@code the Avro schema}
     * @throws IllegalArgumentException naming the file and what is wrong with it
     */
    public static byte[] read(String what, String file) {
        try {
            Optional<String> forbidden = AllowedPaths.ofWorker().problem(file);
            if (forbidden.isPresent()) {
                throw unreadable(what, file, forbidden.get());
            }
            Path path = Path.of(file);
            if (!Files.exists(path)) {
                throw unreadable(what, file, "there is no such file on this worker; each worker needs it");
            }
            if (!Files.isRegularFile(path)) {
                throw unreadable(what, file, "it is not a regular file");
            }
            try (InputStream in = Files.newInputStream(path)) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw unreadable(what, file, "it has more than " + MAX_BYTES + " bytes");
                }
                return bytes;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(problem(what, file, e.toString()), e);
        }
    }

    /** The file cannot be used. */
    public static IllegalArgumentException unreadable(String what, String file, String reason) {
        return new IllegalArgumentException(problem(what, file, reason));
    }

    private static String problem(String what, String file, String reason) {
        return "cannot read " + what + " '" + PrintableText.of(file) + "': " + PrintableText.of(reason);
    }
}
