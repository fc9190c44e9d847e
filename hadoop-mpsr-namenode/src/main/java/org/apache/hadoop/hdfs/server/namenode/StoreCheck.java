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
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces.Place;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces.Representation;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces.Staged;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;

/**
 * The check of a path in the store. HDFS's own check of the path decides, but it is shown other rights than those that
 * are stored: what a caller may read is open to all, and all else is closed. An error counts as closed. The configured
 * provider is not asked for paths of the store. Superusers do not come here. Needs the read lock. Thread-safe.
 */
final class StoreCheck {
    private static final int CLOSED = 0700;
    private static final int PASSAGE = 0711;
    private static final int READABLE = 0555;

    private final FSDirectory directory;
    private final String storeDir;
    private final StorePlaces places;
    private final StoreReaders readers;
    /** The store directory's names from the root on, which has an empty name. */
    private final byte[][] names;

    StoreCheck(FSDirectory directory, String storeDir, StorePlaces places, StoreReaders readers) {
        this.directory = directory;
        this.storeDir = storeDir;
        this.places = places;
        this.readers = readers;
        this.names = INode.getPathComponents(storeDir);
    }

    /** The position of the store directory in a path, or -1 if the path does not lead there. */
    int indexIn(byte[][] path, INode[] inodes, int snapshotId) {
        int last = names.length - 1;
        if (path.length > last) {
            int i = last;
            while (i > 0 && Arrays.equals(path[i], names[i])) {
                i--;
            }
            if (i == 0) {
                return last;
            }
        }
        return snapshotId == Snapshot.CURRENT_STATE_ID ? -1 : indexInSnapshot(inodes);
    }

    private int indexInSnapshot(INode[] inodes) {
        INode store;
        try {
            store = directory.getINode(storeDir);
        } catch (IOException e) {
            return -1;
        }
        for (int i = 0; store != null && i < inodes.length && inodes[i] != null; i++) {
            if (inodes[i].getId() == store.getId()) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Makes a check.
     *
     * @param hdfs HDFS's own checks for the caller
     * @param at the position of the store directory in the path
     * @throws AccessControlException if the caller lacks a right
     */
    void check(AccessControlEnforcer hdfs, AuthorizationContext check, int at) throws AccessControlException {
        Place place = place(check);
        boolean open = place instanceof Representation dataset && mayRead(hdfs, check, dataset);
        int passage = place instanceof Staged staged ? staged.passage() : Integer.MAX_VALUE;
        NodeRights shown = rights(check, place instanceof Staged ? PASSAGE : open ? READABLE : CLOSED);
        INodeAttributes[] seen = check.getInodeAttrs().clone();
        // the check of a single inode has the rights of that one, and the names of its whole path
        int shift = check.getPath() == null ? check.getPathByNameArr().length - 1 : 0;
        for (int i = 0; i < seen.length; i++) {
            int below = i + shift - at; // how many names below the store directory
            if (seen[i] != null && below >= 0 && below <= passage) {
                seen[i] = shown;
            }
        }
        check.setInodeAttrs(seen);
        if (open) {
            check.setSubAccess(null); // the answer holds for all below
        }
        OtherChecks.checkWithoutContext(hdfs, check);
    }

    private static NodeRights rights(AuthorizationContext check, int mode) {
        return NodeRights.of(check.getFsOwner(), check.getSupergroup(), mode);
    }

    private Place place(AuthorizationContext check) {
        if (check.getSnapshotId() != Snapshot.CURRENT_STATE_ID) {
            return new StorePlaces.Closed();
        }
        byte[][] path = check.getPathByNameArr();
        List<String> below = new ArrayList<>();
        for (int i = names.length; i < path.length; i++) {
            below.add(DFSUtil.bytes2String(path[i]));
        }
        try {
            return places.at(below);
        } catch (IOException | RuntimeException e) {
            NameNode.LOG.warn("MPSR cannot tell who may read a path in its store; superusers may", e);
            return new StorePlaces.Closed();
        }
    }

    private boolean mayRead(AccessControlEnforcer hdfs, AuthorizationContext check, Representation dataset) {
        try {
            return isRead(check)
                    && hdfs instanceof FSPermissionChecker caller
                    && readers.mayRead(caller, check, dataset);
        } catch (RuntimeException e) {
            NameNode.LOG.warn("MPSR cannot tell who may read a path in its store; superusers may", e);
            return false;
        }
    }

    private static boolean isRead(AuthorizationContext check) {
        return !check.isDoCheckOwner()
                && isRead(check.getAncestorAccess())
                && isRead(check.getParentAccess())
                && isRead(check.getAccess())
                && isRead(check.getSubAccess());
    }

    private static boolean isRead(FsAction access) {
        return access == null || !access.implies(FsAction.WRITE);
    }
}
