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
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/** Deletes replaced files at once, by order of the dataset's owner or a superuser. Thread-safe. */
public final class Purge {
    private static final String CALL = "mpsrPurgeReplaced";

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final OwnerRule owners;
    private final Retention retention;

    public Purge(
            MpsrNamesystem system, Namespace namespace, StoreLayout layout, OwnerRule owners, Retention retention) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.owners = owners;
        this.retention = retention;
    }

    /**
     * What was purged.
     *
     * @param staged the number of changes that are begun and not published
     */
    public record Result(Replaced deleted, int staged) {}

    /**
     * Deletes all files that changes of a dataset have replaced, but for a change that is not complete yet. Tags of states that
     * need such files are deleted too. Takes the lock in short holds.
     *
     * @param expected the id of the dataset that the caller knows; null for any
     * @throws AccessControlException if the caller is neither the owner of the dataset directory nor a superuser
     */
    public Result run(String path, @Nullable String expected) throws IOException {
        DatasetRecord dataset = owners.require(CALL, path, expected, "delete the replaced files of");
        Replaced deleted = retention.deleteAll(dataset);
        int staged =
                system.read(() -> namespace.countEntries(layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING));
        return new Result(deleted, staged);
    }
}
