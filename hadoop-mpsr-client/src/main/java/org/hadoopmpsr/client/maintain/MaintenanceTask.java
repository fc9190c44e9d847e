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
import java.util.Optional;
import java.util.function.Consumer;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.jspecify.annotations.Nullable;

/**
 * A kind of maintenance, such as compaction. Whatever it changes, the NameNode takes as a whole or not at all, and whoever
 * makes it: a run that ends at any moment, without a word, leaves nothing half done, and neither do two runs at a time.
 */
public interface MaintenanceTask {

    /** The name by which the task is chosen and its runs are kept: {@code [a-z][a-z0-9-]{0,31}}. */
    String name();

    /**
     * True if another process does it in a dataset, as far as is known: what it leaves is not known until it has ended, and
     * nothing is due until then.
     *
     * @throws IOException as for {@link #due}
     */
    default boolean isUnderway(Dataset dataset) throws IOException {
        return false;
    }

    /** True if it is looked for more often than other tasks, because somebody waits for it. */
    default boolean isPressing() {
        return false;
    }

    /**
     * What is due in a dataset; empty if nothing is. Must not change anything.
     *
     * @throws IOException if that cannot be found out now; counts as a failed run
     */
    Optional<Work> due(Dataset dataset) throws IOException;

    /** What is due in a dataset. */
    interface Work {
        /** What it is, in some words for the log. */
        String text();

        /**
         * Does it, on a thread of its own. A thread that is interrupted ends whatever it has started, within some seconds,
         * before it returns.
         *
         * @param progress is told from time to time how far it is, and what a job prints
         * @throws IOException if it fails
         * @throws InterruptedException if it was ended
         */
        Result run(Consumer<String> progress) throws IOException, InterruptedException;
    }

    /**
     * How a run ended.
     *
     * @param outcome not {@code RUNNING}
     * @param segments the segments that it has replaced
     * @param bytes the bytes that it has read
     * @param problem why it failed; null if it did not
     * @param scrub how far the scrub is; null for other tasks
     */
    record Result(
            Outcome outcome,
            long segments,
            long bytes,
            @Nullable String problem,
            @Nullable ScrubSummary scrub) {
        /** Of another task than the scrub. */
        public Result(Outcome outcome, long segments, long bytes, @Nullable String problem) {
            this(outcome, segments, bytes, problem, null);
        }

        /** This, with how far the scrub is. */
        Result with(ScrubSummary summary) {
            return new Result(outcome, segments, bytes, problem, summary);
        }
    }
}
