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
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces.Representation;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a caller may read a dataset: HDFS, or the configured provider, is asked for the dataset directory as
 * it is now. Needs the read lock. Thread-safe.
 */
final class StoreReaders {
    private final FSDirectory directory;
    private final @Nullable INodeAttributeProvider configured;
    private final boolean takesContext;

    StoreReaders(FSDirectory directory, @Nullable INodeAttributeProvider configured) {
        this.directory = directory;
        this.configured = configured;
        this.takesContext = OtherChecks.takesContext(configured);
    }

    /** The checks of a caller without MPSR. */
    OtherChecks others(AccessControlEnforcer hdfs) {
        AccessControlEnforcer enforcer = configured == null ? hdfs : configured.getExternalAccessControlEnforcer(hdfs);
        return new OtherChecks(enforcer, takesContext);
    }

    /**
     * True if the caller may list the dataset directory, and a file or directory with any of the rights below it if it
     * lay in the directory's place. The provider sees no other path than the dataset directory's.
     *
     * @param check a check of the caller
     */
    boolean mayRead(FSPermissionChecker caller, AuthorizationContext check, Representation representation) {
        try {
            INodesInPath home = current(representation.home());
            if (home == null) {
                return false;
            }
            if (configured == null) {
                checkByHdfs(caller, check, home, representation);
            } else {
                caller.checkPermission(home, false, null, null, FsAction.READ_EXECUTE, null, false);
                if (!representation.below().isEmpty()) {
                    checkBelow(caller, check, home, representation);
                }
            }
            return true;
        } catch (AccessControlException e) {
            return false;
        }
    }

    /** HDFS's own check decides. It gets the inodes as they are, without the text of the path that providers get. */
    private static void checkByHdfs(
            FSPermissionChecker caller, AuthorizationContext check, INodesInPath home, Representation representation)
            throws AccessControlException {
        byte[][] names = home.getPathComponents();
        INode[] inodes = home.getINodesArray();
        int last = inodes.length - 1;
        checkByHdfs(caller, check, inodes, inodes, names, last - 1, FsAction.READ_EXECUTE);
        INode[] directory = {inodes[last]};
        for (NodeRights rights : representation.below()) {
            INodeAttributes[] seen = {rights};
            checkByHdfs(caller, check, seen, directory, names, -1, read(rights));
        }
    }

    @SuppressWarnings("deprecation") // the other one makes an object of the arguments, and calls this one
    private static void checkByHdfs(
            FSPermissionChecker caller,
            AuthorizationContext check,
            INodeAttributes[] seen,
            INode[] inodes,
            byte[][] names,
            int ancestor,
            FsAction access)
            throws AccessControlException {
        caller.checkPermission(
                check.getFsOwner(),
                check.getSupergroup(),
                check.getCallerUgi(),
                seen,
                inodes,
                names,
                Snapshot.CURRENT_STATE_ID,
                "",
                ancestor,
                false,
                null,
                null,
                access,
                null,
                false);
    }

    private static FsAction read(NodeRights rights) {
        return rights.isDirectory() ? FsAction.READ_EXECUTE : FsAction.READ;
    }

    /** The provider decides. */
    private void checkBelow(
            FSPermissionChecker caller, AuthorizationContext check, INodesInPath home, Representation representation)
            throws AccessControlException {
        byte[][] names = home.getPathComponents();
        INode[] inodes = home.getINodesArray();
        int last = inodes.length - 1;
        INodeAttributes[] seen = new INodeAttributes[inodes.length];
        for (int i = 0; i < last; i++) {
            seen[i] = attributes(names, i, inodes[i]); // HDFS itself has checked these, and skips those that are null
        }
        OtherChecks others = others(caller);
        for (NodeRights rights : representation.below()) {
            seen[last] = attributes(names, last, rights);
            others.check(new AuthorizationContext.Builder()
                    .fsOwner(check.getFsOwner())
                    .supergroup(check.getSupergroup())
                    .callerUgi(check.getCallerUgi())
                    .inodeAttrs(seen.clone())
                    .inodes(inodes)
                    .pathByNameArr(names)
                    .snapshotId(home.getPathSnapshotId())
                    .path(home.getPath())
                    .ancestorIndex(last - 1)
                    .access(read(rights))
                    .operationName(check.getOperationName())
                    .callerContext(check.getCallerContext())
                    .build());
        }
    }

    /** What HDFS's own check takes for the attributes. */
    private INodeAttributes attributes(byte[][] names, int index, INodeAttributes stored) {
        if (configured == null) {
            return stored;
        }
        String[] elements = new String[index + 1];
        Arrays.setAll(elements, i -> DFSUtil.bytes2String(names[i]));
        return configured.getAttributes(elements, stored);
    }

    /** The present path of a directory, or null if it is not in the namespace, as when it is in a snapshot only. */
    private @Nullable INodesInPath current(long id) {
        INode inode = directory.getInode(id);
        if (inode == null || !inode.isDirectory()) {
            return null;
        }
        INodesInPath path = INodesInPath.resolve(directory.getRoot(), inode.getPathComponents(), false);
        INode found = path.getLastINode();
        return found != null && found.getId() == id ? path : null;
    }
}
