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

import java.util.Arrays;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * The permission checks of one caller without MPSR.
 *
 * @param enforcer the configured provider's checks, or HDFS's own
 * @param takesContext true if they want the operation and the caller's context
 */
record OtherChecks(AccessControlEnforcer enforcer, boolean takesContext) {

    /** True if the checks of a provider want the operation. HDFS decides it in this way. */
    static boolean takesContext(@Nullable INodeAttributeProvider provider) {
        AccessControlEnforcer enforcer = provider == null ? null : provider.getExternalAccessControlEnforcer(null);
        return enforcer == null
                || Arrays.stream(enforcer.getClass().getDeclaredMethods())
                        .anyMatch(method -> method.getName().equals("checkPermissionWithContext"));
    }

    void check(AuthorizationContext check) throws AccessControlException {
        if (takesContext && check.getOperationName() != null) {
            enforcer.checkPermissionWithContext(check);
        } else {
            checkWithoutContext(enforcer, check);
        }
    }

    @SuppressWarnings("deprecation") // HDFS calls this one for checks without an operation
    static void checkWithoutContext(AccessControlEnforcer enforcer, AuthorizationContext check)
            throws AccessControlException {
        enforcer.checkPermission(
                check.getFsOwner(),
                check.getSupergroup(),
                check.getCallerUgi(),
                check.getInodeAttrs(),
                check.getInodes(),
                check.getPathByNameArr(),
                check.getSnapshotId(),
                check.getPath(),
                check.getAncestorIndex(),
                check.isDoCheckOwner(),
                check.getAncestorAccess(),
                check.getParentAccess(),
                check.getAccess(),
                check.getSubAccess(),
                check.isIgnoreEmptyDir());
    }
}
