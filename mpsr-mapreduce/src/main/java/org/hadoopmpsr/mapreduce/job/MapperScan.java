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
package org.hadoopmpsr.mapreduce.job;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches the class file of a mapper, and of all classes that it inherits from or calls in turn, for names that show a job
 * which files the records come from. Classes that are reached by reflection are not found.
 */
final class MapperScan {
    private static final int MAX_CLASSES = 5000;

    /** The method of both APIs, and the keys in the configuration of a map. */
    private static final Set<String> SHOWS_FILES = Set.of(
            "getInputSplit",
            "mapreduce.map.input.file",
            "mapreduce.map.input.start",
            "mapreduce.map.input.length",
            "map.input.file",
            "map.input.start",
            "map.input.length");

    /** Libraries that do not ask for the split on behalf of a mapper. */
    private static final List<String> LEFT_OUT = List.of(
            "java/",
            "javax/",
            "jdk/",
            "sun/",
            "com/sun/",
            "org/apache/hadoop/",
            "org/apache/parquet/",
            "org/apache/avro/",
            "org/apache/commons/",
            "org/apache/log4j/",
            "org/apache/logging/",
            "org/slf4j/",
            "com/fasterxml/",
            "com/google/",
            "scala/",
            "kotlin/");

    private final ClassLoader loader;
    private final Set<String> seen = new HashSet<>();
    private final Deque<String> todo = new ArrayDeque<>();

    private MapperScan(ClassLoader loader) {
        this.loader = loader;
    }

    /** The first class that shows files or cannot be read, with the problem; empty where there is none. */
    static Optional<String> problem(Class<?> mapper) throws IOException {
        ClassLoader loader = mapper.getClassLoader();
        return new MapperScan(loader == null ? ClassLoader.getSystemClassLoader() : loader).scan(mapper);
    }

    private Optional<String> scan(Class<?> mapper) throws IOException {
        visit(mapper.getName().replace('.', '/'));
        while (!todo.isEmpty()) {
            String name = todo.pop();
            if (seen.size() > MAX_CLASSES) {
                return Optional.of("the mapper uses more than " + MAX_CLASSES + " classes");
            }
            try (InputStream in = loader.getResourceAsStream(name + ".class")) {
                String found = in == null ? "cannot be read" : scan(new DataInputStream(in));
                if (found != null) {
                    return Optional.of("the mapper may ask which file a record comes from: " + name.replace('/', '.')
                            + " " + found);
                }
            }
        }
        return Optional.empty();
    }

    private void visit(String name) {
        if (LEFT_OUT.stream().noneMatch(name::startsWith) && seen.add(name)) {
            todo.push(name);
        }
    }

    /** Reads a class file's beginning, as the specification of the Java virtual machine lays it out (chapter 4.1). */
    private @Nullable String scan(DataInputStream in) throws IOException {
        in.readInt();
        in.readInt();
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[] names = new int[count];
        Set<Integer> used = new HashSet<>();
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 7 -> names[i] = in.readUnsignedShort();
                case 5, 6 -> {
                    in.readLong();
                    i++; // takes two places
                }
                case 9, 10, 11 -> { // a field or a method of a class
                    used.add(in.readUnsignedShort());
                    in.readUnsignedShort();
                }
                case 3, 4, 12, 17, 18 -> in.readInt();
                case 8, 16, 19, 20 -> in.readUnsignedShort();
                case 15 -> {
                    in.readByte();
                    in.readUnsignedShort();
                }
                default -> {
                    return "has a constant of the unknown kind " + tag;
                }
            }
        }
        in.readInt(); // access, this class
        used.add(in.readUnsignedShort());
        for (int interfaces = in.readUnsignedShort(); interfaces > 0; interfaces--) {
            used.add(in.readUnsignedShort());
        }
        for (String text : texts) {
            if (text != null && SHOWS_FILES.contains(text)) {
                return "names " + text;
            }
        }
        for (int index : used) {
            if (texts[names[index]] != null) {
                element(texts[names[index]]).ifPresent(this::visit);
            }
        }
        return null;
    }

    /** The class that a class constant stands for; of an array the class of its elements, if they are objects. */
    private static Optional<String> element(String name) {
        if (!name.startsWith("[")) {
            return Optional.of(name);
        }
        int at = name.lastIndexOf('[') + 1;
        return name.charAt(at) == 'L' ? Optional.of(name.substring(at + 1, name.length() - 1)) : Optional.empty();
    }
}
