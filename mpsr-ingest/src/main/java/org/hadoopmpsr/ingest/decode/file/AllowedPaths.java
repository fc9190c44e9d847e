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
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.core.text.PrintableText;

/**
 * The directories of a worker that connectors may name files in. Whoever may configure a connector acts with the rights
 * of the worker's user, so the worker's operator says where these files lie; without that they lie nowhere.
 */
public final class AllowedPaths {
    /** The system property of the worker: absolute paths of directories, separated by commas. */
    public static final String PROPERTY = "mpsr.allowed.paths";

    private final List<Path> directories;

    /** @throws IllegalArgumentException if a directory's path is relative, or is no path */
    AllowedPaths(String directories) {
        this.directories = Arrays.stream(directories.split(","))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(AllowedPaths::directory)
                .toList();
    }

    /** What the operator of this worker allows. */
    public static AllowedPaths ofWorker() {
        return new AllowedPaths(System.getProperty(PROPERTY, ""));
    }

    private static Path directory(String text) {
        Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException(
                    "the system property " + PROPERTY + " of this worker names '" + text + "', which is not absolute");
        }
        return path.normalize();
    }

    /**
     * What forbids to read a file or directory; empty if nothing does. Of a path outside nothing is told, not even
     * whether something is there. A path inside need not exist. Links count as what they lead to.
     */
    public Optional<String> problem(String text) {
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException e) {
            return Optional.of("that is no path: " + PrintableText.of(e.getReason()));
        }
        if (!path.isAbsolute()) {
            return Optional.of("it is not an absolute path");
        }
        Path plain = path.normalize();
        if (directories.stream().noneMatch(plain::startsWith)) {
            return Optional.of(
                    directories.isEmpty()
                            ? "this worker lets connectors read no files; its operator sets the directories with the system"
                                    + " property " + PROPERTY + ", such as KAFKA_OPTS=-D" + PROPERTY
                                    + "=/etc/kafka/mpsr,/etc/hadoop/conf"
                            : "it is not below a directory that the system property " + PROPERTY
                                    + " of this worker names");
        }
        try {
            return leadsOut(plain)
                    ? Optional.of("it is a link that leads out of the directories that the system property " + PROPERTY
                            + " of this worker names")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of("its directory cannot be read: " + e.getClass().getSimpleName());
        }
    }

    private boolean leadsOut(Path path) throws IOException {
        if (!Files.exists(path)) {
            return false;
        }
        Path real = path.toRealPath();
        for (Path directory : directories) {
            if (Files.exists(directory) && real.startsWith(directory.toRealPath())) {
                return false;
            }
        }
        return true;
    }
}
