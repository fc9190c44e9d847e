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
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.QuotaCounts;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Namespace;

/**
 * The quotas of names, space and storage types of a dataset directory and of the directories above it. They hold for all
 * that the dataset has, in the dataset directory and in the store. HDFS checks the former alone; this adds what the
 * datasets below such a directory have in the store. Thread-safe.
 */
public final class DatasetQuotas {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final StoreUse use;

    public DatasetQuotas(
            MpsrNamesystem system, Namespace namespace, StoreLayout layout, Datasets datasets, StoreUse use) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.datasets = datasets;
        this.use = use;
    }

    /**
     * Checks that a dataset may get so many more names in the store. Needs the lock.
     *
     * @param names 0 to check that no quota is exceeded now
     * @throws QuotaExceededException as HDFS throws it, with the directory whose quota would be exceeded
     */
    public void check(DatasetRecord dataset, long names) throws IOException {
        check(dataset, new QuotaCounts.Builder().nameSpace(names).build());
    }

    /**
     * Checks that a file of a dataset may have so many more copies. Needs the lock.
     *
     * @throws QuotaExceededException as HDFS throws it
     */
    public void checkCopies(DatasetRecord dataset, INodeFile file, int more) throws IOException {
        check(
                dataset,
                new QuotaCounts.Builder()
                        .storageSpace(file.computeFileSize() * more)
                        .build());
    }

    /**
     * Checks a file or directory that is to be made below a staging directory. Other paths are not checked.
     *
     * @throws QuotaExceededException as HDFS throws it
     */
    public void checkNew(String path) throws IOException {
        Optional<DatasetRecord> dataset = ofStaged(path);
        if (dataset.isPresent()) {
            system.read(() -> {
                int missing = 0;
                for (String at = path; namespace.find(at) == null; at = PathNames.parent(at)) {
                    missing++;
                }
                check(dataset.get(), missing);
                return true;
            });
        }
    }

    /**
     * Checks a block that is to be added to a file below a staging directory. Other paths are not checked.
     *
     * @throws QuotaExceededException as HDFS throws it
     */
    public void checkBlock(String path) throws IOException {
        Optional<DatasetRecord> dataset = ofStaged(path);
        if (dataset.isPresent()) {
            system.read(() -> {
                INode file = namespace.find(path);
                if (file != null && file.isFile()) {
                    check(dataset.get(), block(file.asFile()));
                }
                return true;
            });
        }
    }

    /**
     * Has HDFS count the stores of datasets under a quota, where an older version made them. HDFS visits every file of such
     * a store once, in short holds of the lock.
     */
    public void countLimited() throws IOException {
        if (system.safeMode().isOn()) {
            return;
        }
        for (DatasetRecord dataset : datasets.all()) {
            if (system.read(() -> !use.isCounted(dataset) && !limiting(dataset).isEmpty())) {
                use.countOld(dataset);
            }
        }
    }

    private Optional<DatasetRecord> ofStaged(String path) {
        return layout.stagingDirAbove(path).isPresent()
                ? layout.datasetOf(path).flatMap(datasets::withId)
                : Optional.empty();
    }

    /** What HDFS reckons for one more block of a file: a whole block in all copies. */
    private QuotaCounts block(INodeFile file) {
        short copies = file.getFileReplication();
        QuotaCounts block = new QuotaCounts.Builder()
                .storageSpace(file.getPreferredBlockSize() * copies)
                .build();
        BlockStoragePolicySuite suite = system.directory().getBlockStoragePolicySuite();
        BlockStoragePolicy policy = suite.getPolicy(file.getStoragePolicyID());
        // as on stock HDFS, files without a policy do not count
        for (StorageType type : policy == null ? List.<StorageType>of() : policy.chooseStorageTypes(copies)) {
            if (type.supportTypeQuota()) {
                block.addTypeSpace(type, file.getPreferredBlockSize());
            }
        }
        return block;
    }

    private void check(DatasetRecord dataset, QuotaCounts more) throws IOException {
        for (INodeDirectory limited : limiting(dataset)) {
            QuotaCounts total = new QuotaCounts.Builder().build();
            total.add(limited.getDirectoryWithQuotaFeature().getSpaceConsumed());
            total.add(storesBelow(limited.getFullPathName()));
            total.add(more);
            check(limited, total);
        }
    }

    /** The directories with quotas that hold for a dataset and do not hold for the store already. Needs the lock. */
    List<INodeDirectory> limiting(DatasetRecord dataset) {
        List<INodeDirectory> limiting = new ArrayList<>();
        for (INode at = system.directory().getInode(dataset.inodeId()); at != null; at = at.getParent()) {
            boolean limited = at.isDirectory()
                    && at.asDirectory().getDirectoryWithQuotaFeature() != null
                    && at.getParent() != null;
            if (limited && !PathNames.isAtOrBelow(layout.storeDir(), at.getFullPathName())) {
                limiting.add(at.asDirectory());
            }
        }
        return limiting;
    }

    private QuotaCounts storesBelow(String path) throws IOException {
        return use.of(datasets.atOrBelow(path));
    }

    private static void check(INodeDirectory limited, QuotaCounts total) throws QuotaExceededException {
        QuotaCounts allowed = limited.getDirectoryWithQuotaFeature().getSpaceAllowed();
        QuotaExceededException exceeded = null;
        if (isAbove(total.getNameSpace(), allowed.getNameSpace())) {
            exceeded = new NSQuotaExceededException(allowed.getNameSpace(), total.getNameSpace());
        } else if (isAbove(total.getStorageSpace(), allowed.getStorageSpace())) {
            exceeded = new DSQuotaExceededException(allowed.getStorageSpace(), total.getStorageSpace());
        }
        for (StorageType type : StorageType.getTypesSupportingQuota()) {
            long of = allowed.getTypeSpaces().get(type);
            if (exceeded == null && isAbove(total.getTypeSpaces().get(type), of)) {
                exceeded = new QuotaByStorageTypeExceededException(
                        of, total.getTypeSpaces().get(type), type);
            }
        }
        if (exceeded != null) {
            exceeded.setPathName(limited.getFullPathName());
            throw exceeded;
        }
    }

    /** A negative quota is none. */
    private static boolean isAbove(long total, long quota) {
        return quota >= 0 && total > quota;
    }
}
