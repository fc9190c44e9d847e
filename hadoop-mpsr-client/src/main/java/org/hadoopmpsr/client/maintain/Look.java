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
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.maintain.MaintenanceLog.Event;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.Schedule;
import org.hadoopmpsr.core.maintain.Schedule.Due;
import org.jspecify.annotations.Nullable;

/** Looks in all datasets what is due. For one thread. */
final class Look {
    private final Maintainer.Cluster cluster;
    private final List<MaintenanceTask> tasks;
    private final long pauseMs;
    private final History history;
    private final MaintenanceLog log;
    private final Timer clock = new Timer();
    private boolean complete;
    private int underway;

    /** @param pauseMs how long a task that has failed waits at least, see {@link Schedule#readyAtMs} */
    Look(Maintainer.Cluster cluster, List<MaintenanceTask> tasks, long pauseMs, History history, MaintenanceLog log) {
        this.cluster = cluster;
        this.tasks = tasks;
        this.pauseMs = pauseMs;
        this.history = history;
        this.log = log;
    }

    /** Work that is due. */
    record Planned(Dataset dataset, MaintenanceTask.Work work, Due due) {}

    /** True if the last look saw all there is; false if a task failed, waits after a failure, or runs somewhere. */
    boolean isComplete() {
        return complete;
    }

    /** True if other processes did something in the last look. */
    boolean sawOthers() {
        return underway > 0;
    }

    /**
     * What is due.
     *
     * @param busy the ids of the datasets in which something runs; they are passed over
     * @param goesOn false to end early
     */
    List<Planned> look(Set<String> busy, BooleanSupplier goesOn) {
        complete = true;
        underway = 0;
        List<Planned> planned = new ArrayList<>();
        List<Dataset> datasets;
        try {
            datasets = cluster.datasets();
        } catch (IOException | RuntimeException e) {
            complete = false;
            history.fail();
            log.say(Event.FAILED, null, null, "the datasets cannot be listed: " + MpsrClient.answer(e));
            return planned;
        }
        history.retain(datasets.stream().map(Dataset::id).collect(Collectors.toSet()));
        if (!addDue(planned, datasets, task -> true, busy, goesOn)) {
            return planned;
        }
        String others = underway == 0 ? "" : "; other processes run: " + underway;
        log.say(
                Event.LOOKED,
                null,
                null,
                "looked at " + datasets.size() + " datasets; due: " + planned.size() + others);
        return planned;
    }

    /**
     * What is due of tasks that press. {@link #isComplete} stays as it is, and nothing is logged where nothing is due.
     *
     * @param busy as for {@link #look}
     * @param goesOn as for {@link #look}
     */
    List<Planned> lookForPressing(Set<String> busy, BooleanSupplier goesOn) {
        boolean completeBefore = complete;
        int underwayBefore = underway;
        List<Planned> planned = new ArrayList<>();
        if (tasks.stream().anyMatch(MaintenanceTask::isPressing)) {
            try {
                addDue(planned, cluster.datasets(), MaintenanceTask::isPressing, busy, goesOn);
            } catch (IOException | RuntimeException e) {
                log.say(Event.FAILED, null, null, "the datasets cannot be listed: " + MpsrClient.answer(e));
            }
        }
        complete = completeBefore;
        underway = underwayBefore;
        return planned;
    }

    /** Adds what is due of some tasks; false if it has ended early. */
    private boolean addDue(
            List<Planned> planned,
            List<Dataset> datasets,
            Predicate<MaintenanceTask> wanted,
            Set<String> busy,
            BooleanSupplier goesOn) {
        for (Dataset dataset : datasets) {
            complete &= !busy.contains(dataset.id());
            for (int order = 0; order < tasks.size() && !busy.contains(dataset.id()); order++) {
                if (!goesOn.getAsBoolean()) {
                    complete = false;
                    return false;
                }
                Planned due = wanted.test(tasks.get(order)) ? look(dataset, tasks.get(order), order) : null;
                if (due != null) {
                    planned.add(due);
                }
            }
        }
        return true;
    }

    /** True if the task of a name presses. */
    boolean isPressing(String name) {
        return tasks.stream().anyMatch(task -> task.isPressing() && task.name().equals(name));
    }

    private @Nullable Planned look(Dataset dataset, MaintenanceTask task, int order) {
        MaintenanceRun last = history.last(dataset, task.name());
        if (last != null && last.outcome() == Outcome.RUNNING) { // and not by this process
            last = failed(dataset, last, "the process that ran it has ended without a word");
        }
        if (Schedule.readyAtMs(last, pauseMs) > clock.now()) {
            complete = false;
            return null;
        }
        try {
            if (task.isUnderway(dataset)) {
                complete = false;
                underway++;
                return null;
            }
            Optional<MaintenanceTask.Work> work = task.due(dataset);
            return work.isEmpty()
                    ? null
                    : new Planned(dataset, work.get(), new Due(dataset.id(), task.name(), order, last));
        } catch (IOException | RuntimeException e) {
            failed(
                    dataset,
                    MaintenanceRun.started(task.name(), clock.now()),
                    "what is due cannot be found out: " + MpsrClient.answer(e));
            return null;
        }
    }

    private MaintenanceRun failed(Dataset dataset, MaintenanceRun run, String problem) {
        complete = false;
        log.say(Event.FAILED, dataset.path(), run.task(), problem);
        return history.keep(dataset, run.ended(Outcome.FAILED, clock.now(), run.segments(), run.bytes(), problem));
    }
}
