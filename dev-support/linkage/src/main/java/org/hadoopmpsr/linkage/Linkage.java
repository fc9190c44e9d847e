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
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Looks up each class, method and field that a jar's classes of a package use in the jar, in other jars and in the JDK, as the JVM
 * does when it links them.
 */
public final class Linkage {
    private Linkage() {}

    /**
     * The arguments are the jar, the beginning of its classes' names, a class path in which a directory stands for the jars in it,
     * and the release of Java; without it the classes of the JDK are those of the one that runs this. Ends with 1 where something
     * is missing, and tells what.
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3 && args.length != 4) {
            System.err.println(
                    "usage: Linkage JAR PACKAGE CLASSPATH [JAVA], such as: Linkage mpsr.jar org.hadoopmpsr. /opt/spark/jars 11");
            System.exit(2);
        }
        Path jar = Path.of(args[0]);
        List<String> problems;
        try (Jdk jdk = args.length == 4 ? Jdk.of(Integer.parseInt(args[3])) : Jdk.RUNNING) {
            String prefix = args[1].replace('.', '/');
            problems = problems(jar, name -> name.startsWith(prefix), jars(args[2]), jdk);
        }
        problems.forEach(System.out::println);
        System.out.println(jar.getFileName() + ": " + (problems.isEmpty() ? "links" : problems.size() + " problems"));
        if (!problems.isEmpty()) {
            System.exit(1);
        }
    }

    /**
     * What is missing on this JDK with these jars, each thing once with one of the users of it. Of the jar the classes with these
     * names are looked at, of which there is one at least; a name has slashes.
     */
    public static List<String> problems(Path jar, Predicate<String> which, List<Path> others, Jdk jdk)
            throws IOException {
        List<Path> all = new ArrayList<>(List.of(jar));
        all.addAll(others);
        TreeMap<String, String> users = new TreeMap<>();
        try (ClassFiles files = new ClassFiles(all, jdk)) {
            List<String> names = files.namesIn(jar, which);
            if (names.isEmpty()) {
                throw new IOException(jar + " has none of the classes to look at");
            }
            References references = new References(files);
            for (String name : names) {
                references.missing(name).forEach(users::putIfAbsent);
            }
        }
        return users.entrySet().stream()
                .map(e -> e.getKey() + " (used by " + e.getValue() + ")")
                .toList();
    }

    /** The jars of a class path, of which a directory stands for the jars in it. */
    public static List<Path> jars(String classPath) throws IOException {
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
