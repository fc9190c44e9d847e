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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.namenode.store.Attributes;
import org.hadoopmpsr.namenode.store.DropRecord;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredRecords;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The files that stay when a dataset is dropped: whether HDFS has made the copies of their blocks that the drop asked for.
 * Until then the other representations are the other copies. {@link #look} is for one thread; the rest is thread-safe.
 */
final class KeptFiles {
    /** Looking may take this part of the time. */
    private static final int SCAN_SHARE = 10;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final Map<String, Count> byStore = new ConcurrentHashMap<>();

    KeptFiles(MpsrNamesystem system, Namespace namespace) {
        this.system = system;
        this.namespace = namespace;
    }

    /** @param nextNs not before this it is looked again */
    private record Count(long lacking, long nextNs) {}

    /** How many files lacked copies when last looked at; 0 when it was not looked at yet. */
    long lacking(DropRecord dropped) {
        Count last = byStore.get(dropped.storeDir());
        return last == null ? 0 : last.lacking();
    }

    /**
     * Looks at the files that were there at the drop, wherever their directory is now, unless that was done a moment ago;
     * takes the attributes of MPSR off them. Files that came later do not count.
     *
     * @return true when all have their copies, or are deleted
     */
    boolean look(DropRecord dropped) throws IOException {
        Count last = byStore.get(dropped.storeDir());
        if (last != null && system.clock().monotonicNowNanos() - last.nextNs() < 0) {
            return false;
        }
        long start = system.clock().monotonicNowNanos();
        long lacking = count(dropped);
        long end = system.clock().monotonicNowNanos();
        byStore.put(dropped.storeDir(), new Count(lacking, end + SCAN_SHARE * (end - start)));
        return lacking == 0;
    }

    /** The dropped dataset's store is gone. */
    void forget(DropRecord dropped) {
        byStore.remove(dropped.storeDir());
    }

    private long count(DropRecord dropped) throws IOException {
        String root = system.read(() -> home(dropped.storeDir()));
        if (root == null) {
            return 0;
        }
        long[] lacking = new long[1];
        List<Long> marked = new ArrayList<>();
        namespace.walk(root, (path, file) -> {
            if (file.getModificationTime() <= dropped.timeMs() && !file.isUnderConstruction()) {
                lacking[0] += hasCopies(file) ? 0 : 1;
                if (StoredStatistics.isPublished(file)) {
                    marked.add(file.getId());
                }
            }
            return true;
        });
        unmark(marked);
        return lacking[0];
    }

    /** The path of the directory that was the dataset, or null when it is deleted. Needs the read lock. */
    private @Nullable String home(String storeDir) throws IOException {
        INode store = namespace.find(storeDir);
        byte[] home = store == null ? null : Attributes.get(store, Attributes.HOME);
        return home == null ? null : namespace.pathOf(StoredRecords.home(home, storeDir));
    }

    private boolean hasCopies(INodeFile file) {
        for (BlockInfo block : file.getBlocks()) {
            if (ReadableReplicas.lasting(system.blocks(), block).size() < file.getFileReplication()) {
                return false;
            }
        }
        return true;
    }

    private void unmark(List<Long> files) throws IOException {
        LockSteps.write(system, "mpsrUnmarkDropped", files, (edits, part) -> {
            for (long id : part) {
                INode file = system.directory().getInode(id);
                if (file != null && file.isFile() && StoredStatistics.isPublished(file.asFile())) {
                    edits.removeXAttr(file.getFullPathName(), Attributes.FILE);
                }
            }
        });
    }
}
