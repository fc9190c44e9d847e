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
package org.hadoopmpsr.namenode.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.ExternalCall;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A call of a web client: it waits in the queue of calls by RPC, and a handler runs its action as its user.
 *
 * @param <T> of the answer
 */
final class WebCall<T> extends ExternalCall<T> {
    /** As audit logs and Hadoop's metrics name it. */
    private static final String PROTOCOL = "webhdfs";

    private final UserGroupInformation user;
    private final InetAddress address;
    private final int port;

    /**
     * A call that is not in the queue yet.
     *
     * @param address of the client
     * @param port of the client
     */
    WebCall(UserGroupInformation user, InetAddress address, int port, PrivilegedExceptionAction<T> action) {
        super(action);
        this.user = user;
        this.address = address;
        this.port = port;
    }

    /**
     * Puts the call into the queue, and waits for its answer.
     *
     * @throws IOException what the action throws; {@link org.apache.hadoop.ipc.RetriableException} while the NameNode starts, or if the
     *     queue takes no more calls of this user
     */
    T answer(MpsrNamesystem system) throws IOException {
        try {
            system.queue(this);
            return get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException refused ? refused : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a call waited");
        }
    }

    @Override
    public UserGroupInformation getRemoteUser() {
        return user;
    }

    @Override
    public InetAddress getHostInetAddress() {
        return address;
    }

    @Override
    public String getHostAddress() {
        return address.getHostAddress();
    }

    @Override
    public int getRemotePort() {
        return port;
    }

    @Override
    public String getProtocol() {
        return PROTOCOL;
    }
}
