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
package org.hadoopmpsr.core.compact;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one change does, file by file. Each directory of a partition is changed under one hold of the namesystem lock,
 * therefore its files are limited; a merge of too many files loses its last segments, which a later merge takes.
 *
 * @param segments the ids of the segments that are replaced, in the order of their sequences; fewer than two if the rules
 *     allow no merge
 * @param parts the work by partition, the largest first
 */
public record MergeWork(List<String> segments, List<MergePart> parts) {
    public MergeWork {
        segments = List.copyOf(segments);
        parts = List.copyOf(parts);
    }

    /** What lies in one directory. */
    private static final class Directory {
        private final List<SegmentFile> files = new ArrayList<>();
        private long bytes;

        private long newFiles(MergeRules rules, long addedBytes) {
            return Math.max(1, rules.filesOf(bytes + addedBytes));
        }
    }

    /** Where a file lies: directories of two groups differ. */
    private record Place(String group, String directory) {}

    /**
     * Divides a merge.
     *
     * @param segments the ids of the merge's segments, in the order of their sequences
     * @param files all files of these segments in all groups, in any order
     */
    public static MergeWork of(List<String> segments, List<SegmentFile> files, MergeRules rules) {
        Map<String, List<SegmentFile>> bySegment = new LinkedHashMap<>();
        segments.forEach(segment -> bySegment.put(segment, new ArrayList<>()));
        for (SegmentFile file : files) {
            List<SegmentFile> known = bySegment.get(file.segment());
            if (known == null) {
                throw new IllegalArgumentException("the file " + file.path() + " is of segment '" + file.segment()
                        + "', which is none of the segments to merge: " + segments);
            }
            known.add(file);
        }
        Map<Place, Directory> directories = new LinkedHashMap<>();
        List<String> taken = new ArrayList<>();
        for (String segment : segments) {
            if (!add(directories, bySegment.getOrDefault(segment, List.of()), rules)) {
                break;
            }
            taken.add(segment);
        }
        return new MergeWork(taken, parts(directories));
    }

    /** Adds the files of a segment to their directories, or none of them if the rules forbid that. */
    private static boolean add(Map<Place, Directory> directories, List<SegmentFile> files, MergeRules rules) {
        Map<Place, List<SegmentFile>> added = new LinkedHashMap<>();
        for (SegmentFile file : files) {
            added.computeIfAbsent(new Place(file.group(), file.directory()), p -> new ArrayList<>())
                    .add(file);
        }
        long newFiles = directories.values().stream()
                .mapToLong(d -> d.newFiles(rules, 0))
                .sum();
        long oldFiles =
                directories.values().stream().mapToLong(d -> d.files.size()).sum() + files.size();
        for (Map.Entry<Place, List<SegmentFile>> entry : added.entrySet()) {
            long bytes =
                    entry.getValue().stream().mapToLong(SegmentFile::length).sum();
            Directory known = directories.get(entry.getKey());
            Directory directory = known == null ? new Directory() : known;
            long after = directory.newFiles(rules, bytes);
            newFiles += after - (known == null ? 0 : known.newFiles(rules, 0));
            if (directory.files.size() + entry.getValue().size() + after > rules.maxDirectoryFiles()) {
                return false;
            }
        }
        if (newFiles > rules.maxNewFiles() || oldFiles > rules.maxOldFiles()) {
            return false;
        }
        added.forEach((place, of) -> {
            Directory directory = directories.computeIfAbsent(place, p -> new Directory());
            directory.files.addAll(of);
            of.forEach(file -> directory.bytes += file.length());
        });
        return true;
    }

    private static List<MergePart> parts(Map<Place, Directory> directories) {
        List<Map.Entry<Place, Directory>> largest = new ArrayList<>(directories.entrySet());
        largest.sort((a, b) -> Long.compare(b.getValue().bytes, a.getValue().bytes));
        List<MergePart> parts = new ArrayList<>();
        for (Map.Entry<Place, Directory> entry : largest) {
            parts.add(new MergePart(
                    parts.size(), entry.getKey().group(), entry.getKey().directory(), entry.getValue().files));
        }
        return parts;
    }

    /** Whether it leaves fewer files than it finds, as far as that is known before. */
    public boolean saves(MergeRules rules) {
        return segments.size() > 1
                && parts.stream().anyMatch(p -> p.files().size() > Math.max(1, rules.filesOf(p.bytes())));
    }

    /** The bytes that are read, in all groups. */
    public long bytes() {
        return parts.stream().mapToLong(MergePart::bytes).sum();
    }

    /** The files that are read and replaced, in all groups. */
    public long files() {
        return parts.stream().mapToLong(p -> p.files().size()).sum();
    }
}
