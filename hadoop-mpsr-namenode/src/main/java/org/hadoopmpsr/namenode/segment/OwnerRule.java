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
package org.hadoopmpsr.namenode.segment;

import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/** What only the owner of a dataset's directory and superusers may do. Thread-safe. */
public final class OwnerRule {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final Datasets datasets;

    public OwnerRule(MpsrNamesystem system, Namespace namespace, Datasets datasets) {
        this.system = system;
        this.namespace = namespace;
        this.datasets = datasets;
    }

    /**
     * The dataset, for the caller who changes it.
     *
     * @param call the name of the call, for the audit log
     * @param expected the id of the dataset that the caller knows; null for any
     * @param what what the caller does, as in "may not ..."
     * @throws AccessControlException if the caller is neither the owner of the dataset directory nor a superuser
     */
    public DatasetRecord require(String call, String path, @Nullable String expected, String what) throws IOException {
        system.checkWritable();
        DatasetRecord dataset = datasets.require(call, path, FsAction.WRITE_EXECUTE);
        dataset.checkId(expected);
        String owner = system.read(() -> namespace.require(dataset.path()).getUserName());
        if (!owner.equals(system.caller()) && !system.callingUser().isSuperuser()) {
            throw new AccessControlException("user " + system.caller() + " may not " + what + " " + dataset.path()
                    + ": only the owner of the directory (" + owner + ") and superusers may");
        }
        return dataset;
    }
}
