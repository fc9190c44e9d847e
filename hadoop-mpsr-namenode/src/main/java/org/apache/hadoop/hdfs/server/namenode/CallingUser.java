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

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The user of the current call, or the NameNode's own user if there is no call. For the thread that answers the call.
 */
public final class CallingUser {
    private final MpsrNamesystem system;
    private final FSNamesystem namesystem;

    CallingUser(MpsrNamesystem system, FSNamesystem namesystem) {
        this.system = system;
        this.namesystem = namesystem;
    }

    /**
     * Checks that the calling user may traverse to the path.
     *
     * @throws AccessControlException if the calling user may not know whether the path exists
     */
    public void checkTraverse(String operation, String path) throws IOException {
        if (!path.startsWith("/")) {
            throw new InvalidPathException("the path '" + path + "' is not absolute; name it from the root");
        }
        FSPermissionChecker checker = namesystem.getPermissionChecker();
        FSPermissionChecker.setOperationType(operation);
        system.read(() -> namesystem.getFSDirectory().resolvePath(checker, path, DirOp.READ));
    }

    /** True when the calling user is a superuser. */
    public boolean isSuperuser() throws IOException {
        return !namesystem.getFSDirectory().isPermissionEnabled()
                || namesystem.getPermissionChecker().isSuperUser();
    }

    /** True if the calling user may list the directory. For a superuser also true if the directory is missing. */
    public boolean mayRead(String path) throws IOException {
        if (isSuperuser()) {
            return true;
        }
        try {
            system.checkAccess("mpsrStatus", path, FsAction.READ_EXECUTE);
            return true;
        } catch (AccessControlException | FileNotFoundException e) {
            return false;
        }
    }

    /** Writes a line to the audit log, if there is a call. */
    public void audit(boolean allowed, String operation, @Nullable String source, @Nullable String target)
            throws IOException {
        if (target == null) {
            namesystem.logAuditEvent(allowed, operation, source);
        } else if (namesystem.isAuditEnabled() && namesystem.isExternalInvocation()) {
            // HDFS keeps the method with a target to itself
            UserGroupInformation user = NameNode.getRemoteUser();
            for (AuditLogger log : namesystem.getAuditLoggers()) {
                if (log instanceof HdfsAuditLogger hdfsLog) {
                    hdfsLog.logAuditEvent(
                            allowed,
                            user.toString(),
                            Server.getRemoteIp(),
                            operation,
                            source,
                            target,
                            null,
                            CallerContext.getCurrent(),
                            user,
                            namesystem.getDelegationTokenSecretManager());
                } else {
                    log.logAuditEvent(allowed, user.toString(), Server.getRemoteIp(), operation, source, target, null);
                }
            }
        }
    }
}
