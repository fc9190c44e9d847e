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

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The public classes of an older JDK, as the JDK that runs this describes them for its compiler (--release): with what programs may
 * use, and without code. Internal classes, which libraries use all the same, are described nowhere: they are those of the JDK that
 * runs this.
 */
final class OlderJdk implements Jdk {
    private static final String SUFFIX = ".sig";
    private static final List<String> INTERNAL = List.of("sun/", "com/sun/", "jdk/internal/");

    private final int release;
    private final ZipFile descriptions;
    private final Map<String, ZipEntry> classes = new HashMap<>();

    OlderJdk(int release) throws IOException {
        this.release = release;
        Path file = Path.of(System.getProperty("java.home"), "lib", "ct.sym");
        if (!Files.isRegularFile(file)) {
            throw new IOException("this Java cannot compile for older ones, because it has no file " + file
                    + ": run the build with a JDK");
        }
        descriptions = new ZipFile(file.toFile());
        // An entry is <releases>/<module>/<class>.sig, and a release is one character: 9 is 9, 11 is B
        String letter = Character.toString(Character.forDigit(release, Character.MAX_RADIX))
                .toUpperCase(Locale.ROOT);
        for (Enumeration<? extends ZipEntry> all = descriptions.entries(); all.hasMoreElements(); ) {
            ZipEntry entry = all.nextElement();
            String[] parts = entry.getName().split("/", 3);
            if (parts.length == 3 && parts[0].contains(letter) && parts[2].endsWith(SUFFIX)) {
                classes.put(parts[2].substring(0, parts[2].length() - SUFFIX.length()), entry);
            }
        }
        if (!classes.containsKey("java/lang/Object")) {
            descriptions.close();
            throw new IOException(file + " does not describe Java " + release);
        }
    }

    @Override
    public Runtime.Version version() {
        return Runtime.Version.parse(Integer.toString(release));
    }

    @Override
    public @Nullable InputStream open(String name) throws IOException {
        ZipEntry entry = classes.get(name);
        if (entry == null) {
            return INTERNAL.stream().anyMatch(name::startsWith) ? RUNNING.open(name) : null;
        }
        return descriptions.getInputStream(entry);
    }

    @Override
    public void close() throws IOException {
        descriptions.close();
    }
}
