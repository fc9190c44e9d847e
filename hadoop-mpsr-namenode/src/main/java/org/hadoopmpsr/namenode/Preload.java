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

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.LeavingReplicas;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.slf4j.Logger;

/**
 * Loads MPSR's classes when the NameNode starts. Loaded where they are first used, many would be loaded under the
 * namesystem's lock: the first commit held it for a hundred milliseconds.
 */
final class Preload {
    private static final Logger LOG = PrintableLog.of(Preload.class);
    private static final String SUFFIX = ".class";
    private static final List<String> PACKAGES =
            List.of("org/hadoopmpsr/namenode/", "org/hadoopmpsr/core/", "org/hadoopmpsr/client/", "org/apache/hadoop/");
    /** Commands do not run in a NameNode. */
    private static final String COMMANDS = "org/hadoopmpsr/client/cli/";
    /** One of each of MPSR's jars in a NameNode. */
    private static final List<Class<?>> ANCHORS =
            List.of(Preload.class, MpsrConfig.class, PrintableLog.class, LeavingReplicas.class);

    private static final AtomicBoolean STARTED = new AtomicBoolean();

    private Preload() {}

    /** Loads them in a thread of its own, once in a process. Never fails. */
    static void start() {
        if (STARTED.compareAndSet(false, true)) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            LOG.debug("MPSR: loaded {} classes", load());
                        } catch (IOException | RuntimeException e) {
                            LOG.warn("MPSR cannot load its classes before they are used", e);
                        }
                    },
                    "mpsr-preload");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Loads them. Returns how many there are. */
    static int load() throws IOException {
        int loaded = 0;
        for (Class<?> anchor : ANCHORS) {
            for (String name : names(anchor)) {
                try {
                    Class.forName(name, true, Preload.class.getClassLoader());
                    loaded++;
                } catch (ClassNotFoundException | LinkageError e) {
                    LOG.debug("MPSR: {} is loaded when it is used", name, e);
                }
            }
        }
        return loaded;
    }

    /** The names of the classes that lie where a class lies: in a jar, or in a directory. */
    private static List<String> names(Class<?> anchor) throws IOException {
        Path place;
        try {
            URI location =
                    anchor.getProtectionDomain().getCodeSource().getLocation().toURI();
            place = Path.of(location);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
        List<String> files = new ArrayList<>();
        if (Files.isDirectory(place)) {
            try (Stream<Path> all = Files.walk(place)) {
                all.forEach(file -> files.add(place.relativize(file).toString().replace(File.separatorChar, '/')));
            }
        } else {
            try (JarFile jar = new JarFile(place.toFile())) {
                jar.stream().map(JarEntry::getName).forEach(files::add);
            }
        }
        return files.stream()
                .filter(file -> file.endsWith(SUFFIX)
                        && !file.startsWith(COMMANDS)
                        && PACKAGES.stream().anyMatch(file::startsWith))
                .map(file -> file.substring(0, file.length() - SUFFIX.length()).replace('/', '.'))
                .filter(name -> !name.endsWith("package-info"))
                .toList();
    }
}
