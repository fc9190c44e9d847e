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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.hadoopmpsr.mount.fuse.Errno;
import org.hadoopmpsr.mount.fuse.ErrnoException;
import org.junit.jupiter.api.Test;

class ErrorsTest {

    private static RemoteException remote(Class<?> type, String message) {
        return new RemoteException(type.getName(), message);
    }

    @Test
    void exceptionsHaveNumbers() {
        assertThat(Errors.of(new FileNotFoundException("x"))).isEqualTo(Errno.ENOENT);
        assertThat(Errors.of(new AccessControlException("x"))).isEqualTo(Errno.EACCES);
        assertThat(Errors.of(new DSQuotaExceededException(1, 2))).isEqualTo(Errno.EDQUOT);
        assertThat(Errors.of(new AlreadyBeingCreatedException("x"))).isEqualTo(Errno.EBUSY);
        assertThat(Errors.of(new ConnectException("x"))).isEqualTo(Errno.EHOSTDOWN);
        assertThat(Errors.of(new UnsupportedOperationException("x"))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(Errors.of(new ErrnoException(Errno.ERANGE, "x"))).isEqualTo(Errno.ERANGE);
        assertThat(Errors.of(new OutOfMemoryError("x"))).isEqualTo(Errno.ENOMEM);
        assertThat(Errors.of(new IOException("x"))).isEqualTo(Errno.EIO);
        assertThat(Errors.of(new NullPointerException())).isEqualTo(Errno.EIO);
    }

    @Test
    void exceptionsOfTheNameNodeHaveThoseOfTheirClass() {
        assertThat(Errors.of(remote(FileNotFoundException.class, "x"))).isEqualTo(Errno.ENOENT);
        assertThat(Errors.of(remote(SafeModeException.class, "x"))).isEqualTo(Errno.EROFS);
        assertThat(Errors.of(remote(RecoveryInProgressException.class, "x"))).isEqualTo(Errno.EBUSY);
        assertThat(Errors.of(remote(StandbyException.class, "x"))).isEqualTo(Errno.EHOSTDOWN);
        assertThat(Errors.of(new RemoteException("org.example.OfNobody", "x"))).isEqualTo(Errno.EIO);
    }

    @Test
    void causesCount() {
        IOException cause = new AccessControlException("no");
        assertThat(Errors.of(new UncheckedIOException(new IOException("failed", cause))))
                .isEqualTo(Errno.EACCES);
        IOException loop = new IOException("a");
        loop.initCause(new IOException("b", loop));
        assertThat(Errors.of(loop)).isEqualTo(Errno.EIO);
    }

    @Test
    void noRoomIsTold() {
        String message =
                "File /a could only be written to 0 of the 1 minReplication nodes. There are %d datanode(s) running"
                        + " and no node(s) are excluded in this operation.";
        assertThat(Errors.of(remote(IOException.class, String.format(message, 3))))
                .isEqualTo(Errno.ENOSPC);
        assertThat(Errors.of(remote(IOException.class, String.format(message, 0))))
                .isEqualTo(Errno.EIO);
    }
}
