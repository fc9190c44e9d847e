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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.stats.FileTotals;

/** What a job reads, sorted by file system and directory. */
final class Inputs {

    private Inputs() {}

    /** The parts of each HDFS, by its URI; those of other file systems are left out. */
    static Map<URI, List<FilePart>> byFileSystem(List<FilePart> parts) {
        Map<URI, List<FilePart>> found = new LinkedHashMap<>();
        for (FilePart part : parts) {
            URI uri = part.file().toUri();
            if ("hdfs".equals(uri.getScheme()) && uri.getAuthority() != null) {
                URI fs = URI.create("hdfs://" + uri.getAuthority());
                found.computeIfAbsent(fs, f -> new ArrayList<>()).add(part);
            }
        }
        return found;
    }

    /** The parts of files below a directory. */
    static List<FilePart> below(String directory, List<FilePart> parts) {
        return parts.stream()
                .filter(p -> p.file().toUri().getPath().startsWith(directory + "/"))
                .toList();
    }

    static long files(List<FilePart> parts) {
        return parts.stream().map(FilePart::file).distinct().count();
    }

    static long bytes(List<FilePart> parts) {
        return parts.stream().mapToLong(FilePart::length).sum();
    }

    /** Of the files that the parts are of, each with as many bytes as its parts have. */
    static FileTotals totals(List<FilePart> parts) {
        Map<String, Long> lengths = new HashMap<>();
        parts.forEach(p -> lengths.merge(p.file().toUri().getPath(), p.length(), Long::sum));
        FileTotals totals = FileTotals.EMPTY;
        for (Map.Entry<String, Long> file : lengths.entrySet()) {
            totals = totals.plus(file.getKey(), file.getValue());
        }
        return totals;
    }

    /** Those of the default representation's parts that are in planned files. */
    static List<FilePart> planned(ReadPlan plan, List<FilePart> parts) {
        Set<String> files = new HashSet<>();
        plan.files().forEach(f -> files.add(f.path()));
        return parts.stream()
                .filter(p -> files.contains(p.file().toUri().getPath()))
                .toList();
    }

    /** The planned files' parts, each of about a split's size. */
    static List<FilePart> parts(ReadPlan plan, URI fs, SplitSize size) {
        List<FilePart> parts = new ArrayList<>();
        for (ReadPlan.PlannedFile file : plan.files()) {
            Path path = new Path(fs.getScheme(), fs.getAuthority(), file.path());
            parts.addAll(size.parts(path, file));
        }
        return parts;
    }
}
