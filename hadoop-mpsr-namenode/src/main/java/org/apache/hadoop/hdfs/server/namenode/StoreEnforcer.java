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
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The permission checks of one caller: those of paths in the store go to {@link StoreCheck}, all others to the enforcer
 * that would do them without MPSR. HDFS finds out by reflection that this class has {@link #checkPermissionWithContext}.
 */
final class StoreEnforcer implements AccessControlEnforcer {
    private final StoreCheck store;
    private final AccessControlEnforcer hdfs;
    private final OtherChecks others;

    /**
     * @param hdfs HDFS's own checks for the caller
     * @param others the checks without MPSR
     */
    StoreEnforcer(StoreCheck store, AccessControlEnforcer hdfs, OtherChecks others) {
        this.store = store;
        this.hdfs = hdfs;
        this.others = others;
    }

    @Override
    public void checkPermissionWithContext(AuthorizationContext check) throws AccessControlException {
        int at = store.indexIn(check.getPathByNameArr(), check.getInodes(), check.getSnapshotId());
        if (at < 0) {
            others.check(check);
        } else {
            store.check(hdfs, check, at);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // HDFS calls this one for checks without an operation
    public void checkPermission(
            String fsOwner,
            String supergroup,
            UserGroupInformation callerUgi,
            INodeAttributes[] inodeAttrs,
            INode[] inodes,
            byte[][] pathByNameArr,
            int snapshotId,
            String path,
            int ancestorIndex,
            boolean doCheckOwner,
            FsAction ancestorAccess,
            FsAction parentAccess,
            FsAction access,
            FsAction subAccess,
            boolean ignoreEmptyDir)
            throws AccessControlException {
        checkPermissionWithContext(new AuthorizationContext.Builder()
                .fsOwner(fsOwner)
                .supergroup(supergroup)
                .callerUgi(callerUgi)
                .inodeAttrs(inodeAttrs)
                .inodes(inodes)
                .pathByNameArr(pathByNameArr)
                .snapshotId(snapshotId)
                .path(path)
                .ancestorIndex(ancestorIndex)
                .doCheckOwner(doCheckOwner)
                .ancestorAccess(ancestorAccess)
                .parentAccess(parentAccess)
                .access(access)
                .subAccess(subAccess)
                .ignoreEmptyDir(ignoreEmptyDir)
                .build());
    }

    @Override
    public void checkSuperUserPermissionWithContext(AuthorizationContext check) throws AccessControlException {
        others.enforcer().checkSuperUserPermissionWithContext(check);
    }

    @Override
    public void denyUserAccess(AuthorizationContext check, String message) throws AccessControlException {
        others.enforcer().denyUserAccess(check, message);
    }
}
