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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.ipc.ExternalCall;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Timer;
import org.jspecify.annotations.Nullable;

/**
 * A NameNode's namespace as MPSR uses it: reads under the namesystem's lock, permission checks for the calling user,
 * and changes as the NameNode's own user. Thread-safe.
 */
public final class MpsrNamesystem {
    private final NameNode nameNode;
    private final Timer clock;
    private final FSNamesystem namesystem;
    private final HaState ha;
    private final SafeModeState safeMode;
    private final LockHolds holds = new LockHolds(System::nanoTime);

    /** With the machine's clock. */
    public MpsrNamesystem(NameNode nameNode) {
        this(nameNode, new Timer());
    }

    /** @param clock the clock of all that MPSR measures and dates */
    public MpsrNamesystem(NameNode nameNode, Timer clock) {
        this.nameNode = nameNode;
        this.clock = clock;
        this.namesystem = nameNode.getNamesystem();
        this.ha = new HaState(nameNode);
        this.safeMode = new SafeModeState(nameNode);
    }

    /** An action under a lock. */
    public interface Read<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** An action under the write lock. */
    public interface Write<T extends @Nullable Object> {
        T run(NamespaceEdits edits) throws IOException;
    }

    public Configuration conf() {
        return nameNode.getConf();
    }

    /** The one clock of MPSR in this NameNode. */
    public Timer clock() {
        return clock;
    }

    public NamenodeProtocols rpc() {
        return nameNode.getRpcServer();
    }

    /** The RPC servers of clients and DataNodes: one or two. */
    public List<RPC.Server> rpcServers() {
        NameNodeRpcServer server = (NameNodeRpcServer) nameNode.getRpcServer();
        List<RPC.Server> servers = new ArrayList<>(List.of(server.getClientRpcServer()));
        RPC.Server service = server.getServiceRpcServer();
        if (service != null) {
            servers.add(service);
        }
        return servers;
    }

    /** The running web server. */
    public HttpServer2 http() {
        return nameNode.getHttpServer();
    }

    public FSDirectory directory() {
        return namesystem.getFSDirectory();
    }

    public BlockManager blocks() {
        return namesystem.getBlockManager();
    }

    /** How long MPSR holds the lock. */
    public LockHolds holds() {
        return holds;
    }

    /** The HA state of this NameNode. */
    public HaState ha() {
        return ha;
    }

    public SafeModeState safeMode() {
        return safeMode;
    }

    public RepeatedCalls repeatedCalls() {
        return new RepeatedCalls(namesystem);
    }

    /** The maximum size of the value of an attribute with this name; {@link Integer#MAX_VALUE} if unlimited. */
    public int maxXAttrBytes(String name) {
        return NamespaceEdits.maxXAttrBytes(directory(), name);
    }

    /**
     * Checks that a new file or directory may have this name.
     *
     * @throws IOException if it is longer than HDFS allows
     */
    public void checkName(String name) throws IOException {
        directory().verifyMaxComponentLength(name.getBytes(StandardCharsets.UTF_8), "");
    }

    public boolean xattrsEnabled() {
        return directory().isXattrsEnabled();
    }

    /** Runs under the read lock. Nests within {@link #read} and {@link #write}. */
    public <T extends @Nullable Object> T read(Read<T> call) throws IOException {
        if (namesystem.hasReadLock()) { // also true for a holder of the write lock
            return call.run();
        }
        namesystem.readLock();
        String told = null;
        try {
            holds.begin();
            try {
                return call.run();
            } finally {
                told = holds.end();
            }
        } finally {
            namesystem.readUnlock("mpsr");
            tell(told, call);
        }
    }

    /** Sends the caller to the active NameNode, even if this NameNode serves reads of an older state. */
    public void checkActive() throws IOException {
        namesystem.checkOperation(OperationCategory.READ);
        if (!nameNode.isActiveState()) {
            throw new StandbyException("this NameNode is not active; the active one knows what was published last");
        }
    }

    /** Refuses the operation if this NameNode does not serve writes. */
    public void checkWritable() throws IOException {
        namesystem.checkOperation(OperationCategory.WRITE);
    }

    /**
     * Runs under the write lock, and then waits until the changes are in the edit log; for a call's handler the answer
     * waits instead. Refused in safe mode and on a standby.
     */
    public <T extends @Nullable Object> T write(String operation, Write<T> call) throws IOException {
        return write(operation, false, call);
    }

    /** Runs under the write lock like {@link #write}, also in safe mode: only to finish what was committed before. */
    public <T extends @Nullable Object> T writeEvenInSafeMode(String operation, Write<T> call) throws IOException {
        return write(operation, true, call);
    }

