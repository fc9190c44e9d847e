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
package org.hadoopmpsr.namenode.ha;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.namenode.commit.RollForward;
import org.hadoopmpsr.namenode.copies.MovedCopies;
import org.hadoopmpsr.namenode.dataset.DatasetLocks;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.slf4j.Logger;

/**
 * Loads MPSR's records when this NameNode starts as active or becomes active: reads allocation and datasets, and
 * completes commits. HDFS announces no transition. Every call and every periodic task therefore checks for one, which
 * costs a comparison. Thread-safe.
 */
public final class Activation {
    private static final Logger LOG = PrintableLog.of(Activation.class);
    private static final long NEVER = Long.MIN_VALUE;
    private static final long MAX_WAIT_MS = 5_000;

    private final MpsrNamesystem system;
    private final Allocation allocation;
    private final Datasets datasets;
    private final DatasetLocks locks;
    private final RollForward rollForward;
    private final Readiness readiness;
    private final MovedCopies movedCopies;
    private final Counters counters;
    private final ConfigProblem problem;

    private final ReentrantLock activating = new ReentrantLock();
    private volatile long activeFor = NEVER;
    private long followed = NEVER;
    private volatile boolean failed;

    /** @param plugin the class in {@code dfs.namenode.plugins} that brought MPSR into the NameNode */
    public Activation(
            MpsrNamesystem system,
            Allocation allocation,
            Datasets datasets,
            DatasetLocks locks,
            RollForward rollForward,
            Readiness readiness,
            MovedCopies movedCopies,
            Counters counters,
            String plugin) {
        this.system = system;
        this.allocation = allocation;
        this.datasets = datasets;
        this.locks = locks;
        this.rollForward = rollForward;
        this.readiness = readiness;
        this.movedCopies = movedCopies;
        this.counters = counters;
        this.problem = new ConfigProblem(
                DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY,
                plugin,
                "the records of datasets and nodes could not be read",
                "see the NameNode's log; it is tried again");
    }

    /**
     * Activates, unless that is done or this NameNode is not active. Waits for a while if another thread activates.
     * After a failure MPSR is off and the NameNode works on; the next periodic run tries again.
     *
     * @throws RetriableException if another thread takes long
     */
    public void ensure() throws IOException {
        if (activeFor == system.ha().transition() && system.ha().isActive()) {
            return; // what most calls find; asking whether it is writable would wait for the edit log's lock
        }
        if (system.ha().isActive() && !system.ha().isWritable()) {
            system.read(() -> true); // becoming active holds the lock
        }
        if (!system.ha().isWritable() || activeFor == system.ha().transition() || failed) {
            return;
        }
        if (!lockInTime()) {
            throw new RetriableException("the NameNode became active and takes up the records of MPSR");
        }
        try {
            if (!failed) {
                activate();
            }
        } finally {
            activating.unlock();
        }
    }

    /** Waits for the lock, because not every client tries again, and without MPSR no client would have to. */
    private boolean lockInTime() throws IOException {
        try {
            return activating.tryLock(MAX_WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableException("this NameNode stops; try again");
        }
    }

    /** Activates like {@link #ensure}, but waits without limit, and tries again after a failure. */
    public void activate() {
        activating.lock();
        try {
            if (system.ha().isWritable() && activeFor != system.ha().transition()) {
                takeUp(system.ha().transition());
            }
        } finally {
            activating.unlock();
        }
    }

    private void takeUp(long transition) {
        try {
            allocation.load();
            datasets.load();
            movedCopies.deleteWrong();
            completeCommits();
            activeFor = transition;
            setFailed(false);
        } catch (IOException | RuntimeException e) {
            LOG.error("MPSR cannot take up its records; datasets cannot be written until it can", e);
            counters.increment(Counter.ERRORS);
            setFailed(true);
        }
    }

    /**
     * On a standby or observer: reads what the active NameNode wrote since the last call.
     *
     * @throws IOException if it cannot be read; the known state stays
     */
    public void follow() throws IOException {
        activating.lock();
        try {
            long transaction = system.ha().appliedTransaction();
            if (!system.ha().isActive()) {
                if (transaction != followed) {
                    allocation.load();
                    datasets.load();
                    followed = transaction;
                }
                readiness.refresh();
            }
        } finally {
            activating.unlock();
        }
    }

    /** Completes the pending commits of all datasets. A failure in one dataset does not affect the others. */
    public void completeCommits() throws IOException {
        for (DatasetRecord dataset : datasets.all()) {
            if (system.read(() -> rollForward.isPending(dataset))) {
                try {
                    int n = locks.alone(
                            dataset,
                            () -> rollForward.completeAll(
                                    step -> system.writeEvenInSafeMode("mpsrRollForward", step), dataset));
                    counters.add(Counter.ROLLED_FORWARD, n);
                } catch (IOException | RuntimeException e) {
                    LOG.error("MPSR cannot complete the commits of {} yet", dataset.path(), e);
                    counters.increment(Counter.ERRORS);
                }
            }
        }
    }

    private void setFailed(boolean now) {
        if (now != failed) {
            failed = now;
            if (now) {
                readiness.fail(problem);
            } else {
                readiness.clear(problem);
            }
        }
    }
}
