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
package org.hadoopmpsr.downgrade;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.hadoopmpsr.linkage.Jdk;
import org.hadoopmpsr.linkage.Linkage;

/** Makes a jar run on Java 11 and later that was compiled for Java 17. */
public final class Downgrade {
    static final int JAVA = 11;
    private static final String SUFFIX = ".class";
    private static final String FIX = "Fix: use what Java " + JAVA
            + " has. Methods that are replaced at no cost are in org.hadoopmpsr.downgrade.OlderCode (docs/adr/078-jars-run-on-java-11.md).";

    private Downgrade() {}

    /**
     * The arguments are the jar, and the class path that it was compiled with. Ends with 1 and leaves the jar as it is where it needs
     * what Java 11 does not have.
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: Downgrade JAR CLASSPATH, such as: Downgrade mpsr.jar lib");
            System.exit(2);
        }
        Path jar = Path.of(args[0]);
        List<String> problems = apply(jar, Linkage.jars(args[1]));
        if (!problems.isEmpty()) {
            System.out.println(jar.getFileName() + " needs what Java " + JAVA + " does not have:");
            problems.forEach(problem -> System.out.println("  " + problem));
            System.out.println(FIX);
            System.exit(1);
        }
    }

    /**
     * Changes the classes that are too new for Java 11, and tells what they miss there; then the jar stays as it is. A jar without
     * such classes stays, too.
     */
    static List<String> apply(Path jar, List<Path> classPath) throws IOException {
        Path older = jar.resolveSibling(jar.getFileName() + ".java" + JAVA);
        try (Jdk jdk = Jdk.of(JAVA)) {
            Set<String> changed = write(jar, older);
            if (changed.isEmpty()) {
                return List.of();
            }
            List<String> problems = Linkage.problems(older, changed::contains, classPath, jdk);
            if (problems.isEmpty()) {
                Files.move(older, jar, StandardCopyOption.REPLACE_EXISTING);
            }
            return problems;
        } finally {
            Files.deleteIfExists(older);
        }
    }

    /** The classes that differ in the new jar. */
    private static Set<String> write(Path jar, Path older) throws IOException {
        Set<String> changed = new HashSet<>();
        try (JarFile in = new JarFile(jar.toFile(), false);
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(older))) {
            for (ZipEntry entry : Collections.list(in.entries())) {
                String name = entry.getName();
                byte[] before;
                try (InputStream content = in.getInputStream(entry)) {
                    before = content.readAllBytes();
                }
                byte[] after = name.endsWith(SUFFIX) ? OlderClass.of(before) : before;
                if (after != before) {
                    changed.add(name.substring(0, name.length() - SUFFIX.length()));
                }
                ZipEntry copy = new ZipEntry(name);
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                out.write(after);
            }
        }
        return changed;
    }
}
