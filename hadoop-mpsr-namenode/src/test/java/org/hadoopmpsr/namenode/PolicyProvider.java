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
package org.hadoopmpsr.namenode;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributes;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.core.layout.PathNames;

/**
 * An attribute provider as an administrator configures it: below {@code /policies}, the user {@code granted} may read
 * whatever HDFS says, and the user {@code blocked} may do nothing. It remembers the paths that it was asked for.
 */
public final class PolicyProvider extends INodeAttributeProvider {
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public INodeAttributes getAttributes(String[] pathElements, INodeAttributes inode) {
        return inode;
    }

    @Override
    public AccessControlEnforcer getExternalAccessControlEnforcer(AccessControlEnforcer hdfs) {
        return new Policies(hdfs);
    }

    private record Policies(AccessControlEnforcer hdfs) implements AccessControlEnforcer {
        @Override
        public void checkPermissionWithContext(AuthorizationContext check) throws AccessControlException {
            if (!isGranted(check.getCallerUgi(), check.getPathByNameArr())) {
                hdfs.checkPermissionWithContext(check);
            }
        }

        @Override
        @SuppressWarnings("deprecation")
        public void checkPermission(
                String fsOwner,
                String supergroup,
                UserGroupInformation caller,
                INodeAttributes[] attributes,
                INode[] inodes,
                byte[][] names,
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
            if (!isGranted(caller, names)) {
                hdfs.checkPermission(
                        fsOwner,
                        supergroup,
                        caller,
                        attributes,
                        inodes,
                        names,
                        snapshotId,
                        path,
                        ancestorIndex,
                        doCheckOwner,
                        ancestorAccess,
                        parentAccess,
                        access,
                        subAccess,
                        ignoreEmptyDir);
            }
        }

        private static boolean isGranted(UserGroupInformation caller, byte[][] names) throws AccessControlException {
            String path = DFSUtil.byteArray2PathString(names);
            SEEN.add(path);
            boolean policy = PathNames.isAtOrBelow(path, "/policies");
            if (policy && caller.getShortUserName().equals("blocked")) {
                throw new AccessControlException("Permission denied by a policy");
            }
            return policy && caller.getShortUserName().equals("granted");
        }
    }
}
