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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.maintain.MaintenanceView.Run;
import org.hadoopmpsr.namenode.maintain.MaintenanceView.Unreadable;
import org.hadoopmpsr.namenode.store.LockSteps;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.UnreadableRecordException;

/**
 * Keeps which process maintains the cluster, and what its tasks did last. The processes decide what runs; the NameNode decides
 * which process may, and does not run anything. Thread-safe.
 */
public final class Maintenance {
    private static final String OPERATION = "mpsrMaintain";

    /** The number of datasets in one hold of the lock. */
    private static final int STEP = 100;

    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final Datasets datasets;
    private final MaintenanceRecords records;
    private final boolean enabled;
    private volatile MaintenanceView seen;

    /** @param enabled false to grant no lease */
    public Maintenance(
            MpsrNamesystem system, Namespace namespace, StoreLayout layout, Datasets datasets, boolean enabled) {
        this.system = system;
        this.layout = layout;
        this.datasets = datasets;
        this.records = new MaintenanceRecords(namespace, layout);
        this.enabled = enabled;
        this.seen = new MaintenanceView(enabled, MaintenanceLease.NONE, List.of(), List.of());
    }

    /**
     * Grants the lease or not, and keeps the runs of a process that holds it. Runs in datasets that are gone are ignored. A
     * repeated request changes nothing. For superusers.
     *
     * @param request read once the caller is known to be a superuser
     * @throws IllegalArgumentException if the request makes no sense
     */
    public LeaseAnswer ask(Supplier<LeaseRequest> request) throws IOException {
        system.checkWritable();
        system.checkSuperuser(OPERATION, layout.storeDir());
        LeaseRequest asked = request.get();
        if (!enabled && !asked.release()) {
            return refused("maintenance is switched off: " + ConfigKeys.MAINTENANCE_ENABLED.name()
                    + " is false in the NameNode's hdfs-site.xml");
        }
        MaintenanceLease kept = system.read(records::lease).orElse(null);
        if (kept == null) {
            return refused("there is no dataset yet");
        }
        MaintenanceLease.Decision decision = kept.ask(asked, now());
        if (!decision.lease().equals(kept)
                || decision.granted() && !asked.runs().isEmpty()) {
            if (system.safeMode().isOn()) {
                return refused("the NameNode is in safe mode; see hdfs dfsadmin -safemode get");
            }
            decision = change(asked);
        }
        return answer(asked, decision);
    }

    private MaintenanceLease.Decision change(LeaseRequest asked) throws IOException {
        MaintenanceLease.Decision decision = system.write(OPERATION, edits -> {
            MaintenanceLease kept = records.lease().orElse(MaintenanceLease.NONE);
            MaintenanceLease.Decision now = kept.ask(asked, now());
            if (!now.lease().equals(kept)) {
                records.put(edits, now.lease());
            }
            return now;
        });
        if (decision.granted()) {
            LockSteps.write(system, OPERATION, asked.runs(), (edits, some) -> {
                for (LeaseRequest.DatasetRun run : some) {
                    Optional<DatasetRecord> dataset = datasets.withId(run.datasetId());
                    if (dataset.isPresent()) {
                        records.put(edits, dataset.get().id(), run.run());
                    }
                }
            });
        }
        look();
        return decision;
    }

    private LeaseAnswer refused(String reason) {
        return new LeaseAnswer(enabled, false, "", 0, reason);
    }

    private LeaseAnswer answer(LeaseRequest asked, MaintenanceLease.Decision decision) {
        String holder = decision.lease().holder();
        String reason = decision.granted() || asked.release() ? null : holder + " maintains the cluster";
        return new LeaseAnswer(enabled, decision.granted(), holder, decision.remainingMs(), reason);
    }

    private long now() {
        return system.clock().now();
    }

    /**
     * The last runs in a dataset; empty where the record cannot be read. Takes the read lock, and must be used by whoever may
     * tell the caller of the dataset.
     */
    public List<MaintenanceRun> runs(DatasetRecord dataset) throws IOException {
        try {
            return system.read(() -> records.runs(dataset.id()));
        } catch (UnreadableRecordException e) {
            return List.of(); // a warning says it
        }
    }

    /** What is known now. Takes the read lock in short holds. */
    public MaintenanceView look() throws IOException {
        List<Run> runs = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        MaintenanceLease lease = MaintenanceLease.NONE;
        try {
            lease = system.read(records::lease).orElse(lease);
        } catch (UnreadableRecordException e) {
            unreadable.add(new Unreadable(layout.storeDir(), String.valueOf(e.getMessage())));
        }
        for (List<DatasetRecord> some : LockSteps.parts(List.copyOf(datasets.all()), STEP)) {
            system.read(() -> {
                for (DatasetRecord dataset : some) {
                    try {
                        records.runs(dataset.id()).forEach(run -> runs.add(new Run(dataset, run)));
                    } catch (UnreadableRecordException e) {
                        unreadable.add(new Unreadable(dataset.path(), String.valueOf(e.getMessage())));
                    }
                }
                return true;
            });
        }
        runs.sort(Comparator.comparing((Run r) -> r.run().failures() == 0)
                .thenComparing(r -> r.run().startedMs(), Comparator.reverseOrder())
                .thenComparing(r -> r.dataset().path())
                .thenComparing(r -> r.run().task()));
        seen = new MaintenanceView(enabled, lease, List.copyOf(runs), List.copyOf(unreadable));
        return seen;
    }

    /** What was known when it was looked at last. Takes no lock. */
    public MaintenanceView seen() {
        return seen;
    }
}
