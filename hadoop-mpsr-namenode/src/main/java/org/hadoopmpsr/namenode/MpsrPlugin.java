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
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.namenode.calls.ServicePolicy;
import org.hadoopmpsr.namenode.calls.WebCalls;
import org.hadoopmpsr.namenode.http.HttpApi;
import org.hadoopmpsr.namenode.status.OptionalParts;
import org.hadoopmpsr.namenode.status.WebPages;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Starts MPSR in a NameNode; set as {@code dfs.namenode.plugins}. Starts before the NameNode serves calls. If something
 * necessary fails here, HDFS works: the placement policy then refuses the files of the store, and nothing else.
 */
public final class MpsrPlugin implements ServicePlugin {
    private static final Logger LOG = PrintableLog.of(MpsrPlugin.class);
    private static final String METRICS = "Mpsr";

    private final Timer clock;
    private @Nullable Mpsr mpsr;
    private @Nullable ObjectName bean;

    /** With the machine's clock; called by the NameNode. */
    public MpsrPlugin() {
        this(new Timer());
    }

    /** @param clock the clock of all parts */
    MpsrPlugin(Timer clock) {
        this.clock = clock;
    }

    @Override
    public void start(Object service) {
        try {
            Preload.start();
            MpsrNamesystem system = new MpsrNamesystem((NameNode) service, clock);
            MpsrConfig config = MpsrConfig.read(new HadoopKeys(system.conf()));
            Mpsr parts = Wiring.connect(system, config);
            mpsr = parts;
            parts.rights().install();
            parts.activation().activate();
            parts.placement().publish();
            for (RPC.Server server : system.rpcServers()) {
                Protocols.register(server, system, config, parts);
            }
            if (system.authorizesServices()) {
                ServicePolicy.apply(system.rpcServers(), system.conf());
            }
            parts.upkeep().start();
            startOptional(system, config, parts);
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.error("MPSR cannot start and is off; the NameNode goes on without it", e);
        }
    }

    /** Starts what MPSR can do without, once all else runs. */
    private void startOptional(MpsrNamesystem system, MpsrConfig config, Mpsr parts) {
        OptionalParts optional = parts.optional();
        boolean watched = optional.start(
                "the check of WebHDFS calls",
                "a rename, a change of a replica count, or of the store by WebHDFS is not refused where MPSR refuses it"
                        + " by other ways, a replaced file is not found by its old path, and each plan and each read of another group look at every file",
                () -> WebCalls.install(
                        system,
                        parts.activation(),
                        parts.renameRules(),
                        parts.placement(),
                        parts.verification(),
                        parts.replicationRule(),
                        parts.rightsOfCalls(),
                        parts.storeGuard(),
                        parts.replacedFiles(),
                        parts.exchanges()));
        if (!watched) {
            parts.verification().unwatched();
            parts.rights().unwatched();
        }
        optional.start(
                "the metrics",
                "there are none of MPSR in /prom and /jmx",
                () -> DefaultMetricsSystem.instance()
                        .register(METRICS, "Replicas that are each partitioned differently", parts.counters()));
        optional.start(
                "the bean MpsrInfo",
                "the page in the web UI stays empty",
                () -> bean = MBeans.register("NameNode", "MpsrInfo", parts.info()));
        optional.start("the page in the web UI", "see /jmx instead", () -> WebPages.install(system));
        optional.start(
                "the HTTP API",
                "there is no " + HttpApi.PREFIX + " on the web server, and readers in Python find no plans there",
                () -> HttpApi.install(system, Protocols.service(system, config, parts)));
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
