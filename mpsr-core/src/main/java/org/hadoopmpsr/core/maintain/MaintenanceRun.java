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
package org.hadoopmpsr.core.maintain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last run of a maintenance task in a dataset. Times are milliseconds since the epoch. Immutable.
 *
 * @param task the name of the task, such as {@code compact}
 * @param startedMs when the run started; it identifies the run
 * @param endedMs when it ended; 0 while it runs
 * @param failures how many runs have failed one after the other, this one among them
 * @param lastDoneMs when a run was done last; 0 if none was
 * @param segments the segments that the run has replaced
 * @param bytes the bytes that the run has read
 * @param problem why the run failed, at most {@value #MAX_PROBLEM} characters, not printable as it is; null if it did not
 * @param scrub how far the scrub is; null for other tasks, and before the first run has ended
 */
public record MaintenanceRun(
        String task,
        long startedMs,
        long endedMs,
        Outcome outcome,
        int failures,
        long lastDoneMs,
        long segments,
        long bytes,
        @Nullable String problem,
        @Nullable ScrubSummary scrub) {
    /** The most tasks of which a dataset keeps the last run. */
    public static final int MAX_TASKS = 16;

    private static final int MAX_PROBLEM = 240;
    private static final Pattern TASK = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    /** How a run ended. */
    public enum Outcome {
        /** It has not ended. */
        RUNNING,
        /** All that was due is done. */
        DONE,
        FAILED,
        /** It was ended before it was done, and is no failure. */
        ENDED
    }

    /** @throws IllegalArgumentException if it makes no sense, with a message for the caller */
    public MaintenanceRun {
        if (!TASK.matcher(task).matches()) {
            throw new IllegalArgumentException("'" + task + "' is no name of a maintenance task; a name has up to 32 of"
                    + " a-z, 0-9 and hyphens, and starts with a letter");
        }
        if (startedMs < 1 || lastDoneMs < 0 || segments < 0 || bytes < 0 || failures < 0) {
            throw new IllegalArgumentException("a run of the maintenance task " + task + " has a number below 0, or did"
                    + " not start; started: " + startedMs + ", last done: " + lastDoneMs + ", segments: " + segments
                    + ", bytes: " + bytes + ", failures: " + failures);
        }
        boolean runs = outcome == Outcome.RUNNING;
        if (runs ? endedMs != 0 : endedMs < startedMs) {
            throw new IllegalArgumentException("a run of the maintenance task " + task + " is " + outcome
                    + ", started at " + startedMs + " and ended at " + endedMs);
        }
        problem = problem == null ? null : shortened(problem);
    }

    /** A run of another task than the scrub. */
    public MaintenanceRun(
            String task,
            long startedMs,
            long endedMs,
            Outcome outcome,
            int failures,
            long lastDoneMs,
            long segments,
            long bytes,
            @Nullable String problem) {
        this(task, startedMs, endedMs, outcome, failures, lastDoneMs, segments, bytes, problem, null);
    }

    /** A run that has begun. */
    public static MaintenanceRun started(String task, long nowMs) {
        return new MaintenanceRun(task, nowMs, 0, Outcome.RUNNING, 0, 0, 0, 0, null);
    }

    /** This run, ended. A clock that was put back meanwhile makes a run of no length. */
    public MaintenanceRun ended(Outcome outcome, long nowMs, long segments, long bytes, @Nullable String problem) {
        return new MaintenanceRun(
                task,
                startedMs,
                Math.max(startedMs, nowMs),
                outcome,
                failures,
                lastDoneMs,
                segments,
                bytes,
                outcome == Outcome.FAILED ? problem : null);
    }

    /** This run, with how far the scrub is; null: as it is. */
    public MaintenanceRun with(@Nullable ScrubSummary summary) {
        return summary == null
                ? this
                : new MaintenanceRun(
                        task, startedMs, endedMs, outcome, failures, lastDoneMs, segments, bytes, problem, summary);
    }

    /**
     * This run as it is kept, with what the run before it says of failures and successes. To keep a run again changes
     * nothing.
     *
     * @param before what is kept of the task, or null
     */
    public MaintenanceRun after(@Nullable MaintenanceRun before) {
        boolean again = before != null && before.startedMs == startedMs && before.outcome == outcome;
        int failed = before == null ? 0 : before.failures;
        long done = before == null ? 0 : before.lastDoneMs;
        return new MaintenanceRun(
                task,
                startedMs,
                endedMs,
                outcome,
                outcome == Outcome.DONE ? 0 : outcome == Outcome.FAILED && !again ? failed + 1 : failed,
                outcome == Outcome.DONE ? endedMs : done,
                segments,
                bytes,
                problem,
                scrub == null && before != null ? before.scrub : scrub);
    }

    /**
     * The runs of a dataset, sorted by task, with this one kept. Of more than {@value #MAX_TASKS} tasks those are left out
     * that started first.
     */
    public List<MaintenanceRun> keptIn(List<MaintenanceRun> runs) {
        List<MaintenanceRun> kept = new ArrayList<>(runs);
        MaintenanceRun before = of(task, runs);
        kept.remove(before);
        kept.add(after(before));
        while (kept.size() > MAX_TASKS) {
            kept.remove(oldest(kept));
        }
        kept.sort(Comparator.comparing(MaintenanceRun::task));
        return kept;
    }

    /** The run that started first; the list is not empty. */
    public static MaintenanceRun oldest(List<MaintenanceRun> runs) {
        return runs.stream()
                .min(Comparator.comparingLong(MaintenanceRun::startedMs).thenComparing(MaintenanceRun::task))
                .orElseThrow();
    }

    /** The last run of a task, or null. */
    public static @Nullable MaintenanceRun of(String task, List<MaintenanceRun> runs) {
        return runs.stream().filter(run -> run.task.equals(task)).findFirst().orElse(null);
    }

    private static String shortened(String text) {
        if (text.length() <= MAX_PROBLEM) {
            return text;
        }
        int end = MAX_PROBLEM - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
