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
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits.Access;

/**
 * The rights to what MPSR makes for a dataset: readers are those who may read the dataset directory, and nobody else.
 * Computed from the directory's owner, group and mode; access control lists are not copied. Needs the read lock.
 */
public final class DatasetAccess {
    private final INode directory;

    public DatasetAccess(INode directory) {
        this.directory = directory;
    }

    /** The rights of directories in the default representation: the dataset directory's own. */
    public Access partition() {
        return new Access(directory.getUserName(), directory.getGroupName(), directory.getFsPermission());
    }

    /**
     * The rights of directories outside the dataset directory: the dataset directory's rights to read, without those of
     * users whom a directory above keeps out. Nobody writes there, because files are published by commits.
     */
    public Access outside() {
        FsPermission mode = directory.getFsPermission();
        FsAction group = mode.getGroupAction();
        FsAction other = mode.getOtherAction();
        for (INode above = directory.getParent(); above != null; above = above.getParent()) {
            FsPermission way = above.getFsPermission();
            boolean same = directory.getGroupName().equals(above.getGroupName());
            if (!(same ? way.getGroupAction() : way.getOtherAction()).implies(FsAction.EXECUTE)) {
                group = FsAction.NONE;
            }
            if (!way.getOtherAction().implies(FsAction.EXECUTE)) {
                other = FsAction.NONE;
            }
        }
        return new Access(
                directory.getUserName(),
                directory.getGroupName(),
                new FsPermission(readOnly(mode.getUserAction()), readOnly(group), readOnly(other)));
    }

    private static FsAction readOnly(FsAction action) {
        return action.and(FsAction.READ_EXECUTE);
    }

    /** The rights of files: the directory's rights without execution; the owner may always read. */
    public Access file() throws IOException {
        FsPermission mode = directory.getFsPermission();
        return new Access(
                directory.getUserName(),
                directory.getGroupName(),
                new FsPermission(
                        FsAction.READ_WRITE,
                        mode.getGroupAction().and(FsAction.READ_WRITE),
                        mode.getOtherAction().and(FsAction.READ)));
    }
}
