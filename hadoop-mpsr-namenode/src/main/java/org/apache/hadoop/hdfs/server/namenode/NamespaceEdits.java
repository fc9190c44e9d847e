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

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the namespace as the NameNode's own user, within one hold of the write lock. Paths are absolute. For the
 * thread that holds the lock.
 */
public final class NamespaceEdits {
    private final FSNamesystem namesystem;
    private final LockHolds holds;
    private final FSDirectory directory;
    private final FSPermissionChecker self;
    private final int maxDirectoryItems;
    private final List<BlockInfo> released = new ArrayList<>();

    NamespaceEdits(FSNamesystem namesystem, LockHolds holds, int maxDirectoryItems) throws IOException {
        this.namesystem = namesystem;
        this.holds = holds;
        this.maxDirectoryItems = maxDirectoryItems;
        this.directory = namesystem.getFSDirectory();
        UserGroupInformation user = UserGroupInformation.getLoginUser();
        this.self = directory.getPermissionChecker(user.getShortUserName(), user.getShortUserName(), user);
    }

    /** The owner, group and mode of a file or directory; a null group stands for the one that HDFS gives it. */
    public record Access(String owner, @Nullable String group, FsPermission mode) {

        /** The rights of what only MPSR uses: nobody may do anything but the NameNode's own user. */
        public static Access own() throws IOException {
            return new Access(self(), null, FsPermission.createImmutable((short) 0700));
        }

        /** The rights of a directory that the owner of a file makes with the umask with which the file was made. */
        public static Access around(INode file) {
            FsPermission mode = file.getFsPermission();
            return new Access(
                    file.getUserName(),
                    null,
                    new FsPermission(FsAction.ALL, passable(mode.getGroupAction()), passable(mode.getOtherAction())));
        }

        private static FsAction passable(FsAction action) {
            return action.implies(FsAction.READ) ? action.or(FsAction.EXECUTE) : action;
        }
    }

    /** The owner of everything that only MPSR uses: the NameNode's own user. */
    public static String self() throws IOException {
        return UserGroupInformation.getLoginUser().getShortUserName();
    }

    /** Makes a directory and its missing parents. Does nothing if the directory exists. */
    public void mkdirs(String path, Access access) throws IOException {
        if (directory.getINode(path) == null) {
            // one by one: HDFS lets owners write to parents that it makes itself
            mkdirs(path.substring(0, Math.max(1, path.lastIndexOf('/'))), access);
            holds.edit();
            FSDirMkdirOp.mkdirs(
                    namesystem, self, path, new PermissionStatus(access.owner(), access.group(), access.mode()), true);
        }
    }

    /** Renames a path. The target must not exist, and the target's parent must exist. */
    public void rename(String source, String target) throws IOException {
        holds.edit();
        FSDirRenameOp.renameToInt(directory, self, source, target, false, Options.Rename.NONE);
    }

    public void setXAttr(String path, String name, byte[] value) throws IOException {
        setXAttr(path, name, value, false);
    }

    /** Sets an attribute. The edit log names the call that this thread carries out, for {@link RepeatedCalls}. */
    public void setXAttrByCall(String path, String name, byte[] value) throws IOException {
        setXAttr(path, name, value, true);
    }

    /**
     * Checks that an attribute may have so long a value.
     *
     * @throws IOException when HDFS would refuse it, with the key that decides
     */
    public void checkXAttr(String path, String name, byte[] value) throws IOException {
        int max = maxXAttrBytes(name);
        if (value.length > max) {
            throw new IOException("the extended attribute " + name + " of " + path + " would take " + value.length
                    + " bytes, more than the " + max + " that " + DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY + " = "
                    + directory.getXattrMaxSize() + " leaves for the value; raise the key in the NameNode's"
                    + " hdfs-site.xml, to at most " + DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_HARD_LIMIT);
        }
    }

