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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Looks up each class, method and field that a jar's classes of a package use in the jar, in other jars and in the JDK, as the JVM
 * does when it links them.
 */
public final class Linkage {
    private Linkage() {}

    /**
     * The arguments are the jar, the beginning of its classes' names, and a class path; a directory stands for the jars in it.
     * Ends with 1 where something is missing, and tells what.
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println(
                    "usage: Linkage JAR PACKAGE CLASSPATH, such as: Linkage mpsr.jar org.hadoopmpsr. /opt/spark/jars");
            System.exit(2);
        }
        Path jar = Path.of(args[0]);
        List<String> problems = problems(jar, args[1], jars(args[2]));
        problems.forEach(System.out::println);
        System.out.println(jar.getFileName() + ": " + (problems.isEmpty() ? "links" : problems.size() + " problems"));
        if (!problems.isEmpty()) {
            System.exit(1);
        }
    }

    /** What is missing, each thing once with one of the classes that use it. */
    static List<String> problems(Path jar, String prefix, List<Path> others) throws IOException {
        List<Path> all = new ArrayList<>(List.of(jar));
        all.addAll(others);
        TreeMap<String, String> users = new TreeMap<>();
        try (ClassFiles files = new ClassFiles(all)) {
            List<String> names = files.namesIn(jar, prefix.replace('.', '/'));
            if (names.isEmpty()) {
                throw new IOException(jar + " has no class whose name begins with " + prefix);
            }
            References references = new References(files);
            for (String name : names) {
                references.missing(name).forEach(missing -> users.putIfAbsent(missing, name));
            }
        }
        return users.entrySet().stream()
                .map(e -> e.getKey() + " (used by " + e.getValue().replace('/', '.') + ")")
                .toList();
    }

    private static List<Path> jars(String classPath) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path path :
                Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList()) {
            if (Files.isDirectory(path)) {
                try (Stream<Path> in = Files.list(path)) {
                    in.filter(p -> p.toString().endsWith(".jar")).sorted().forEach(jars::add);
                }
            } else if (path.toString().endsWith(".jar")) {
                jars.add(path);
            }
        }
        return jars;
    }
}
