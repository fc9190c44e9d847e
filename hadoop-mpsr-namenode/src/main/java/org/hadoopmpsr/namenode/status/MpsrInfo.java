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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.namenode.elastic.FurtherCopies;
import org.hadoopmpsr.namenode.elastic.FurtherCopiesView;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.maintain.MaintenanceView;
import org.hadoopmpsr.namenode.nodes.Readiness;

/** The state of MPSR as a JMX bean. Each attribute is computed when it is read. */
public final class MpsrInfo implements MpsrInfoMXBean {
    private final Readiness readiness;
    private final Health health;
    private final GroupViews groups;
    private final DatasetViews datasets;
    private final Warnings warnings;
    private final Maintenance maintenance;
    private final RebuildViews rebuilds;
    private final FurtherCopies furtherCopies;
    private final String storeDirectory;

    public MpsrInfo(
            Readiness readiness,
            Health health,
            GroupViews groups,
            DatasetViews datasets,
            Warnings warnings,
            Maintenance maintenance,
            RebuildViews rebuilds,
            FurtherCopies furtherCopies,
            String storeDirectory) {
        this.readiness = readiness;
        this.health = health;
        this.groups = groups;
        this.datasets = datasets;
        this.warnings = warnings;
        this.maintenance = maintenance;
        this.rebuilds = rebuilds;
        this.furtherCopies = furtherCopies;
        this.storeDirectory = storeDirectory;
    }

    @Override
    public String getState() {
        return readiness.status().state().text();
    }

    @Override
    public List<String> getProblems() {
        return readiness.status().problems().stream().map(p -> p.message()).toList();
    }

    @Override
    public List<String> getWarnings() {
        return warnings.get();
    }

    @Override
    public List<Group> getGroups() {
        return groups.groups();
    }

    @Override
    public List<Node> getUnallocatedNodes() {
        return groups.unallocated();
    }

    @Override
    public List<Dataset> getDatasets() {
        try {
            return datasets.all();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public MaintenanceInfo getMaintenance() {
        try {
            MaintenanceView known = maintenance.look();
            MaintenanceLease lease = known.lease();
            return new MaintenanceInfo(
                    known.enabled(),
                    lease.holder(),
                    lease.sinceMs(),
                    lease.expiresMs(),
                    lease.checkedMs(),
                    known.shown().stream().map(MpsrInfo::run).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Rebuilding> getRebuilding() {
        return rebuilds.underway().stream().map(RebuildUnderway::view).toList();
    }

    private static MaintenanceRunInfo run(MaintenanceView.Run of) {
        MaintenanceRun run = of.run();
        return new MaintenanceRunInfo(
                of.dataset().path(),
                run.task(),
                run.outcome().name().toLowerCase(Locale.ROOT),
                run.startedMs(),
                run.endedMs(),
                run.failures(),
                run.lastDoneMs(),
                run.segments(),
                run.bytes(),
                run.problem() == null ? "" : run.problem(),
                run.scrub() == null ? "" : run.scrub().text());
    }

    @Override
    public FurtherCopiesInfo getFurtherCopies() {
        FurtherCopiesView view = furtherCopies.view();
        return new FurtherCopiesInfo(
                view.budgetPercent(),
                view.budgetBytes(),
                view.bytes(),
                view.files(),
                view.copies(),
                view.waiting(),
                view.refused());
    }

    @Override
    public long getLastHealthCheck() {
        return health.lastCheckMs();
    }

    @Override
    public String getStoreDirectory() {
        return storeDirectory;
    }

    @Override
    public String getVersion() {
        return StatusReport.version();
    }
}
