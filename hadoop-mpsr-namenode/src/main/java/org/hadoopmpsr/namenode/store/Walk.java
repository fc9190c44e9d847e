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
package org.hadoopmpsr.namenode.store;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.LockHolds;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.hadoopmpsr.namenode.store.Namespace.FileVisitor;
import org.hadoopmpsr.namenode.store.Namespace.InodeVisitor;
import org.jspecify.annotations.Nullable;

/** A walk over the files below a directory, a number of entries at a time, however many one directory has. */
final class Walk {
    private final FSDirectory namespace;
    private final LockHolds holds;
    private final @Nullable FileVisitor files;
    private final @Nullable InodeVisitor all;
    private final INode root;
    private final Deque<Place> places = new ArrayDeque<>();

    /** @param after the name of the entry that was visited last, or null for none */
    private record Place(long directoryId, byte @Nullable [] after) {}

    /** With one of the visitors: of the files that a reader would read, or of everything and the root itself. */
    Walk(MpsrNamesystem system, INode root, @Nullable FileVisitor files, @Nullable InodeVisitor all) {
        this.namespace = system.directory();
        this.holds = system.holds();
        this.files = files;
        this.all = all;
        this.root = root;
        places.add(new Place(root.getId(), null));
    }

    boolean isAtEnd() {
        return places.isEmpty();
    }

    /**
     * Visits more entries. Needs the read lock.
     *
     * @return false if the visitor ends the walk
     */
    boolean step() throws IOException {
        int left = LockSteps.SIZE;
        while (left > 0 && !places.isEmpty()) {
            Place place = places.remove();
            INode directory = namespace.getInode(place.directoryId);
            left--;
            holds.look(1);
            if (all != null && directory == root && place.after == null && !all.visit(root)) {
                return false;
            }
            if (directory != null && directory.isDirectory()) {
                ReadOnlyList<INode> entries = directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
                int first = place.after == null ? 0 : firstAfter(entries, place.after);
                int end = Math.min(entries.size(), first + left);
                if (!visit(directory, entries, first, end)) {
                    return false;
                }
                left -= end - first;
                holds.look(end - first);
                if (end < entries.size()) {
                    byte[] last =
                            end == first ? place.after : entries.get(end - 1).getLocalNameBytes();
                    places.addFirst(new Place(place.directoryId, last));
                }
            }
        }
        return true;
    }

    private boolean visit(INode directory, ReadOnlyList<INode> entries, int first, int end) throws IOException {
        String path = files == null ? "" : directory.getFullPathName();
        for (int i = first; i < end; i++) {
            INode entry = entries.get(i);
            if (files != null && Namespace.isHidden(entry)) {
                continue;
            }
            if (entry.isDirectory()) {
                places.add(new Place(entry.getId(), null));
            }
            boolean goOn = files == null
                    ? all == null || all.visit(entry)
                    : !entry.isFile() || files.visit(path + "/" + entry.getLocalName(), entry.asFile());
            if (!goOn) {
                return false;
            }
        }
        return true;
    }

    /** The position of the first entry after a name. Directories keep their entries in the order of names. */
    static int firstAfter(ReadOnlyList<INode> entries, byte[] name) {
        int found = ReadOnlyList.Util.binarySearch(entries, name);
        return found < 0 ? -found - 1 : found + 1;
    }
}
