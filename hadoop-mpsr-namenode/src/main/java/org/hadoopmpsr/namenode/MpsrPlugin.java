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
import javax.management.ObjectName;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.util.ServicePlugin;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.calls.ServicePolicy;
import org.hadoopmpsr.namenode.calls.WebCalls;
import org.hadoopmpsr.namenode.status.WebPages;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts MPSR in a NameNode; set as {@code dfs.namenode.plugins}. Starts before the NameNode serves calls. If anything
 * fails here, HDFS works: the placement policy then refuses the files of the store, and nothing else.
 */
public final class MpsrPlugin implements ServicePlugin {
    private static final Logger LOG = LoggerFactory.getLogger(MpsrPlugin.class);
    private static final String METRICS = "Mpsr";

    private @Nullable Mpsr mpsr;
    private @Nullable ObjectName bean;

    @Override
    public void start(Object service) {
        try {
            MpsrNamesystem system = new MpsrNamesystem((NameNode) service);
            MpsrConfig config = MpsrConfig.read(key -> system.conf().getTrimmed(key));
            Mpsr parts = new Mpsr(system, config);
            mpsr = parts;
            parts.activation().activate();
            parts.placement().publish();
            for (RPC.Server server : system.rpcServers()) {
                Protocols.register(server, system, config, parts);
            }
            if (system.authorizesServices()) {
                ServicePolicy.apply(system.rpcServers(), system.conf());
            }
            WebCalls.install(
                    system,
                    parts.activation(),
                    parts.renameRules(),
                    parts.placement(),
                    parts.verification(),
                    parts.replicationRule());
            DefaultMetricsSystem.instance()
                    .register(METRICS, "Replicas that are each partitioned differently", parts.counters());
            bean = MBeans.register("NameNode", "MpsrInfo", parts.info());
            parts.upkeep().start();
            addPages(system);
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.error("MPSR cannot start and is off; the NameNode goes on without it", e);
        }
    }

    /** A missing page in the web UI does not turn MPSR off. */
    private static void addPages(MpsrNamesystem system) {
        try {
            WebPages.install(system);
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.warn("MPSR has no page in the web UI; see /jmx instead", e);
        }
    }

    @Override
    public void stop() {
        Mpsr parts = mpsr;
        if (parts != null) {
            mpsr = null;
            parts.upkeep().stop();
            parts.placement().unbind();
            DefaultMetricsSystem.instance().unregisterSource(METRICS);
            if (bean != null) {
                MBeans.unregister(bean);
                bean = null;
            }
        }
    }

    @Override
    public void close() {
        stop();
    }
}
