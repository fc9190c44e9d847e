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

import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.stats.FileTotals;

/** Parts of files that a job reads, in the order of its splits. */
record FileParts(List<FilePart> list) {
    private static final int SOME = 10;

    FileParts {
        list = List.copyOf(list);
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    /** The parts of each HDFS, by the URI of the file system; parts of other file systems are left out. */
    Map<URI, FileParts> byFileSystem() {
        Map<URI, List<FilePart>> found = new LinkedHashMap<>();
        for (FilePart part : list) {
            URI uri = part.file().toUri();
            if ("hdfs".equals(uri.getScheme()) && uri.getAuthority() != null) {
                URI fs = URI.create("hdfs://" + uri.getAuthority());
                found.computeIfAbsent(fs, f -> new ArrayList<>()).add(part);
            }
        }
        Map<URI, FileParts> parts = new LinkedHashMap<>();
        found.forEach((fs, its) -> parts.put(fs, new FileParts(its)));
        return parts;
    }

    /** Some files, first those that can be read as far as the NameNode knows: a lost file has no hosts. */
    List<Path> some() {
        return list.stream()
                .sorted(Comparator.comparing(part -> part.hosts().isEmpty()))
                .map(FilePart::file)
                .distinct()
                .limit(SOME)
                .toList();
    }

    /** The parts of files below a directory. */
    FileParts below(String directory) {
        return where(p -> p.file().toUri().getPath().startsWith(directory + "/"));
    }

    private FileParts where(Predicate<FilePart> condition) {
        return new FileParts(list.stream().filter(condition).toList());
    }

    /** The number of files. */
    long files() {
        return list.stream().map(FilePart::file).distinct().count();
    }

    long bytes() {
        return list.stream().mapToLong(FilePart::length).sum();
    }

    /** The totals of the files, each with as many bytes as the parts of the file have. */
    FileTotals totals() {
        Map<String, Long> lengths = new HashMap<>();
        list.forEach(p -> lengths.merge(p.file().toUri().getPath(), p.length(), Long::sum));
        FileTotals totals = FileTotals.EMPTY;
        for (Map.Entry<String, Long> file : lengths.entrySet()) {
            totals = totals.plus(file.getKey(), file.getValue());
        }
        return totals;
    }

    /** The parts that are in planned files. */
    FileParts in(ReadPlan plan) {
        Set<String> files = new HashSet<>();
        plan.files().forEach(f -> files.add(f.path()));
        return where(p -> files.contains(p.file().toUri().getPath()));
    }

    /** The planned files in parts, each of about the size of a split. */
    static FileParts of(ReadPlan plan, URI fs, SplitSize size) {
        List<FilePart> parts = new ArrayList<>();
        for (ReadPlan.PlannedFile file : plan.files()) {
            Path path = new Path(fs.getScheme(), fs.getAuthority(), file.path());
            parts.addAll(size.parts(path, file));
        }
        return new FileParts(parts);
    }
}
