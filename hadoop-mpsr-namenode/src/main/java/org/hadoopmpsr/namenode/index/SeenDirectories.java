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
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a representation, and the comparison of their files with the index. If the modification time, the
 * number of entries and the place of a directory are unchanged, its entries are unchanged: HDFS changes the time with
 * every added or removed entry. Immutable.
 */
final class SeenDirectories {
    static final SeenDirectories NONE = new SeenDirectories(Map.of());
    /** The modification time of a directory that may change again in the same millisecond. */
    static final long UNSETTLED = -1;

    /** So many files that nobody has published are told. */
    static final int MOST_UNPUBLISHED = 10_000;

    private final Map<Long, Directory> byId;
    private final int files;
    private final long untracked;
    private final long restored;
    private final List<String> unpublished;
    private final @Nullable String problem;

    private SeenDirectories(Map<Long, Directory> byId) {
        this.byId = byId;
        files = byId.values().stream().mapToInt(d -> d.files).sum();
        untracked = byId.values().stream().mapToLong(d -> d.untracked).sum();
        restored = byId.values().stream().mapToLong(d -> d.restored).sum();
        unpublished = all(byId).limit(MOST_UNPUBLISHED + 1L).sorted().toList();
        problem = byId.values().stream()
                .map(d -> d.problem)
                .filter(p -> p != null)
                .findFirst()
                .orElse(null);
    }

    /**
     * A directory, and the comparison of the files directly in it.
     *
     * @param changed the inode ids of the published files that were changed
     * @param published what the index has of the directory; null for nothing
     * @param unpublished the names of the files that nobody has published: the arrays of the inodes, however many they are
     * @param problem another difference from the index, or null
     */
    record Directory(
            String parent,
            byte[] name,
            String path,
            @Nullable PartitionIndex published,
            long modificationTime,
            int entries,
            List<Long> directories,
            int files,
            long untracked,
            long restored,
            List<Long> changed,
            List<byte[]> unpublished,
            @Nullable String problem) {

        /** A file that is adopted where it lies changes the index, and not the directory. */
        boolean isStill(INodeDirectory directory, String parentNow, @Nullable PartitionIndex publishedNow) {
            return published == publishedNow
                    && modificationTime == directory.getModificationTime()
                    && entries == directory.getChildrenNum(Snapshot.CURRENT_STATE_ID)
                    && parent.equals(parentNow)
                    && Arrays.equals(name, directory.getLocalNameBytes());
        }
    }

    /**
     * A directory to visit.
     *
     * @param parent the path of its parent; empty for the root
     * @param begun the visit of a part of its entries, or null
     */
    private record Visit(long id, String parent, @Nullable DirectoryLook begun) {}

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

    /** True if the directory is there. */
    boolean holds(long directoryId) {
        return byId.containsKey(directoryId);
    }

    /** The inode ids of the published files that were changed, or lie elsewhere together with their directory. */
    List<Long> changed() {
        return byId.values().stream().flatMap(d -> d.changed.stream()).toList();
    }

    /**
     * The paths of the files that came without a commit and without the statistics of one, sorted. If they are more than
     * {@value #MOST_UNPUBLISHED}, one more than so many of them.
     */
    List<String> unpublished() {
        return unpublished;
    }

    /** As {@link #unpublished}, however many they are, in any order. */
    Stream<String> allUnpublished() {
        return all(byId);
    }

    private static Stream<String> all(Map<Long, Directory> byId) {
        return byId.values().stream()
                .flatMap(d -> d.unpublished.stream().map(name -> d.path + "/" + DFSUtil.bytes2String(name)));
    }

    /** What is wrong with a representation that has a file which no commit brought. */
    static String withoutCommit(String path) {
        return "diverged: " + path + " came without a commit";
    }

    /** A difference from the index other than {@link #unpublished} files, or null. */
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
            visits.add(new Visit(start.getId(), root.substring(0, root.lastIndexOf('/')), null));
        }
        while (!visits.isEmpty()) {
            system.read(() -> {
                for (int left = LockSteps.SIZE; left > 0 && !visits.isEmpty(); ) {
                    left -= look(system, visits.remove(), index, found, visits, left);
                }
                return true;
            });
        }
        return found.equals(byId) ? this : new SeenDirectories(found);
    }

    /** @return the number of entries that were looked at, at least 1 */
    private int look(
            MpsrNamesystem system,
            Visit next,
            GroupIndex index,
            Map<Long, Directory> found,
            Deque<Visit> visits,
            int most) {
        INode inode = system.directory().getInode(next.id);
        if (inode == null || !inode.isDirectory()) {
            return 1;
        }
        INodeDirectory directory = inode.asDirectory();
        Directory known = byId.get(next.id);
        if (next.begun == null && known != null && known.isStill(directory, next.parent, index.partition(next.id))) {
            found(next.id, known, found, visits);
            return 1;
        }
        DirectoryLook look = next.begun == null ? new DirectoryLook(directory, next.parent, index) : next.begun;
        int seen = look.more(directory, most);
        if (look.isDone()) {
            found(next.id, look.result(directory), found, visits);
        } else {
            visits.addFirst(new Visit(next.id, next.parent, look));
        }
        return 1 + seen;
    }

    private static void found(long id, Directory directory, Map<Long, Directory> found, Deque<Visit> visits) {
        found.put(id, directory);
        directory.directories.forEach(child -> visits.add(new Visit(child, directory.path, null)));
    }
}
