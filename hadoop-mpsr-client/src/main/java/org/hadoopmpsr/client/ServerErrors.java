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
package org.hadoopmpsr.client;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Throws what the server threw, for every call of the protocol. It is around Hadoop's retries, which know a server's
 * error by {@link RemoteException}: within them any other exception makes them ask the next NameNode.
 */
final class ServerErrors implements InvocationHandler, Closeable {
    private static final List<Class<? extends IOException>> KNOWN = List.of(
            AccessControlException.class,
            FileNotFoundException.class,
            OversizeMessageException.class,
            PlanChangedException.class,
            RetriableException.class,
            StandbyException.class,
            NSQuotaExceededException.class,
            DSQuotaExceededException.class);

    private final MpsrProtocol protocol;

    private ServerErrors(MpsrProtocol protocol) {
        this.protocol = protocol;
    }

    static MpsrProtocol thrownBy(MpsrProtocol protocol) {
        return (MpsrProtocol) Proxy.newProxyInstance(
                MpsrProtocol.class.getClassLoader(), new Class<?>[] {MpsrProtocol.class}, new ServerErrors(protocol));
    }

    /** True for an error that the server reports, false for one on the way to it. */
    static boolean isAnswer(Throwable failure) {
        return failure instanceof RemoteException
                || failure.getCause() instanceof RemoteException && KNOWN.contains(failure.getClass());
    }

    /** The server's message without its stack trace. */
    static String text(RemoteException remote) {
        return String.valueOf(remote.getMessage())
                .lines()
                .takeWhile(line -> !line.startsWith("\tat "))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(protocol, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RemoteException remote ? unwrapped(remote) : e.getCause();
        }
    }

    private static IOException unwrapped(RemoteException remote) {
        for (Class<? extends IOException> type : KNOWN) {
            if (type.getName().equals(remote.getClassName())) {
                try {
                    IOException error = type.getConstructor(String.class).newInstance(text(remote));
                    error.initCause(remote);
                    return error;
                } catch (ReflectiveOperationException e) {
                    remote.addSuppressed(e);
                }
            }
        }
        return remote;
    }

    @Override
    public void close() {
        RPC.stopProxy(protocol);
    }
}
