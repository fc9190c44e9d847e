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
package org.hadoopmpsr.client.cli.catalog;

import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.hadoopmpsr.client.catalog.Gateway;
import org.jspecify.annotations.Nullable;

/** Finds the gateway among jars that are on no class path: they bring newer versions of what Hadoop has. */
final class GatewayJars {
    /** What the gateway and this process have in common. */
    private static final List<String> SHARED = List.of(
            "org.hadoopmpsr.client.",
            "org.hadoopmpsr.core.",
            "org.apache.hadoop.",
            "org.slf4j.",
            "org.eclipse.jetty.",
            "javax.servlet.");

    private GatewayJars() {}

    /**
     * The directory of the jars.
     *
     * @param given by the user; null for the default
     * @param home the directory of the distribution, null if it is unknown
     * @throws IOException if there are no jars
     */
    static Path directory(@Nullable Path given, @Nullable String home) throws IOException {
        Path directory = given != null ? given : Path.of(home == null ? "" : home, "share", "catalog");
        if (!Files.isDirectory(directory)) {
            throw new IOException("there are no jars of the gateway in " + directory.toAbsolutePath()
                    + "; unpack the tarball mpsr-catalog over that of the commands, or name the directory with --jars");
        }
        return directory;
    }

    /** The gateway of the jars, with a class loader of its own. */
    static Gateway load(Path directory) throws IOException {
        List<String> system =
                new java.util.ArrayList<>(Arrays.asList(ApplicationClassLoader.SYSTEM_CLASSES_DEFAULT.split(",")));
        system.addAll(SHARED);
        ClassLoader loader;
        try {
            loader = new ApplicationClassLoader(directory + "/*", GatewayJars.class.getClassLoader(), system);
        } catch (MalformedURLException e) {
            throw new IOException("the directory " + directory + " cannot be a class path", e);
        }
        Thread.currentThread().setContextClassLoader(loader);
        return ServiceLoader.load(Gateway.class, loader)
                .findFirst()
                .orElseThrow(() -> new IOException("there is no jar of the gateway in " + directory));
    }
}
