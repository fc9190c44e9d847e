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
package org.hadoopmpsr.linkage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/** The classes of jars and of a JDK, by the names that class files have for them. For one thread. */
final class ClassFiles implements Closeable {
    private static final String SUFFIX = ".class";

    private final Jdk jdk;
    private final Map<Path, JarFile> jars = new HashMap<>();
    private final Map<String, JarFile> homes = new HashMap<>();
    private final Map<String, Optional<ClassNode>> found = new HashMap<>();

    /** Of two jars with a class, the first has it. */
    ClassFiles(List<Path> paths, Jdk jdk) throws IOException {
        this.jdk = jdk;
        for (Path path : paths) {
            JarFile jar = new JarFile(path.toFile(), false, JarFile.OPEN_READ, jdk.version());
            if (jars.putIfAbsent(path, jar) == null) {
                jar.versionedStream()
                        .map(ZipEntry::getName)
                        .filter(n -> n.endsWith(SUFFIX))
                        .forEach(n -> homes.putIfAbsent(n, jar));
            } else {
                jar.close();
            }
        }
    }

    List<String> namesIn(Path jar, Predicate<String> which) {
        return Objects.requireNonNull(jars.get(jar), jar::toString).stream()
                .map(ZipEntry::getName)
                .filter(n -> n.endsWith(SUFFIX))
                .map(n -> n.substring(0, n.length() - SUFFIX.length()))
                .filter(which)
                .sorted()
                .toList();
    }

    /** The class with what it declares, and the code of its methods. */
    Optional<ClassNode> find(String name) {
        return found.computeIfAbsent(name, this::read);
    }

    private Optional<ClassNode> read(String name) {
        String entry = name + SUFFIX;
        JarFile jar = homes.get(entry);
        try (InputStream in = jar != null ? jar.getInputStream(jar.getJarEntry(entry)) : jdk.open(name)) {
            if (in == null) {
                return Optional.empty();
            }
            ClassNode node = new ClassNode();
            new ClassReader(in).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return Optional.of(node);
        } catch (IOException e) {
            throw new UncheckedIOException("class " + name, e);
        }
    }

    @Override
    public void close() throws IOException {
        for (JarFile jar : jars.values()) {
            jar.close();
        }
    }
}
