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
package org.hadoopmpsr.namenode.maintain;

import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;

/**
 * What is known of maintenance at one moment. Immutable.
 *
 * @param enabled false if the configuration has maintenance switched off
 * @param runs the last run of each task in each dataset: those that failed first, then the latest first
 * @param unreadable the records that cannot be read
 */
public record MaintenanceView(boolean enabled, MaintenanceLease lease, List<Run> runs, List<Unreadable> unreadable) {
    private static final int MOST_SHOWN = 100;

    /** The last run of a task in a dataset. */
    public record Run(DatasetRecord dataset, MaintenanceRun run) {}

    /**
     * A record that cannot be read.
     *
     * @param path the path of the dataset, or of the store
     * @param problem why, and what to do
     */
    public record Unreadable(String path, String problem) {}

    /** As many runs as are shown in one place: the first ones. */
    public List<Run> shown() {
        return runs.stream().limit(MOST_SHOWN).toList();
    }

    /** Without the runs. */
    public MaintenanceView withoutRuns() {
        return new MaintenanceView(enabled, lease, List.of(), unreadable);
    }

    /** The runs that failed; none where maintenance is switched off, because they stay so then. */
    public List<Run> failed() {
        return !enabled
                ? List.of()
                : runs.stream().filter(r -> r.run().failures() > 0).toList();
    }

    /** How far scrubs are, of the datasets that were scrubbed. */
    public List<ScrubSummary> scrubs() {
        return runs.stream()
                .flatMap(run -> Optional.ofNullable(run.run().scrub()).stream())
                .toList();
    }

    /** The number of runs that have not ended. */
    public long running() {
        return runs.stream().filter(r -> r.run().outcome() == Outcome.RUNNING).count();
    }
}
