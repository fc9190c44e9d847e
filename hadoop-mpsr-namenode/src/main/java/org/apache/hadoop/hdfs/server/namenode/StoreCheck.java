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
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces.Place;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces.Representation;
import org.apache.hadoop.hdfs.server.namenode.StorePlaces.Staged;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

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
    /** By mode. */
    private final Map<Integer, NodeRights> rights = new ConcurrentHashMap<>();
    /** Of each thread. */
    private final ThreadLocal<@Nullable Answer> last = new ThreadLocal<>();

    /**
     * The answer to the check of a path, whatever right is asked for.
     *
     * @param caller HDFS's own checks for the caller, made anew for each call
     * @param path HDFS's own names of the path in the call
     * @param read true if the check is for reading only
     * @param transaction the last transaction of the namespace
     * @param open true if the caller may read the representation
     */
    private record Answer(
            AccessControlEnforcer caller,
            byte[][] path,
            int snapshotId,
            boolean read,
            long transaction,
            Place place,
            boolean open) {}

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
        Answer answer = ask(hdfs, check);
        boolean open = answer.open;
        int passage = answer.place instanceof Staged staged ? staged.passage() : Integer.MAX_VALUE;
        NodeRights shown = rights(check, answer.place instanceof Staged ? PASSAGE : open ? READABLE : CLOSED);
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

    private NodeRights rights(AuthorizationContext check, int mode) {
        NodeRights made = rights.get(mode);
        if (made == null) { // owner and group are those of this NameNode
            made = NodeRights.of(check.getFsOwner(), check.getSupergroup(), mode);
            rights.put(mode, made);
        }
        return made;
    }

    /** HDFS checks a path twice in most calls. The answer holds for the call as long as nothing has changed. */
    private Answer ask(AccessControlEnforcer hdfs, AuthorizationContext check) {
        boolean read = isRead(check);
        long transaction = directory.getFSNamesystem().getFSImage().getLastAppliedOrWrittenTxId();
        Answer before = last.get();
        if (before != null
                && before.caller == hdfs
                && before.path == check.getPathByNameArr()
                && before.snapshotId == check.getSnapshotId()
                && before.read == read
                && before.transaction == transaction) {
            return before;
        }
        Place place = place(check);
        boolean open = read && place instanceof Representation dataset && mayRead(hdfs, check, dataset);
        Answer answer =
                new Answer(hdfs, check.getPathByNameArr(), check.getSnapshotId(), read, transaction, place, open);
        last.set(answer);
        return answer;
    }

    private Place place(AuthorizationContext check) {
        if (check.getSnapshotId() != Snapshot.CURRENT_STATE_ID) {
            return new StorePlaces.Closed();
        }
        byte[][] path = check.getPathByNameArr();
        INode[] inodes = check.getInodes();
        int dataset = names.length + 1;
        try {
            // the check of a single inode has that one only
            return places.at(
                    path,
                    names.length,
                    inodes.length == path.length && dataset < inodes.length ? inodes[dataset] : null);
        } catch (IOException | RuntimeException e) {
            NameNode.LOG.warn("MPSR cannot tell who may read a path in its store; superusers may", e);
            return new StorePlaces.Closed();
        }
    }

    private boolean mayRead(AccessControlEnforcer hdfs, AuthorizationContext check, Representation dataset) {
        try {
            return hdfs instanceof FSPermissionChecker caller && readers.mayRead(caller, check, dataset);
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
