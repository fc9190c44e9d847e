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
package org.hadoopmpsr.namenode.rights;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.jspecify.annotations.Nullable;

/**
 * Tells who is told what MPSR knows of a dataset's files and records: whoever may read the dataset directory and all below
 * it, and nobody else. HDFS itself would tell the others of some files only. The dataset's directory in the store is open
 * to the same callers, so HDFS is asked for that directory. Must be used without the namesystem's lock. Thread-safe.
 */
public final class DatasetReaders {
    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final DatasetRights rights;

    public DatasetReaders(MpsrNamesystem system, StoreLayout layout, DatasetRights rights) {
        this.system = system;
        this.layout = layout;
        this.rights = rights;
    }

    /**
     * Checks that the calling user may be told. May scan the dataset. What is told must have been looked at before: a file
     * that came meanwhile may be closed to the user.
     *
     * @param operation the name of the call
     * @throws AccessControlException if the user may not
     * @throws FileNotFoundException if the dataset's directory in the store is missing
     */
    public void check(String operation, DatasetRecord dataset) throws IOException {
        if (!system.callingUser().isSuperuser()) {
            rights.ensure(dataset.inodeId());
        }
        system.checkAccess(operation, layout.datasetDir(dataset.id()), FsAction.READ_EXECUTE);
    }

    /** As {@link #check}: why the calling user is told nothing of the files and records; null if the user may be told. */
    public @Nullable String denied(String operation, DatasetRecord dataset) throws IOException {
        try {
            check(operation, dataset);
            return null;
        } catch (AccessControlException e) {
            return "user " + system.caller() + " may not read all files and directories below " + dataset.path();
        } catch (FileNotFoundException e) {
            return layout.datasetDir(dataset.id()) + " is missing";
        }
    }
}
