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
package org.hadoopmpsr.namenode.upkeep;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.StandbyException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.namenode.index.ChangedMeanwhileException;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.slf4j.Logger;

/** Runs the periodic tasks on threads of its own. A failed task is logged, and tried again after its period. */
public final class Upkeep {
    private static final Logger LOG = PrintableLog.of(Upkeep.class);
    /** Several threads, because short tasks must not wait for long ones. */
    private static final int THREADS = 3;

    private final MpsrNamesystem system;
    private final Counters counters;
    private final List<PeriodicTask> tasks;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread t = new Thread(task, "mpsr-upkeep");
        t.setDaemon(true);
        return t;
    });

    /** The tasks, which nothing runs before {@link #start()}. */
    public Upkeep(MpsrNamesystem system, Counters counters, List<PeriodicTask> tasks) {
        this.system = system;
        this.counters = counters;
        this.tasks = tasks;
    }

    /** Runs each task again and again, for the first time after its period. */
    public void start() {
        for (PeriodicTask task : tasks) {
            long periodMs = task.period().toMillis();
            threads.scheduleWithFixedDelay(() -> run(task), periodMs, periodMs, TimeUnit.MILLISECONDS);
        }
    }

    /** Runs no task any more, and interrupts those that run. */
    public void stop() {
        threads.shutdownNow();
    }

    private void run(PeriodicTask task) {
        try {
            if (system.ha().isWritable()) {
                run(task.active());
            } else if (!system.ha().isActive()) {
                run(task.follower());
            }
        } catch (ChangedMeanwhileException | StandbyException e) {
            LOG.info("MPSR looks again later: {}", e.getMessage());
        } catch (Throwable e) { // or the thread would end, and the task with it
            LOG.warn("MPSR's upkeep of {} failed and is tried again", task.name(), e);
            counters.increment(Counter.ERRORS);
        }
    }

    private static void run(List<PeriodicTask.Step> steps) throws IOException {
        for (PeriodicTask.Step step : steps) {
            step.run();
        }
    }
}
