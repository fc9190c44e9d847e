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
import org.apache.hadoop.hdfs.server.namenode.DirectoryWithQuotaFeature;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.apache.hadoop.hdfs.server.namenode.QuotaCounts;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * What a dataset takes in the store: names, and the bytes of all copies, staged files among them. HDFS counts this for
 * every directory with a quota. A dataset's directory in the store therefore has a quota, which is never reached.
 */
public final class StoreUse {
    /** Larger than any number of files, and less than the largest number, which HDFS takes for no quota. */
    private static final long NEVER_REACHED = Long.MAX_VALUE / 2;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;

    public StoreUse(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** What a dataset takes in the store now. Needs the read lock. */
    public QuotaCounts of(DatasetRecord dataset) throws IOException {
        INode store = store(dataset);
        DirectoryWithQuotaFeature count = count(store);
        return store != null && count == null
                ? store.computeQuotaUsage(system.directory().getBlockStoragePolicySuite())
                : consumed(count);
    }

    /** What a dataset takes in the store now, or nothing where HDFS does not count it. Needs the read lock. */
    public QuotaCounts counted(DatasetRecord dataset) throws IOException {
        return consumed(count(store(dataset)));
    }

    /** True if HDFS counts a dataset's store. If not, {@link #of} visits every file. Needs the read lock. */
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

    /** Has HDFS count the store of a dataset from now on; HDFS visits every file of it once. Needs the write lock. */
    public static void count(NamespaceEdits edits, String storeDir) throws IOException {
        edits.setNameQuota(storeDir, NEVER_REACHED);
    }
}
