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
package org.hadoopmpsr.client.maintain;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.maintain.MaintenanceLog.Event;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;

/** The runs of this process, each on a thread of its own, at most one in a dataset. Thread-safe. */
final class RunThreads {
    private final History history;
    private final MaintenanceLog log;
    private final Runnable ended;
    private final Timer clock = new Timer();
    /** By dataset id. */
    private final Map<String, Thread> threads = new LinkedHashMap<>();

    /** The datasets whose runs were told to end: their jobs may fail of the same signal that ends this process. */
    private final Set<String> ending = new HashSet<>();

    private boolean allDone = true;

    /** @param ended is called after each run */
    RunThreads(History history, MaintenanceLog log, Runnable ended) {
        this.history = history;
        this.log = log;
        this.ended = ended;
    }

    /** The ids of the datasets in which something runs. */
    synchronized Set<String> busy() {
        return Set.copyOf(threads.keySet());
    }

    /** True if all runs that have ended since the last call were done. */
    synchronized boolean takeAllDone() {
        boolean done = allDone;
        allDone = true;
        return done;
    }

    /** Starts work in a dataset in which nothing runs. */
    void start(Look.Planned planned) {
        String task = planned.due().task();
        Dataset dataset = planned.dataset();
        MaintenanceRun begun = MaintenanceRun.started(task, clock.now());
        history.keep(dataset, begun);
        log.say(Event.STARTED, dataset.path(), task, planned.work().text());
        Thread thread = new Thread(() -> carryOut(planned, begun), "mpsr-" + task + "-" + dataset.id());
        synchronized (this) {
            threads.put(dataset.id(), thread);
        }
        thread.start();
    }

    private void carryOut(Look.Planned planned, MaintenanceRun begun) {
        Dataset dataset = planned.dataset();
        try {
            MaintenanceTask.Result result = result(planned, begun.task());
            MaintenanceRun run = begun.ended(
                            outcome(dataset, result), clock.now(), result.segments(), result.bytes(), result.problem())
                    .with(result.scrub());
            log.say(event(run), dataset.path(), run.task(), MaintenanceText.of(history.keep(dataset, run)));
            synchronized (this) {
                allDone &= run.outcome() == Outcome.DONE;
            }
        } finally {
            synchronized (this) {
                threads.remove(dataset.id());
                ending.remove(dataset.id());
            }
            ended.run();
        }
    }

    private MaintenanceTask.Result result(Look.Planned planned, String task) {
        try {
            return planned.work()
                    .run(text -> log.say(Event.PROGRESS, planned.dataset().path(), task, text));
        } catch (InterruptedException e) {
            return new MaintenanceTask.Result(Outcome.ENDED, 0, 0, null);
        } catch (IOException | RuntimeException e) {
            return new MaintenanceTask.Result(Outcome.FAILED, 0, 0, MpsrClient.answer(e));
        }
    }

    private synchronized Outcome outcome(Dataset dataset, MaintenanceTask.Result result) {
        boolean ended = result.outcome() == Outcome.FAILED && ending.contains(dataset.id());
        return ended ? Outcome.ENDED : result.outcome();
    }

    private static Event event(MaintenanceRun run) {
        return switch (run.outcome()) {
            case DONE -> Event.DONE;
            case FAILED -> Event.FAILED;
            case RUNNING, ENDED -> Event.ENDED;
        };
    }

    /** Tells all runs to end. */
    synchronized void interrupt() {
        ending.addAll(threads.keySet());
        threads.values().forEach(Thread::interrupt);
    }

    /** Ends all runs, and waits until they have ended. */
    void end() throws InterruptedException {
        List<Thread> all;
        synchronized (this) {
            interrupt();
            all = List.copyOf(threads.values());
        }
        for (Thread thread : all) {
            thread.join();
        }
    }
}
