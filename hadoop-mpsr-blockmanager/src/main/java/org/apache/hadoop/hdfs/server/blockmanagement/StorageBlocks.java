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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Lists the blocks of one storage of a DataNode in parts, each of which is one short hold of the namesystem's lock. HDFS
 * keeps the blocks of a storage in a linked list, of which it allows to see the whole only. Where a part ended, the next
 * one goes on; if the block there is gone, or a block report has ordered the list anew, the list begins again. All blocks
 * are listed that the storage has from the first part to the last one. For one thread.
 */
public final class StorageBlocks {
    /** A full block report comes every few hours, and a list takes a second. */
    private static final int BEGINNINGS = 10;

    private final DatanodeStorageInfo storage;
    private long[] ids = {};
    private int size;
    private @Nullable BlockInfo last;
    private int reports;
    private int beginnings;

    public StorageBlocks(DatanodeStorageInfo storage) {
        this.storage = storage;
    }

    /**
     * Lists more blocks. Needs the read lock.
     *
     * @param most the maximum number, above 0
     * @return the number of blocks that this call has listed; below the maximum if all are listed
     * @throws IOException if the list had to begin again too often
     */
    public int list(int most) throws IOException {
        BlockInfo next = next();
        int n = 0;
        for (; next != null && n < most; n++) {
            add(next.getBlockId());
            last = next;
            next = next.getNext(next.findStorageInfo(storage));
        }
        return n;
    }

    /** The block after the last one that is listed; null if there is none. */
    private @Nullable BlockInfo next() throws IOException {
        int at = last == null ? -1 : last.findStorageInfo(storage);
        if (last != null && at >= 0 && reports == storage.getBlockReportCount()) {
            return last.getNext(at);
        }
        if (beginnings++ == BEGINNINGS) {
            throw new IOException("the blocks of the storage " + storage.getStorageID()
                    + " change faster than they are listed; they are listed again later");
        }
        reports = storage.getBlockReportCount();
        ids = new long[storage.numBlocks()];
        size = 0;
        Iterator<BlockInfo> all = storage.getBlockIterator();
        return all.hasNext() ? all.next() : null;
    }

    private void add(long id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size + size / 2 + 16);
        }
        ids[size++] = id;
    }

    /** The ids of the blocks that are listed, those that came last to the storage first. */
    public long[] ids() {
        return Arrays.copyOf(ids, size);
    }
}
