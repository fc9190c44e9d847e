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
package org.hadoopmpsr.namenode.status;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.client.maintain.RebuildTask;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.hadoopmpsr.namenode.damage.Damaged;
import org.hadoopmpsr.namenode.damage.ToRebuild;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.maintain.MaintenanceView;
import org.hadoopmpsr.namenode.staging.OpenCommits;

/** What is to be rebuilt, and what becomes of it, for operators. Takes no lock, and looks at nothing anew. */
public final class RebuildViews {
    private final Datasets datasets;
    private final Damaged damaged;
    private final Maintenance maintenance;
    private final OpenCommits open;
    private final long delayMs;

    /** @param delaySeconds damage that is older is due */
    public RebuildViews(
            Datasets datasets, Damaged damaged, Maintenance maintenance, OpenCommits open, int delaySeconds) {
        this.datasets = datasets;
        this.damaged = damaged;
        this.maintenance = maintenance;
        this.open = open;
        this.delayMs = TimeUnit.SECONDS.toMillis(delaySeconds);
    }

    /** All of it, by the datasets' paths and by group. */
    List<RebuildStatus> all() {
        List<RebuildStatus> all = new ArrayList<>();
        datasets.all().forEach(dataset -> all.addAll(of(dataset)));
        return all;
    }

    /** That of a dataset, by group. */
    List<RebuildStatus> of(DatasetRecord dataset) {
        return damaged.toRebuild(dataset).stream()
                .map(left -> of(dataset, left))
                .toList();
    }

    /** The changes that rebuild something now, the oldest first. */
    List<RebuildUnderway> underway() {
        List<RebuildUnderway> underway = new ArrayList<>();
        for (OpenCommits.Open change : open.rebuilds()) {
            RebuildScope scope = change.rebuild();
            DatasetRecord dataset = datasets.withId(change.datasetId()).orElse(null);
            if (scope != null && dataset != null) {
                underway.add(new RebuildUnderway(dataset, scope, change.sinceMs()));
            }
        }
        return underway;
    }

    private RebuildStatus of(DatasetRecord dataset, ToRebuild left) {
        return new RebuildStatus(
                dataset,
                left,
                left.sinceMs() + delayMs,
                maintenance.seen().runs().stream()
                        .filter(run -> run.dataset().id().equals(dataset.id()))
                        .map(MaintenanceView.Run::run)
                        .filter(run -> run.task().equals(RebuildTask.NAME) && run.outcome() == Outcome.RUNNING)
                        .mapToLong(run -> run.startedMs())
                        .max()
                        .orElse(0),
                damaged.trend(dataset).leftSeconds());
    }
}
