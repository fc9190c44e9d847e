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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.Schedule;
import org.hadoopmpsr.core.maintain.Schedule.Due;

/**
 * Maintains the cluster while this process has the lease: looks again and again what is due, and runs it, in a dataset one
 * run at a time. The thread that calls {@link #run} decides.
 */
public final class Maintainer {
    private static final long TICK_MS = 1_000;
    private static final long LONGEST_STOP_S = 60;

    /** The cluster, as far as it is needed. */
    public interface Cluster {
        /** Asks for the lease. */
        LeaseAnswer ask(LeaseRequest request) throws IOException;

        /** The datasets that are to be maintained. */
        List<Dataset> datasets() throws IOException;
    }

    /**
     * What is wanted.
     *
     * @param holder the name of this process
     * @param once to end when all that was due at the beginning is done
     * @param intervalMs the time between two looks, in milliseconds
     * @param pressingMs the time between two looks for tasks that press, in milliseconds; 0 for no such looks
     * @param leaseMs the length of the lease, in milliseconds
     * @param runs the most runs at a time
     */
    public record Options(String holder, boolean once, long intervalMs, long pressingMs, long leaseMs, int runs) {
        /** How long a task that has failed waits at least; with {@code once} whoever starts the process decides. */
        long pauseMs() {
            return once ? 0 : intervalMs;
        }
    }

    private final Options options;
    private final LeaseKeeper keeper;
    private final History history;
    private final RunThreads threads;
    private final Look look;
    private final Timer clock = new Timer();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Look.Planned> planned = new ArrayList<>();
    private boolean stopping;

    public Maintainer(Cluster cluster, List<MaintenanceTask> tasks, Options options, MaintenanceLog log) {
        this.options = options;
        this.keeper = new LeaseKeeper(cluster::ask, options.holder(), options.leaseMs(), log, this::leaseChanged);
        this.history = new History(keeper::tell);
        this.threads = new RunThreads(history, log, this::wake);
        this.look = new Look(cluster, List.copyOf(tasks), options.pauseMs(), history, log);
    }

    /**
     * Maintains the cluster until {@link #stop} is called; with {@code once}, until all that was due is done, or at once if
     * another process maintains the cluster. Then ends what still runs, and gives the lease back. To be called once.
     *
     * @return false if something failed or was ended
     * @throws AccessControlException if this user may not maintain the cluster
     * @throws IOException with {@code once}, if the NameNode does not answer
     */
    public boolean run() throws IOException, InterruptedException {
        keeper.start();
        try {
            if (options.once()) {
                once();
            } else {
                always();
            }
        } finally {
            threads.end();
            keeper.close();
            end.countDown();
        }
        return !history.hasFailed();
    }

    private void once() throws IOException, InterruptedException {
        while (!keeper.isAsked() && !isStopping()) {
            pause();
        }
        IOException problem = keeper.problem();
        if (problem != null) {
            throw problem;
        }
        if (!mayRun()) {
            return;
        }
        planned.addAll(look.look(Set.of(), this::mayRun));
        while (mayRun() && !(planned.isEmpty() && threads.busy().isEmpty())) {
            startNext();
            pause();
        }
        if (!mayRun()) {
            history.fail(); // the lease is lost, or this process is to end
        } else if (look.isComplete() && threads.takeAllDone()) {
            keeper.tellChecked();
        }
    }

    private void always() throws IOException, InterruptedException {
        long next = clock.monotonicNow();
        long pressing = next;
        boolean untold = false;
        while (!isStopping()) {
            if (!keeper.isHeld()) {
                checkRights();
                threads.end();
                planned.clear();
                next = clock.monotonicNow();
                untold = false;
            } else if (clock.monotonicNow() >= next) {
                planned.clear();
                planned.addAll(look.look(threads.busy(), this::mayRun));
                next = clock.monotonicNow() + Schedule.untilNextLookMs(look.sawOthers(), options.intervalMs());
                pressing = clock.monotonicNow() + options.pressingMs();
                untold = look.isComplete();
                threads.takeAllDone();
            } else if (options.pressingMs() > 0 && clock.monotonicNow() >= pressing) {
                planned.removeIf(work -> look.isPressing(work.due().task()));
                planned.addAll(look.lookForPressing(threads.busy(), this::mayRun));
                pressing = clock.monotonicNow() + options.pressingMs();
            }
            startNext();
            if (untold && planned.isEmpty() && threads.busy().isEmpty()) {
                untold = false;
                if (threads.takeAllDone()) {
                    keeper.tellChecked();
                }
            }
            pause();
        }
    }

    private void checkRights() throws AccessControlException {
        if (keeper.problem() instanceof AccessControlException denied) {
            throw denied;
        }
    }

    private void startNext() {
        while (mayRun() && threads.busy().size() < options.runs()) {
            List<Due> due = planned.stream().map(Look.Planned::due).toList();
            Due next = Schedule.next(due, threads.busy(), clock.now(), options.pauseMs())
                    .orElse(null);
            if (next == null) {
                return;
            }
            threads.start(planned.remove(due.indexOf(next)));
        }
    }

    private boolean mayRun() {
        return keeper.isHeld() && !isStopping();
    }

    /** Ends {@link #run} and waits until it has ended, but not for ever. For another thread. */
    public void stop() throws InterruptedException {
        synchronized (this) {
            stopping = true;
            notifyAll();
        }
        threads.interrupt();
        end.await(LONGEST_STOP_S, TimeUnit.SECONDS);
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    private void leaseChanged() {
        if (!keeper.isHeld()) {
            threads.interrupt();
        }
        wake();
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized void pause() throws InterruptedException {
        if (!stopping) {
            wait(TICK_MS);
        }
    }
}
