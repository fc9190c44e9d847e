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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.maintain.MaintenanceLog.Event;
import org.hadoopmpsr.core.maintain.HeldLease;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.LeaseRequest.DatasetRun;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the lease of this process, and tells the NameNode of its runs. Asks on a thread of its own, because a call may take
 * long while NameNodes change; another thread watches the time, and says in time that the lease is lost. Thread-safe.
 */
final class LeaseKeeper implements AutoCloseable {
    /** Of a lease a third passes between two questions. */
    private static final int QUESTIONS = 3;

    private static final long WATCH_MS = 500;
    private static final long LONGEST_ANSWER_S = 5;

    /** The call to the NameNode. */
    interface Call {
        LeaseAnswer ask(LeaseRequest request) throws IOException;
    }

    private final Call call;
    private final String holder;
    private final long leaseMs;
    private final MaintenanceLog log;
    private final Runnable changed;
    private final Timer clock = new Timer();
    private final ScheduledExecutorService asking = thread("mpsr-lease");
    private final ScheduledExecutorService watching = thread("mpsr-lease-watch");
    private final List<DatasetRun> untold = new ArrayList<>();
    private HeldLease lease = HeldLease.NONE;
    private boolean held;
    private boolean checked;
    private boolean asked;
    private @Nullable IOException problem;
    private String said = "";

    /**
     * Of a process.
     *
     * @param holder the name of the process
     * @param changed is called after each answer, and when the lease is lost
     */
    LeaseKeeper(Call call, String holder, long leaseMs, MaintenanceLog log, Runnable changed) {
        this.call = call;
        this.holder = holder;
        this.leaseMs = leaseMs;
        this.log = log;
        this.changed = changed;
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    void start() {
        asking.scheduleWithFixedDelay(this::ask, 0, leaseMs / QUESTIONS, TimeUnit.MILLISECONDS);
        watching.scheduleWithFixedDelay(this::watch, WATCH_MS, WATCH_MS, TimeUnit.MILLISECONDS);
    }

    /** True if runs may start and go on. */
    synchronized boolean isHeld() {
        return held;
    }

    /** True once the first question has an answer, or none is to be had. */
    synchronized boolean isAsked() {
        return asked;
    }

    /** Why the last question has no answer; null if it has. */
    synchronized @Nullable IOException problem() {
        return problem;
    }

    /** Tells the NameNode of a run, soon. */
    synchronized void tell(DatasetRun run) {
        untold.add(run);
        if (!asking.isShutdown()) {
            asking.execute(this::ask);
        }
    }

    /** Tells the NameNode with the next question that nothing is left to do. */
    synchronized void tellChecked() {
        checked = true;
    }

    private void ask() {
        LeaseRequest request = request(false);
        long sentMs = clock.monotonicNow();
        try {
            take(request, call.ask(request), sentMs);
        } catch (IOException e) {
            failed(request, e);
        } catch (RuntimeException e) { // or the thread would ask no more
            failed(request, new IOException(e));
        }
        changed.run();
    }

    private synchronized LeaseRequest request(boolean release) {
        List<DatasetRun> runs =
                untold.size() > LeaseRequest.MAX_RUNS ? untold.subList(0, LeaseRequest.MAX_RUNS) : untold;
        return new LeaseRequest(holder, leaseMs, release, checked, runs);
    }

    private synchronized void take(LeaseRequest request, LeaseAnswer answer, long sentMs) {
        asked = true;
        problem = null;
        lease = lease.after(answer, sentMs);
        held = lease.isHeld(clock.monotonicNow(), leaseMs);
        untold.removeAll(request.runs()); // they are kept, or those of another process are
        checked &= !request.checked();
        if (answer.granted()) {
            say(Event.LEASE, "this process maintains the cluster");
        } else {
            say(Event.WAITING, answer.reason() == null ? "another process maintains the cluster" : answer.reason());
        }
    }

    private synchronized void failed(LeaseRequest request, IOException e) {
        asked = true;
        problem = e;
        if (MpsrClient.isAnswer(e)) {
            untold.removeAll(request.runs()); // or it would be refused again and again
        }
        say(
                Event.WAITING,
                "the NameNode does not say whether this process maintains the cluster: " + MpsrClient.answer(e));
    }

    private void say(Event event, String text) {
        if (!text.equals(said)) {
            said = text;
            log.say(event, null, null, text);
        }
    }

    private void watch() {
        if (isLost()) {
            changed.run();
        }
    }

    private synchronized boolean isLost() {
        boolean before = held;
        held = lease.isHeld(clock.monotonicNow(), leaseMs);
        return before && !held;
    }

    /** Lets a question that is underway come to its answer, for some seconds. */
    private void endAsking() {
        asking.shutdown();
        try {
            asking.awaitTermination(LONGEST_ANSWER_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        asking.shutdownNow();
    }

    /** Leaves, after telling of what is untold. */
    @Override
    public void close() {
        watching.shutdownNow();
        endAsking();
        if (!isHeld()) {
            return;
        }
        try {
            call.ask(request(false));
            call.ask(new LeaseRequest(holder, leaseMs, true, false, List.of()));
            log.say(Event.LEASE, null, null, "this process no longer maintains the cluster");
        } catch (IOException | RuntimeException e) {
            log.say(
                    Event.WAITING,
                    null,
                    null,
                    "the NameNode was not told that this process ends, and gives the lease to another one later: "
                            + MpsrClient.answer(e));
        }
    }
}
