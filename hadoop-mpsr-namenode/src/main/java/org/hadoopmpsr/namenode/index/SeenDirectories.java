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
package org.hadoopmpsr.namenode.index;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a representation, and the comparison of their files with the index. If the modification time, the
 * number of entries and the place of a directory are unchanged, its entries are unchanged: HDFS changes the time with
 * every added or removed entry. Immutable.
 */
final class SeenDirectories {
    static final SeenDirectories NONE = new SeenDirectories(Map.of());
    /** The modification time of a directory that may change again in the same millisecond. */
    private static final long UNSETTLED = -1;

    private final Map<Long, Directory> byId;
    private final int files;
    private final long untracked;
    private final long restored;
    private final @Nullable String problem;

    private SeenDirectories(Map<Long, Directory> byId) {
        this.byId = byId;
        files = byId.values().stream().mapToInt(d -> d.files).sum();
        untracked = byId.values().stream().mapToLong(d -> d.untracked).sum();
        restored = byId.values().stream().mapToLong(d -> d.restored).sum();
        problem = byId.values().stream()
                .map(d -> d.problem)
                .filter(p -> p != null)
                .findFirst()
                .orElse(null);
    }

    /** A directory, and the comparison of the files directly in it. */
    private record Directory(
            String parent,
            byte[] name,
            String path,
            long modificationTime,
            int entries,
            List<Long> directories,
            int files,
            long untracked,
            long restored,
            @Nullable String problem) {

        boolean isStill(INodeDirectory directory, String parentNow) {
            return modificationTime == directory.getModificationTime()
                    && entries == directory.getChildrenNum(Snapshot.CURRENT_STATE_ID)
                    && parent.equals(parentNow)
                    && Arrays.equals(name, directory.getLocalNameBytes());
        }
    }

    /** A directory to visit, and the path of its parent; empty for the root. */
    private record Visit(long id, String parent) {}

    /** The number of files. */
    int files() {
        return files;
    }

    /** The number of files without a commit. */
    long untracked() {
        return untracked;
    }

    /** Of the files that came without a commit those that have the statistics of one, as when they were put back. */
    long restored() {
        return restored;
    }

    /** The number of files of one directory that were published there. */
    int trackedFiles(long directoryId) {
        Directory directory = byId.get(directoryId);
        return directory == null ? 0 : Math.toIntExact(directory.files - directory.untracked);
    }

    /** A difference from the index, or null. */
    @Nullable
    String problem() {
        return problem;
    }

    /**
     * Visits the directories again, about a thousand entries per hold of the read lock. A concurrent change may be
     * missed; the next visit then sees it.
     */
    SeenDirectories look(MpsrNamesystem system, Namespace namespace, String root, GroupIndex index) throws IOException {
        Map<Long, Directory> found = new HashMap<>();
        Deque<Visit> visits = new ArrayDeque<>();
        INode start = system.read(() -> namespace.find(root));
        if (start != null && start.isDirectory()) {
            visits.add(new Visit(start.getId(), root.substring(0, root.lastIndexOf('/'))));
        }
        while (!visits.isEmpty()) {
            system.read(() -> {
                for (int seen = 0; seen < LockSteps.SIZE && !visits.isEmpty(); ) {
                    seen += look(system, visits.remove(), index, found, visits);
                }
                return true;
            });
        }
        return found.equals(byId) ? this : new SeenDirectories(found);
    }

    private int look(
            MpsrNamesystem system, Visit next, GroupIndex index, Map<Long, Directory> found, Deque<Visit> visits) {
        INode inode = system.directory().getInode(next.id);
        if (inode == null || !inode.isDirectory()) {
            return 1;
        }
        INodeDirectory directory = inode.asDirectory();
        Directory known = byId.get(next.id);
        boolean same = known != null && known.isStill(directory, next.parent);
        Directory now = known != null && same ? known : compare(directory, next.parent, index);
        found.put(next.id, now);
        now.directories.forEach(id -> visits.add(new Visit(id, now.path)));
        return same ? 1 : 1 + now.entries;
    }

    private static Directory compare(INodeDirectory directory, String parent, GroupIndex index) {
        String path = parent + "/" + directory.getLocalName();
        List<Long> directories = new ArrayList<>();
        int files = 0;
        long untracked = 0;
        long restored = 0;
        String problem = null;
        PartitionIndex published = index.partition(directory.getId());
        for (INode child : Namespace.children(directory)) {
            if (PathNames.isHidden(child.getLocalName())) {
                continue;
            }
            if (child.isDirectory()) {
                directories.add(child.getId());
            } else if (child.isFile()) {
                files++;
                boolean tracked = published != null && published.holds(child.getId());
                boolean inPlace = published != null && published.directory().equals(path);
                untracked += tracked ? 0 : 1;
                restored += !tracked && StoredStatistics.isUnchanged(child.asFile()) ? 1 : 0;
                problem = problem == null ? problem(path, child.asFile(), tracked, inPlace) : problem;
            }
        }
        // by the clock of HDFS, which sets the time of directories
        boolean settled = problem == null && directory.getModificationTime() < Time.now();
        return new Directory(
                parent,
                directory.getLocalNameBytes(),
                path,
                settled ? directory.getModificationTime() : UNSETTLED,
                directory.getChildrenNum(Snapshot.CURRENT_STATE_ID),
                directories,
                files,
                untracked,
                restored,
                problem);
    }

    private static @Nullable String problem(String directory, INodeFile file, boolean tracked, boolean inPlace) {
        if (tracked && inPlace && StoredStatistics.isUnchanged(file)) {
            return null;
        }
        String version = tracked ? null : StoredStatistics.unknownVersion(file);
        String untracked = version == null ? " came without a commit" : ": " + version;
        return "diverged: " + directory + "/" + file.getLocalName()
                + (tracked ? " was changed after it was published" : untracked);
    }
}
