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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be done from time to time, on threads of its own: notice a transition, renamed datasets and new DataNodes,
 * complete commits, delete staged commits that were given up and what is left of dropped datasets; and, not to keep
 * these waiting, look at all files and empty nodes that are to change their group.
 * Whatever fails is logged and tried again.
 */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final long TICK_MS = 500;
    private static final long CLEAN_MS = 60_000;

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Mpsr mpsr;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(3, task -> {
        Thread t = new Thread(task, "mpsr-upkeep");
        t.setDaemon(true);
        return t;
    });

    Upkeep(MpsrNamesystem system, Namespace namespace, StoreLayout layout, MpsrConfig config, Mpsr mpsr) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.config = config;
        this.mpsr = mpsr;
    }

    private interface Step {
        void run() throws IOException;
    }

    void start() {
        threads.scheduleWithFixedDelay(
                () -> guarded(this::tick, this::follow), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        threads.scheduleWithFixedDelay(() -> guarded(this::clean), CLEAN_MS, CLEAN_MS, TimeUnit.MILLISECONDS);
        threads.scheduleWithFixedDelay(
                () -> guarded(mpsr.rebalance().run()::advance), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        long healthS = config.healthIntervalSeconds();
        threads.scheduleWithFixedDelay(() -> guarded(mpsr.health()::check), healthS, healthS, TimeUnit.SECONDS);
    }

    void stop() {
        threads.shutdownNow();
    }

    private void guarded(Step step) {
        guarded(step, () -> {});
    }

    /** @param otherwise what a standby or observer does instead */
    private void guarded(Step step, Step otherwise) {
        try {
            if (system.ha().isWritable()) {
                step.run();
            } else if (!system.ha().isActive()) {
                otherwise.run();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("MPSR's upkeep failed and is tried again", e);
            mpsr.counters().increment(Counter.ERRORS);
        }
    }

    private void follow() throws IOException {
        mpsr.activation().follow();
        mpsr.safeModeExit().check(); // not only when it has to become active
        mpsr.planning().expirePages();
    }

    private void tick() throws IOException {
        mpsr.activation().activate();
        mpsr.readiness().refresh();
        mpsr.datasets().refresh();
        if (!system.safeMode().isOn()) {
            allocateNew();
        }
        mpsr.activation().completeCommits();
        mpsr.removal().deleteDue();
        mpsr.movedCopies().deleteWrong();
        mpsr.safeModeExit().check();
        mpsr.planning().expirePages();
    }

    /** Nothing is written in a cluster that has no dataset. */
    private void allocateNew() throws IOException {
        if (mpsr.datasets().all().isEmpty()
                || config.groups().isEmpty()
                || !mpsr.allocation().isIncomplete()) {
            return;
        }
        Map<String, String> added = system.write(
                "mpsrAllocate",
                edits -> mpsr.allocation().allocateNew(edits, config.groups().get()));
        added.forEach((uuid, group) -> LOG.info("MPSR: DataNode {} belongs to replica group {}", uuid, group));
    }

    private void clean() throws IOException {
        long before = Time.now() - TimeUnit.HOURS.toMillis(config.stagingExpiryHours());
        if (system.safeMode().isOn()) {
            return;
        }
        for (DatasetRecord dataset : mpsr.datasets().all()) {
            List<String> expired = system.read(() -> expired(dataset, before));
            for (String staging : expired) {
                system.write("mpsrExpireStaging", edits -> {
                    edits.delete(staging);
                    return true;
                });
                mpsr.counters().increment(Counter.EXPIRED_STAGING);
                LOG.info("MPSR: deleted {}, which was never published", staging);
            }
        }
    }

    private List<String> expired(DatasetRecord dataset, long before) throws IOException {
        List<String> expired = new ArrayList<>();
        for (INode staging : namespace.children(layout.datasetDir(dataset.id()) + "/" + StoreLayout.STAGING)) {
            if (newest(staging) < before) {
                expired.add(staging.getFullPathName());
            }
        }
        return expired;
    }

    private static long newest(INode inode) {
        long newest = inode.getModificationTime();
        for (INode child : Namespace.children(inode)) {
            newest = Math.max(newest, newest(child));
        }
        return newest;
    }
}