    private void setXAttr(String path, String name, byte[] value, boolean byCall) throws IOException {
        checkXAttr(path, name, value);
        holds.edit();
        FSDirXAttrOp.setXAttr(
                directory,
                self,
                path,
                XAttrHelper.buildXAttr(name, value),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE),
                byCall);
    }

    /** Removes an attribute that exists; the edit log names the call, as in {@link #setXAttrByCall}. */
    public void removeXAttrByCall(String path, String name) throws IOException {
        removeXAttr(path, name, true);
    }

    /** Removes an attribute that exists. */
    public void removeXAttr(String path, String name) throws IOException {
        removeXAttr(path, name, false);
    }

    private void removeXAttr(String path, String name, boolean byCall) throws IOException {
        holds.edit();
        FSDirXAttrOp.removeXAttr(directory, self, path, XAttrHelper.buildXAttr(name), byCall);
    }

    /** Sets owner, mode, and the group unless that is null. Writes nothing to the edit log if they are set already. */
    public void setAccess(String path, Access access) throws IOException {
        INode inode = directory.getINode(path);
        if (inode != null
                && inode.getUserName().equals(access.owner())
                && (access.group() == null || inode.getGroupName().equals(access.group()))
                && inode.getFsPermission().equals(access.mode())) {
            return;
        }
        holds.edit();
        FSDirAttrOp.setOwner(directory, self, path, access.owner(), access.group());
        holds.edit();
        FSDirAttrOp.setPermission(directory, self, path, access.mode());
    }

    /** Sets the group. Writes nothing to the edit log if it is set already. */
    public void setGroup(String path, String group) throws IOException {
        INode inode = directory.getINode(path);
        if (inode == null || !inode.getGroupName().equals(group)) {
            holds.edit();
            FSDirAttrOp.setOwner(directory, self, path, null, group);
        }
    }

    /** Gives a file the owner, the group, the mode and the access control list of another one. */
    public void copyRights(INode from, String to) throws IOException {
        setAccess(to, new Access(from.getUserName(), from.getGroupName(), from.getFsPermission()));
        INode target = directory.getINode(to);
        if (from.getAclFeature() != null) {
            holds.edit();
            FSDirAclOp.setAcl(directory, self, to, new ArrayList<>(AclStorage.readINodeLogicalAcl(from)));
        } else if (target != null && target.getAclFeature() != null) {
            holds.edit();
            FSDirAclOp.removeAcl(directory, self, to);
        }
    }

    /**
     * Gives a directory the default entries of another one's access control list. HDFS passes them on to what is made
     * in it.
     */
    public void copyDefaultAcl(String from, String to) throws IOException {
        List<AclEntry> entries = directory.isAclsEnabled()
                ? AclStorage.readINodeLogicalAcl(directory.getINode(from)).stream()
                        .filter(entry -> entry.getScope() == AclEntryScope.DEFAULT)
                        .toList()
                : List.of();
        if (!entries.isEmpty()) {
            holds.edit();
            FSDirAclOp.modifyAclEntries(directory, self, to, new ArrayList<>(entries)); // HDFS sorts it
        }
    }

    /** Gives a directory a quota of names. HDFS visits everything below the directory once, and counts from then on. */
    public void setNameQuota(String path, long names) throws IOException {
        holds.edit();
        FSDirAttrOp.setQuota(directory, self, path, names, HdfsConstants.QUOTA_DONT_SET, null, false);
    }

    /** Sets the modification time, in milliseconds. Does nothing for a path that is no file, or has this time. */
    public void setModificationTime(String file, long time) throws IOException {
        INode inode = directory.getINode(file);
        if (inode != null && inode.isFile() && inode.getModificationTime() != time) {
            holds.edit();
            FSDirAttrOp.setTimes(directory, self, file, time, -1);
        }
    }

    public void setReplication(String file, int replication) throws IOException {
        holds.edit();
        FSDirAttrOp.setReplication(directory, self, namesystem.getBlockManager(), file, (short) replication);
    }

    /** Deletes a path recursively. Does nothing if the path does not exist. */
    public void delete(String path) throws IOException {
        if (directory.getINode(path) != null) {
            holds.edit();
            INode.BlocksMapUpdateInfo blocks = FSDirDeleteOp.delete(namesystem, self, path, true, false);
            if (blocks != null) {
                released.addAll(blocks.getToDeleteList());
            }
        }
    }

    /** The maximum size of the value of an attribute with this name; {@link Integer#MAX_VALUE} if unlimited. */
    public int maxXAttrBytes(String name) {
        return maxXAttrBytes(directory, name);
    }

    static int maxXAttrBytes(FSDirectory directory, String name) {
        int max = directory.getXattrMaxSize();
        return max == 0 ? Integer.MAX_VALUE : max - name.length();
    }

    FSDirectory directory() {
        return directory;
    }

    FSPermissionChecker checker() {
        return self;
    }

    int maxDirectoryItems() {
        return maxDirectoryItems;
    }

    LockHolds holds() {
        return holds;
    }

    /** Waits for the edit log, and frees the blocks of deleted files. Called after the lock is released. */
    void finish() {
        namesystem.getEditLog().logSync();
        if (!released.isEmpty()) {
            namesystem.getBlockManager().addBLocksToMarkedDeleteQueue(released);
        }
    }
}
