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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;

/**
 * Puts closed files of one block into a NameNode's memory as if they had been written, without DataNodes and without a
 * line in its edit log: the NameNode must not be restarted. For benchmarks, which need a million of them.
 */
public final class GeneratedFiles {
    private static final AtomicLong BLOCKS = new AtomicLong(1L << 40);

    private static final FsPermission DIRECTORY = FsPermission.createImmutable((short) 0755);

    private final FSNamesystem namesystem;
    private final PermissionStatus access;
    private final short replication;

    public GeneratedFiles(NameNode nameNode, String owner, short replication) {
        this.namesystem = nameNode.getNamesystem();
        this.access = new PermissionStatus(owner, "supergroup", FsPermission.createImmutable((short) 0644));
        this.replication = replication;
    }

    /** Adds files of a length to a directory, which is made where it is missing. */
    public void add(String directory, List<String> names, long length) throws IOException {
        add(directory, names, length, null);
    }

    /**
     * Adds files, each of whose blocks the NameNode takes for reported by a DataNode, until that reports all it has.
     *
     * @param node the DataNode's uuid, or null to leave the blocks without a replica
     */
    public void add(String directory, List<String> names, long length, @Nullable String node) throws IOException {
        DatanodeStorageInfo storage = node == null
                ? null
                : namesystem
                        .getBlockManager()
                        .getDatanodeManager()
                        .getDatanode(node)
                        .getStorageInfos()[0];
        FSDirectory tree = namesystem.getFSDirectory();
        namesystem.writeLock();
        try {
            new NamespaceEdits(namesystem, new LockHolds(System::nanoTime), Integer.MAX_VALUE)
                    .mkdirs(directory, new NamespaceEdits.Access(access.getUserName(), null, DIRECTORY));
            addTo(tree, directory, names, length, storage);
        } finally {
            namesystem.writeUnlock("generate");
        }
    }

    private void addTo(
            FSDirectory tree, String directory, List<String> names, long length, @Nullable DatanodeStorageInfo storage)
            throws IOException {
        tree.writeLock();
        try {
            for (String name : names) {
                add(tree, tree.getINodesInPath(directory, DirOp.WRITE), name, length, storage);
            }
        } finally {
            tree.writeUnlock();
        }
    }

    private void add(
            FSDirectory tree, INodesInPath directory, String name, long length, @Nullable DatanodeStorageInfo storage) {
        long now = Time.now();
        INodeFile file = FSDirWriteFileOp.addFileForEditLog(
                tree,
                tree.allocateNewInodeId(),
                directory,
                name.getBytes(StandardCharsets.UTF_8),
                access,
                null,
                null,
                replication,
                now,
                now,
                128 << 20,
                false,
                "",
                "",
                (byte) 0,
                (byte) 0);
        if (file == null) {
            throw new IllegalStateException(directory.getPath() + "/" + name + " cannot be added");
        }
        BlockInfo block = new BlockInfoContiguous(new Block(BLOCKS.incrementAndGet(), length, 1_000), replication);
        namesystem.getBlockManager().addBlockCollection(block, file);
        file.addBlock(block);
        if (storage != null) {
            storage.addBlock(block, block);
        }
    }

    /** Makes a NameNode use this lock instead of its own. */
    public static void lockWith(NameNode nameNode, ReentrantReadWriteLock lock) {
        nameNode.getNamesystem().setFsLockForTests(lock);
    }

    /** Makes edit logs wait for the disk, which mini clusters leave out. */
    public static void syncEdits() {
        EditLogFileOutputStream.setShouldSkipFsyncForTesting(false);
    }
}
