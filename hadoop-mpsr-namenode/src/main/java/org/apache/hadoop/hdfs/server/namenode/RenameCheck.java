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
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Checks that files can be renamed, before any of them is: names, directory sizes, quotas and encryption zones. The
 * files may be checked in several holds of the lock. For one thread.
 */
public final class RenameCheck {
    private final Map<String, Target> parents = new HashMap<>();
    private final Map<INodeDirectory, QuotaCounts> needed = new HashMap<>();

    /** A directory into which files are to be renamed. */
    private record Target(INodeDirectory directory, boolean hasQuota, LongAdder added) {}

    /**
     * Checks one file. Needs the write lock.
     *
     * @param from an existing file
     * @param to a path whose parent exists
     * @throws IOException as the rename would throw
     */
    public void add(NamespaceEdits edits, String from, String to) throws IOException {
        FSDirectory directory = edits.directory();
        edits.holds().look(1);
        int slash = to.lastIndexOf('/');
        String parentPath = to.substring(0, slash);
        Target parent = parents.get(parentPath);
        if (parent == null) {
            parent = target(directory, parentPath, from);
            parents.put(parentPath, parent);
        }
        byte[] name = to.substring(slash + 1).getBytes(StandardCharsets.UTF_8);
        if (parent.directory().getChild(name, Snapshot.CURRENT_STATE_ID) != null) {
            throw new FileAlreadyExistsException(to + " exists already");
        }
        directory.verifyINodeName(name);
        directory.verifyMaxComponentLength(name, parentPath);
        parent.added().increment();
        if (parent.hasQuota() || directory.ezManager.getNumEncryptionZones() > 0) {
            checkMove(edits, from, to);
        }
    }

    /**
     * Checks the files together. Needs the write lock.
     *
     * @throws IOException as one of the renames would throw
     */
    public void check(NamespaceEdits edits) throws IOException {
        edits.holds().look(parents.size());
        for (Target parent : parents.values()) {
            checkDirectorySize(parent.directory(), parent.added().intValue(), edits.maxDirectoryItems());
        }
        for (Map.Entry<INodeDirectory, QuotaCounts> entry : needed.entrySet()) {
            DirectoryWithQuotaFeature quota = entry.getKey().getDirectoryWithQuotaFeature();
            if (quota != null) { // it may have been taken off between two holds
                quota.verifyQuota(entry.getValue());
            }
        }
    }

    /** @param source of a file that is to be renamed into it: a quota above both does not matter */
    private static Target target(FSDirectory directory, String path, String source) throws IOException {
        INodesInPath from = directory.getINodesInPath(source, DirOp.READ_LINK);
        INodesInPath inodes = directory.getINodesInPath(path, DirOp.READ_LINK);
        if (inodes.getLastINode() == null) {
            throw new FileNotFoundException(path + " does not exist");
        }
        boolean hasQuota = false;
        for (int i = 1; i < inodes.length(); i++) {
            boolean above = i < from.length() && from.getINode(i) == inodes.getINode(i);
            hasQuota |= !above && inodes.getINode(i).isQuotaSet();
        }
        return new Target(inodes.getLastINode().asDirectory(), hasQuota, new LongAdder());
    }

    private void checkMove(NamespaceEdits edits, String from, String to) throws IOException {
        FSDirectory directory = edits.directory();
        INodesInPath source = directory.resolvePath(edits.checker(), from, DirOp.WRITE_LINK);
        INodesInPath target = directory.resolvePath(edits.checker(), to, DirOp.CREATE_LINK);
        directory.readLock();
        try {
            directory.ezManager.checkMoveValidity(source, target);
        } finally {
            directory.readUnlock();
        }
        addQuota(directory, source, target);
    }

    private void addQuota(FSDirectory directory, INodesInPath source, INodesInPath target) {
        for (int i = target.length() - 2; i >= 0 && target.getINode(i) != source.getINode(i); i--) {
            INodeDirectory ancestor = target.getINode(i).asDirectory();
            if (ancestor.isQuotaSet()) {
                INode file = source.getLastINode();
                byte policy = file.isSetStoragePolicy()
                        ? file.getLocalStoragePolicyID()
                        : target.getINode(-2).getStoragePolicyID();
                needed.computeIfAbsent(ancestor, a -> new QuotaCounts.Builder().build())
                        .add(file.computeQuotaUsage(
                                directory.getBlockStoragePolicySuite(), policy, false, Snapshot.CURRENT_STATE_ID));
            }
        }
    }

    private static void checkDirectorySize(INodeDirectory parent, int added, int most) throws IOException {
        int now = parent.getChildrenNum(Snapshot.CURRENT_STATE_ID);
        if (now + added > most) {
            throw new IOException(
                    "the directory " + parent.getFullPathName() + " holds " + now + " entries and cannot take " + added
                            + " more: dfs.namenode.fs-limits.max-directory-items is " + most);
        }
    }
}
