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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.index.SeenDirectories.Directory;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the entries directly in one directory with the index, a number of entries at a time, however many the
 * directory has. Needs the read lock. For one thread.
 */
final class DirectoryLook {
    private final String parent;
    private final String path;
    private final @Nullable PartitionIndex published;
    private final long modificationTime;
    private final int entries;

    private final List<Long> directories = new ArrayList<>();
    private final List<Long> changed = new ArrayList<>();
    private final List<byte[]> unpublished = new ArrayList<>();
    private byte @Nullable [] last;
    private boolean done;
    private int files;
    private long untracked;
    private long restored;
    private @Nullable String problem;

    DirectoryLook(INodeDirectory directory, String parent, GroupIndex index) {
        this.parent = parent;
        this.path = parent + "/" + directory.getLocalName();
        this.published = index.partition(directory.getId());
        this.modificationTime = directory.getModificationTime();
        this.entries = directory.getChildrenNum(Snapshot.CURRENT_STATE_ID);
    }

    /** True if all entries were looked at. */
    boolean isDone() {
        return done;
    }

    /**
     * Looks at more entries.
     *
     * @return the number of entries
     */
    int more(INodeDirectory directory, int most) {
        List<INode> some = Namespace.after(directory, last, most);
        for (INode entry : some) {
            last = entry.getLocalNameBytes();
            if (!PathNames.isHidden(entry.getLocalName())) {
                if (entry.isDirectory()) {
                    directories.add(entry.getId());
                } else if (entry.isFile()) {
                    add(entry.asFile());
                }
            }
        }
        done = some.size() < most;
        return some.size();
    }

    private void add(INodeFile file) {
        boolean tracked = published != null && published.holds(file.getId());
        boolean inPlace = published != null && published.directory().equals(path);
        boolean unchanged = StoredStatistics.isUnchanged(file);
        files++;
        untracked += tracked ? 0 : 1;
        restored += !tracked && unchanged ? 1 : 0;
        if (tracked && !(inPlace && unchanged)) {
            changed.add(file.getId());
        }
        String version = tracked ? null : StoredStatistics.unknownVersion(file);
        if (!tracked && !unchanged && version == null) {
            unpublished.add(file.getLocalNameBytes());
        } else if (problem == null && !(tracked && inPlace && unchanged)) {
            problem = problem(file, tracked, version);
        }
    }

    private String problem(INodeFile file, boolean tracked, @Nullable String version) {
        String name = path + "/" + file.getLocalName();
        String restoredFile =
                version == null ? SeenDirectories.withoutCommit(name) : "diverged: " + name + ": " + version;
        return tracked ? "diverged: " + name + " was changed after it was published" : restoredFile;
    }

    /** What was found, once all entries were looked at. A directory that may change unnoticed has no time. */
    Directory result(INodeDirectory directory) {
        int now = directory.getChildrenNum(Snapshot.CURRENT_STATE_ID);
        boolean settled = problem == null
                && modificationTime < Time.now() // by the clock of HDFS, which sets the time of directories
                && modificationTime == directory.getModificationTime()
                && entries == now;
        return new Directory(
                parent,
                directory.getLocalNameBytes(),
                path,
                published,
                settled ? modificationTime : SeenDirectories.UNSETTLED,
                now,
                directories,
                files,
                untracked,
                restored,
                changed,
                List.copyOf(unpublished),
                problem);
    }
}
