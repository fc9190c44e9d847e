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
package org.hadoopmpsr.hadooptests;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RegisteredService;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.util.ServicePlugin;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Started after MPSR's plugin: makes each directory below the root a dataset when a client first makes it or writes into
 * it, so that the files of tests lie in datasets. Where that cannot be (too few DataNodes, files in the root itself) the
 * directory stays ordinary.
 */
public final class DatasetDirectories implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetDirectories.class);

    @Override
    public void start(Object service) {
        try {
            MpsrNamesystem system = new MpsrNamesystem((NameNode) service);
            for (RPC.Server server : system.rpcServers()) {
                BlockingService client = RegisteredService.of(server, ClientNamenodeProtocolPB.class);
                BlockingService mpsr = RegisteredService.of(server, MpsrProtocolPB.class);
                DatasetCalls calls = new DatasetCalls(system, client, mpsr);
                server.addProtocol(
                        RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, around(client, calls));
            }
        } catch (RuntimeException e) {
            LOG.error("No directory becomes a dataset here", e);
        }
    }

    private static BlockingService around(BlockingService delegate, DatasetCalls calls) {
        return (BlockingService) Proxy.newProxyInstance(
                DatasetDirectories.class.getClassLoader(),
                new Class<?>[] {BlockingService.class},
                (proxy, method, args) -> {
                    boolean isCall = method.getName().equals("callBlockingMethod");
                    return isCall ? calls.call(args) : invoke(delegate, method, args);
                });
    }

    private static Object invoke(BlockingService delegate, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(delegate, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public void stop() {}

    @Override
    public void close() {}
}
