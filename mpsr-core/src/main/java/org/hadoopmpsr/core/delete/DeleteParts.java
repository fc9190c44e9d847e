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
package org.hadoopmpsr.core.delete;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Divides the segments of a delete among changes that are not too large for the NameNode. */
public final class DeleteParts {
    /** About so many bytes of ids fit into the extended attributes of a change's directory. */
    private static final int MAX_ID_BYTES = 300_000;

    private final int maxNewFiles;
    private final int maxDirectoryFiles;

    /**
     * Makes it.
     *
     * @param maxNewFiles the most files that a change may write, in all groups together
     * @param maxDirectoryFiles the most files that a change may write and remove in one directory of the default group, which
     *     changes in one hold of the namesystem's lock
     */
    public DeleteParts(int maxNewFiles, int maxDirectoryFiles) {
        this.maxNewFiles = maxNewFiles;
        this.maxDirectoryFiles = maxDirectoryFiles;
    }

    /**
     * A segment of which records go.
     *
     * @param newFiles the files that are written of it, in all groups together
     * @param directories the files that are written and removed, by the directory of the default group
     */
    public record Work(String segment, int newFiles, Map<String, Integer> directories) {
        public Work {
            directories = Map.copyOf(directories);
        }
    }

    /**
     * The changes, each of segments that follow each other.
     *
     * @throws IllegalArgumentException if a segment alone is too large for a change, with a message for the user
     */
    public List<List<Work>> of(List<Work> segments) {
        List<List<Work>> changes = new ArrayList<>();
        Load load = new Load();
        List<Work> next = new ArrayList<>();
        for (Work work : segments) {
            if (!load.takes(work)) {
                if (next.isEmpty()) {
                    throw tooLarge(work);
                }
                changes.add(next);
                next = new ArrayList<>();
                load = new Load();
                if (!load.takes(work)) {
                    throw tooLarge(work);
                }
            }
            next.add(work);
        }
        if (!next.isEmpty()) {
            changes.add(next);
        }
        return changes;
    }

    private IllegalArgumentException tooLarge(Work work) {
        int most = work.directories().values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        return new IllegalArgumentException("segment " + work.segment() + " is too large for one change: it takes "
                + work.newFiles() + " new files, and " + most
                + " old and new files in one directory; a change may have "
                + maxNewFiles + " and " + maxDirectoryFiles
                + ": compact the dataset, or raise dfs.mpsr.commit.max.files");
    }

    /** What a change has already. */
    private final class Load {
        private int newFiles;
        private int idBytes;
        private final Map<String, Integer> directories = new HashMap<>();

        /** Adds a segment if there is room for it. */
        boolean takes(Work work) {
            int bytes = idBytes + work.segment().length() + 3; // with the frame of a field
            boolean fits = newFiles + work.newFiles() <= maxNewFiles
                    && bytes <= MAX_ID_BYTES
                    && work.directories().entrySet().stream()
                            .allMatch(d -> directories.getOrDefault(d.getKey(), 0) + d.getValue() <= maxDirectoryFiles);
            if (fits) {
                newFiles += work.newFiles();
                idBytes = bytes;
                work.directories().forEach((directory, files) -> directories.merge(directory, files, Integer::sum));
            }
            return fits;
        }
    }
}
