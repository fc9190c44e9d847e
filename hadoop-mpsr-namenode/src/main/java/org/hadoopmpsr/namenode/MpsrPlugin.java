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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ServicePlugin;
import org.hadoopmpsr.client.MpsrProtocolPB;
import org.hadoopmpsr.client.proto.MpsrProtos.MpsrProtocolService;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings MPSR into a NameNode; set as {@code dfs.namenode.plugins}. Starts before the NameNode lets calls through.
 * Whatever fails here leaves a working HDFS: the placement policy then refuses the store's files, and nothing else.
 */
public final class MpsrPlugin implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(MpsrPlugin.class);
    private static final String METRICS = "Mpsr";

    private @Nullable Mpsr mpsr;

    @Override
    public void start(Object service) {
        try {
            MpsrNamesystem system = new MpsrNamesystem((NameNode) service);
            MpsrConfig config = MpsrConfig.read(key -> system.conf().getTrimmed(key));
            Mpsr parts = new Mpsr(system, config);
            mpsr = parts;
            parts.activation().activate();
            parts.placement().rebind();
            for (RPC.Server server : system.rpcServers()) {
                register(server, system, config, parts);
            }
            DefaultMetricsSystem.instance()
                    .register(METRICS, "Replicas that are each partitioned differently", parts.counters());
            parts.upkeep().start();
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.error("MPSR cannot start and is off; the NameNode goes on without it", e);
        }
    }

    private static void register(RPC.Server server, MpsrNamesystem system, MpsrConfig config, Mpsr parts)
            throws IOException {
        RPC.setProtocolEngine(system.conf(), MpsrProtocolPB.class, ProtobufRpcEngine2.class);
        server.addProtocol(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                MpsrProtocolPB.class,
                MpsrProtocolService.newReflectiveBlockingService(new MpsrService(parts)));
        server.addProtocol(
                RPC.RpcKind.RPC_PROTOCOL_BUFFER,
                ClientNamenodeProtocolPB.class,
                new ClientCalls(
                        ClientNamenodeProtocol.newReflectiveBlockingService(
                                new ClientNamenodeProtocolServerSideTranslatorPB(system.rpc())),
                        system,
                        config,
                        parts));
    }

    @Override
    public void stop() {
        Mpsr parts = mpsr;
        if (parts != null) {
            mpsr = null;
            parts.upkeep().stop();
            parts.placement().unbind();
            DefaultMetricsSystem.instance().unregisterSource(METRICS);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
