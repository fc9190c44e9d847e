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
package org.hadoopmpsr.mount.view;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.security.sasl.SaslException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.KerberosAuthException;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;

/** The error number for each exception of Hadoop's client. What no rule tells is {@code EIO}. */
public final class Errors {
    /** By the class, in this order. */
    private static final Map<Class<? extends Throwable>, Errno> BY_CLASS = new LinkedHashMap<>();

    /** By the name of the class at the NameNode, for those that are no part of a client. */
    private static final Map<String, Errno> BY_NAME = Map.of(
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
            Errno.EROFS,
            "org.apache.hadoop.hdfs.protocol.FSLimitException$PathComponentTooLongException",
            Errno.ENAMETOOLONG,
            "org.apache.hadoop.hdfs.protocol.FSLimitException$MaxDirectoryItemsExceededException",
            Errno.ENOSPC,
            "org.apache.hadoop.hdfs.protocol.RecoveryInProgressException",
            Errno.EBUSY,
            "org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException",
            Errno.ESTALE);

    static {
        BY_CLASS.put(FileNotFoundException.class, Errno.ENOENT);
        BY_CLASS.put(AccessControlException.class, Errno.EACCES);
        BY_CLASS.put(KerberosAuthException.class, Errno.EACCES);
        BY_CLASS.put(SaslException.class, Errno.EACCES);
        BY_CLASS.put(QuotaExceededException.class, Errno.EDQUOT);
        BY_CLASS.put(FileAlreadyExistsException.class, Errno.EEXIST);
        BY_CLASS.put(PathIsNotEmptyDirectoryException.class, Errno.ENOTEMPTY);
        BY_CLASS.put(ParentNotDirectoryException.class, Errno.ENOTDIR);
        BY_CLASS.put(AlreadyBeingCreatedException.class, Errno.EBUSY);
        BY_CLASS.put(InvalidPathException.class, Errno.EINVAL);
        BY_CLASS.put(IllegalArgumentException.class, Errno.EINVAL);
        BY_CLASS.put(UnsupportedOperationException.class, Errno.EOPNOTSUPP);
        BY_CLASS.put(ConnectException.class, Errno.EHOSTDOWN);
        BY_CLASS.put(NoRouteToHostException.class, Errno.EHOSTDOWN);
        BY_CLASS.put(UnknownHostException.class, Errno.EHOSTDOWN);
        BY_CLASS.put(SocketTimeoutException.class, Errno.EHOSTDOWN);
        BY_CLASS.put(StandbyException.class, Errno.EHOSTDOWN);
        BY_CLASS.put(RetriableException.class, Errno.EHOSTDOWN);
        BY_CLASS.put(OutOfMemoryError.class, Errno.ENOMEM);
    }

    private Errors() {}

    /** The error number of an exception, or of the first of its causes that tells one. */
    public static Errno of(Throwable failure) {
        int deep = 0;
        for (Throwable cause = failure; cause != null && deep < 16; cause = cause.getCause(), deep++) {
            Errno told = told(cause);
            if (told != Errno.EIO) {
                return told;
            }
        }
        return Errno.EIO;
    }

    private static Errno told(Throwable failure) {
        if (failure instanceof ErrnoException errno) {
            return errno.errno();
        }
        if (failure instanceof RemoteException remote) {
            IOException local = remote.unwrapRemoteException();
            Errno byName = BY_NAME.get(String.valueOf(remote.getClassName()));
            return byName != null ? byName : local == remote ? byMessage(remote) : told(local);
        }
        Errno byName = BY_NAME.get(failure.getClass().getName());
        if (byName != null) {
            return byName;
        }
        for (Map.Entry<Class<? extends Throwable>, Errno> each : BY_CLASS.entrySet()) {
            if (each.getKey().isInstance(failure) && !(failure instanceof ClosedChannelException)) {
                return each.getValue();
            }
        }
        return byMessage(failure);
    }

    /** A NameNode that finds no DataNode for a block says so in words only. Without any DataNode, room is not what is missing. */
    private static Errno byMessage(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        boolean noNodeFits =
                message.contains("could only be written to") || message.contains("could only be replicated to");
        return noNodeFits && !message.contains("There are 0 datanode(s) running") ? Errno.ENOSPC : Errno.EIO;
    }
}