    private <T extends @Nullable Object> T write(String operation, boolean inSafeMode, Write<T> call)
            throws IOException {
        checkWritable();
        NamespaceEdits edits = new NamespaceEdits(
                namesystem,
                holds,
                conf().getInt(
                                DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY,
                                DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_DEFAULT));
        namesystem.writeLock();
        String told = null;
        try {
            holds.begin();
            try {
                checkWritable();
                if (!inSafeMode) {
                    namesystem.checkNameNodeSafeMode("Cannot " + operation);
                }
                return call.run(edits);
            } finally {
                told = holds.end();
            }
        } finally {
            namesystem.writeUnlock(operation);
            tell(told, call);
            edits.finish();
        }
    }

    /** @param action the action of the hold, by whose class it is known */
    private static void tell(@Nullable String held, Object action) {
        if (held != null) {
            NameNode.LOG.info(
                    "MPSR: {} held the namesystem's lock for {}, longer than ever before",
                    action.getClass().getName().split("\\$\\$", 2)[0],
                    held);
        }
    }

    /**
     * Puts a call into the queue of calls by RPC, and does not wait for it.
     *
     * @throws RetriableException while the NameNode starts, or if the queue takes no more calls of this user
     */
    public void queue(ExternalCall<?> call) throws IOException, InterruptedException {
        nameNode.queueExternalCall(call);
    }

    /** The calling user, with its rights and its lines in the audit log. */
    public CallingUser callingUser() {
        return new CallingUser(this, namesystem);
    }

    /** The short name of the calling user, or of the NameNode's own user if there is no call. */
    public String caller() throws IOException {
        return NameNode.getRemoteUser().getShortUserName();
    }

    /** True if service-level authorization is on. */
    public boolean authorizesServices() {
        return conf().getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false);
    }

    /**
     * Checks that the NameNode has started.
     *
     * @throws RetriableException while the NameNode starts
     */
    public void checkStarted() throws IOException {
        if (!nameNode.isStarted()) {
            throw new RetriableException(NameNode.composeNotStartedMessage(nameNode.getRole()));
        }
    }

    /**
     * Checks that the calling user is a superuser.
     *
     * @throws AccessControlException if not
     */
    public void checkSuperuser(String operation, @Nullable String path) throws IOException {
        if (directory().isPermissionEnabled()) {
            FSPermissionChecker.setOperationType(operation);
            namesystem.getPermissionChecker().checkSuperuserPrivilege(path);
        }
    }

    /**
     * Checks the calling user's right to a path, and to traverse to it.
     *
     * @throws FileNotFoundException if the path does not exist
     * @throws AccessControlException if a permission is missing
     */
    public void checkAccess(String operation, String path, FsAction action) throws IOException {
        FSPermissionChecker checker = namesystem.getPermissionChecker();
        FSPermissionChecker.setOperationType(operation);
        read(() -> {
            checkAccess(checker, path, action);
            return true;
        });
    }

    /** Those of the paths to which the calling user has the right. Takes the lock once. */
    public Set<String> accessible(String operation, List<String> paths, FsAction action) throws IOException {
        FSPermissionChecker checker = namesystem.getPermissionChecker();
        FSPermissionChecker.setOperationType(operation);
        return read(() -> {
            Set<String> accessible = new HashSet<>();
            for (String path : paths) {
                try {
                    checkAccess(checker, path, action);
                    accessible.add(path);
                } catch (AccessControlException | FileNotFoundException e) {
                    // not for this user, or gone this moment
                }
            }
            return accessible;
        });
    }

    private void checkAccess(FSPermissionChecker checker, String path, FsAction action) throws IOException {
        INodesInPath inodes = directory().resolvePath(checker, path, DirOp.READ);
        if (inodes.getLastINode() == null) {
            throw new FileNotFoundException(path + " does not exist");
        }
        if (directory().isPermissionEnabled()) {
            directory().checkPathAccess(checker, inodes, action);
        }
    }

    /** The path of a block's file, or null if the block belongs to no file. Needs the read lock. */
    public @Nullable String fileOf(long blockId) {
        BlockInfo block = blocks().getStoredBlock(new Block(blockId));
        INode file = block == null ? null : directory().getInode(block.getBlockCollectionId());
        return file == null ? null : file.getFullPathName();
    }

    /**
     * The path without {@code /.reserved}: the path of the inode {@code fileId} if it is not 0 and exists, otherwise
     * the resolved {@code path}, which stays unchanged if it cannot be resolved.
     */
    public String resolve(String path, long fileId) throws IOException {
        if (fileId == 0 && !FSDirectory.isReservedName(path)) {
            return path;
        }
        return read(() -> {
            INode inode = fileId == 0 ? null : directory().getInode(fileId);
            if (inode != null) {
                return inode.getFullPathName();
            }
            try {
                return FSDirectory.resolvePath(path, directory());
            } catch (FileNotFoundException e) {
                return path; // the call itself will report it
            }
        });
    }
}
