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
package org.hadoopmpsr.namenode.quota;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.DirectoryWithQuotaFeature;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.QuotaCounts;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * What a dataset takes in the store: names, and the bytes of all copies, staged files among them. HDFS counts this for
 * every directory with a quota. A dataset's directory in the store therefore has a quota, which is never reached.
 */
public final class StoreUse {
    /** Larger than any number of files, and less than the largest number, which HDFS takes for no quota. */
    private static final long NEVER_REACHED = Long.MAX_VALUE / 2;

    private static final String COUNT = "mpsrCountStore";

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;

    public StoreUse(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /**
     * What datasets take in the store now, together. A large store that HDFS does not count yet takes nothing: to count it
     * here would take too long. Needs the read lock.
     */
    QuotaCounts of(Collection<DatasetRecord> datasets) throws IOException {
        QuotaCounts sum = new QuotaCounts.Builder().build();
        INode stores = namespace.find(layout.datasetsDir());
        if (stores != null && stores.isDirectory()) {
            for (DatasetRecord dataset : datasets) {
                byte[] name = DFSUtil.string2Bytes(dataset.id());
                INode store = stores.asDirectory().getChild(name, Snapshot.CURRENT_STATE_ID);
                if (store != null && store.isDirectory()) {
                    sum.add(of(store));
                }
            }
            namespace.looked(datasets.size());
        }
        return sum;
    }

    private QuotaCounts of(INode store) {
        DirectoryWithQuotaFeature count = count(store);
        return count == null && Namespace.size(store, LockSteps.SIZE) < LockSteps.SIZE
                ? store.computeQuotaUsage(system.directory().getBlockStoragePolicySuite())
                : consumed(count);
    }

    /** What a dataset takes in the store now, or nothing where HDFS does not count it. Needs the read lock. */
    public QuotaCounts counted(DatasetRecord dataset) throws IOException {
        return consumed(count(store(dataset)));
    }

    /** True if HDFS counts a dataset's store. Needs the read lock. */
    boolean isCounted(DatasetRecord dataset) throws IOException {
        return count(store(dataset)) != null;
    }

    private @Nullable INode store(DatasetRecord dataset) throws IOException {
        INode store = namespace.find(layout.datasetDir(dataset.id()));
        return store != null && store.isDirectory() ? store : null;
    }

    private static @Nullable DirectoryWithQuotaFeature count(@Nullable INode store) {
        return store == null ? null : store.asDirectory().getDirectoryWithQuotaFeature();
    }

    private static QuotaCounts consumed(@Nullable DirectoryWithQuotaFeature count) {
        return count == null ? new QuotaCounts.Builder().build() : count.getSpaceConsumed();
    }

    /** Has HDFS count a new store of a dataset from now on. Needs the write lock. */
    public static void count(NamespaceEdits edits, String storeDir) throws IOException {
        edits.setNameQuota(storeDir, NEVER_REACHED);
    }

    /**
     * Has HDFS count the store of a dataset from now on, in short holds of the lock: directories with many files below
     * them first, so that HDFS adds what it has counted already.
     */
    void countOld(DatasetRecord dataset) throws IOException {
        List<String> counted = new ArrayList<>();
        countOld(layout.datasetDir(dataset.id()), counted);
        for (String below : counted.subList(0, counted.size() - 1)) {
            system.write(COUNT, edits -> {
                if (namespace.find(below) != null) {
                    edits.setNameQuota(below, HdfsConstants.QUOTA_RESET);
                }
                return true;
            });
        }
    }

    /** @param counted gets the path of the directory, after those of directories below it */
    private void countOld(String path, List<String> counted) throws IOException {
        boolean large = system.read(() -> {
            INode directory = namespace.find(path);
            return directory != null && Namespace.size(directory, LockSteps.SIZE) == LockSteps.SIZE;
        });
        if (large) {
            List<String> below = namespace.entries(path, entry -> entry.isDirectory() ? entry.getLocalName() : "");
            for (String name : below) {
                if (!name.isEmpty()) {
                    countOld(path + "/" + name, counted);
                }
            }
        }
        system.write(COUNT, edits -> {
            INode directory = namespace.find(path);
            if (directory != null && count(directory) == null) {
                count(edits, path);
            }
            return true;
        });
        counted.add(path);
    }
}
