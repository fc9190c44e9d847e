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

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Which of the runs that are due is next. */
public final class Schedule {
    /** The longest time from a failure to the next attempt, unless rounds are further apart. */
    static final long MAX_BACKOFF_MS = TimeUnit.DAYS.toMillis(1);

    /** The longest time to the next look while another process runs something: it may have lost its driver. */
    static final long MAX_OTHERS_MS = TimeUnit.MINUTES.toMillis(2);

    private Schedule() {}

    /**
     * A task that has something to do in a dataset.
     *
     * @param datasetId the dataset's id
     * @param order the place of the task in the order in which the tasks of a dataset run
     * @param last the last run of the task in the dataset; null if there was none
     */
    public record Due(
            String datasetId,
            String task,
            int order,
            @Nullable MaintenanceRun last) {}

    /**
     * The next run: of the datasets in which nothing runs, the one whose task has waited longest. Tasks that failed wait
     * first, see {@link #readyAtMs}.
     *
     * @param running the ids of the datasets in which something runs
     * @param intervalMs the time between two rounds, in milliseconds
     */
    public static Optional<Due> next(List<Due> due, Set<String> running, long nowMs, long intervalMs) {
        return due.stream()
                .filter(d -> !running.contains(d.datasetId()))
                .filter(d -> readyAtMs(d.last(), intervalMs) <= nowMs)
                .min(Comparator.comparingLong(
                                (Due d) -> d.last() == null ? 0 : d.last().startedMs())
                        .thenComparing(Due::order)
                        .thenComparing(Due::datasetId));
    }

    /**
     * The time from one look to the next, in milliseconds.
     *
     * @param others true if another process ran something, whose end this process is not told of
     */
    public static long untilNextLookMs(boolean others, long intervalMs) {
        return others ? Math.min(intervalMs, MAX_OTHERS_MS) : intervalMs;
    }

    /**
     * From when on a task may run again: at once, and after a failure when the time between two rounds is over; that time
     * doubles with each further failure, up to a day.
     */
    public static long readyAtMs(@Nullable MaintenanceRun last, long intervalMs) {
        if (last == null || last.failures() == 0 || last.outcome() == MaintenanceRun.Outcome.RUNNING) {
            return 0;
        }
        long wait = intervalMs;
        for (int i = 1; i < last.failures() && wait < MAX_BACKOFF_MS; i++) {
            wait *= 2;
        }
        return last.endedMs() + Math.min(wait, Math.max(intervalMs, MAX_BACKOFF_MS));
    }
}
