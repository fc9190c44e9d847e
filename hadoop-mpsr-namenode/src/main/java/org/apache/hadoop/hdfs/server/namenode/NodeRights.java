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

import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.server.namenode.INodeWithAdditionalFields.PermissionStatusFormat;
import org.jspecify.annotations.Nullable;

/**
 * Owner, group, mode and access control list of a file or directory, without its name. HDFS's permission checker takes
 * them for the attributes of an inode. Equal rights are equal values. Immutable.
 *
 * @param permission owner, group and mode in HDFS's own coding
 */
public record NodeRights(
        boolean isDirectory, long permission, @Nullable AclFeature acl) implements INodeAttributes {
    private static final byte[] NO_NAME = {};

    /** The present rights of a file or directory. Needs the read lock. */
    public static NodeRights of(INode inode) {
        return new NodeRights(inode.isDirectory(), inode.getPermissionLong(), inode.getAclFeature());
    }

    /** The rights of a directory without an access control list. */
    static NodeRights of(String user, String group, int mode) {
        PermissionStatus status = new PermissionStatus(user, group, FsPermission.createImmutable((short) mode));
        return new NodeRights(true, PermissionStatusFormat.toLong(status), null);
    }

    @Override
    public byte[] getLocalNameBytes() {
        return NO_NAME;
    }

    @Override
    public String getUserName() {
        return PermissionStatusFormat.getUser(permission);
    }

    @Override
    public String getGroupName() {
        return PermissionStatusFormat.getGroup(permission);
    }

    @Override
    public FsPermission getFsPermission() {
        return new FsPermission(getFsPermissionShort());
    }

    @Override
    public short getFsPermissionShort() {
        return PermissionStatusFormat.getMode(permission);
    }

    @Override
    public long getPermissionLong() {
        return permission;
    }

    @Override
    public @Nullable AclFeature getAclFeature() {
        return acl;
    }

    @Override
    public @Nullable XAttrFeature getXAttrFeature() {
        return null;
    }

    @Override
    public long getModificationTime() {
        return 0;
    }

    @Override
    public long getAccessTime() {
        return 0;
    }
}
