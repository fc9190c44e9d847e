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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.alloc.NodeAllocation;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.health.SafeModeExit;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.maintain.MaintenanceView;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.OutOfService;
import org.hadoopmpsr.namenode.rebalance.RebalanceRun;
import org.hadoopmpsr.namenode.rights.DatasetReaders;

/** The warnings: what an operator should look at although MPSR works. */
public final class Warnings {
    private final MpsrNamesystem system;
    private final MpsrConfig config;
    private final Allocation allocation;
    private final OutOfService outOfService;
    private final Datasets datasets;
    private final DatasetReaders readers;
    private final Health health;
    private final SafeModeExit safeModeExit;
    private final RebalanceRun run;
    private final Maintenance maintenance;
    private final OptionalParts parts;

    public Warnings(
            MpsrNamesystem system,
            MpsrConfig config,
            Allocation allocation,
            OutOfService outOfService,
            Datasets datasets,
            DatasetReaders readers,
            Health health,
            SafeModeExit safeModeExit,
            RebalanceRun run,
            Maintenance maintenance,
            OptionalParts parts) {
        this.system = system;
        this.run = run;
        this.config = config;
        this.allocation = allocation;
        this.outOfService = outOfService;
        this.datasets = datasets;
        this.readers = readers;
        this.health = health;
        this.safeModeExit = safeModeExit;
        this.maintenance = maintenance;
        this.parts = parts;
    }

    /**
     * The warnings, one line each; empty if all is well. Warnings about datasets that the caller may not read are only
     * counted.
     */
    List<String> get() {
        List<String> warnings = new ArrayList<>(parts.warnings());
        if (system.safeMode().isOn()) {
            warnings.add("the NameNode is in safe mode: datasets can be read and not written; see hdfs dfsadmin"
                    + " -safemode get");
        }
        if (!safeModeExit.reason().isEmpty()) {
            warnings.add(safeModeExit.reason());
        }
        addNodes(warnings);
        addGone(warnings);
        allocation
                .unknownRecords()
                .forEach(record ->
                        warnings.add(record + " is no record that this MPSR knows, and is ignored: a newer MPSR"
                                + " wrote it, or it is damaged; run that version on every NameNode, or delete it with hdfs mpsr"
                                + " groups rebalance --cancel"));
        if (!run.waiting().isEmpty()) {
            warnings.add("the rebalance waits: " + run.waiting());
        }
        Map<String, String> aboutPaths = new LinkedHashMap<>();
        health.unhealthy().forEach(f -> aboutPaths.put(f.text(), f.dataset()));
        datasets.setAside().forEach(aside -> aboutPaths.put(aside.text(), aside.path()));
        datasets.storeless().forEach((path, text) -> aboutPaths.put(text, path));
        datasets.orphans()
                .forEach(dir -> aboutPaths.put(
                        dir + " belongs to no dataset directory, and may hold the last copies of records; bring the"
                                + " directory back, for example from the trash, or delete this for good with hdfs dfs"
                                + " -rm -r -skipTrash " + dir,
                        dir));
        addMaintenance(aboutPaths);
        int all = aboutPaths.size();
        aboutPaths.values().removeIf(path -> !isTold(path));
        warnings.addAll(aboutPaths.keySet());
        if (aboutPaths.size() < all) {
            warnings.add((all - aboutPaths.size()) + " about datasets that you may not read; a superuser sees them");
        }
        return warnings;
    }

    private void addMaintenance(Map<String, String> aboutPaths) {
        MaintenanceView known = maintenance.seen();
        known.failed()
                .forEach(run -> aboutPaths.put(
                        "the maintenance task " + run.run().task() + " of "
                                + run.dataset().path() + " has failed "
                                + run.run().failures()
                                + " time(s) one after the other"
                                + (run.run().problem() == null
                                        ? ""
                                        : ": " + run.run().problem())
                                + "; it is tried again, see the log of hdfs mpsr maintain",
                        run.dataset().path()));
        known.runs().stream()
                .filter(run -> run.run().scrub() != null && run.run().scrub().wrong() > 0)
                .forEach(run -> aboutPaths.put(
                        "critical: " + run.run().scrub().wrong() + " segments of groups of "
                                + run.dataset().path()
                                + " are wrong and could not be healed; hdfs mpsr verify "
                                + run.dataset().path()
                                + " names them, and the log of hdfs mpsr maintain says why: where no group is right,"
                                + " ingest their records again",
                        run.dataset().path()));
        known.unreadable().forEach(record -> aboutPaths.put(record.problem(), record.path()));
    }

    /** True if the caller may be told of a dataset, or of a directory that is none. */
    boolean isTold(String path) {
        DatasetRecord dataset = datasets.at(path).orElse(null);
        try {
            return dataset == null ? system.callingUser().mayRead(path) : readers.denied("mpsrStatus", dataset) == null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds nodes that HDFS does not know: removed, formatted, or not started since the NameNode's start. */
    private void addGone(List<String> warnings) {
        Map<String, String> gone = new TreeMap<>(allocation.recorded());
        for (DatanodeDescriptor node :
                system.blocks().getDatanodeManager().getDatanodeListForReport(DatanodeReportType.ALL)) {
            gone.remove(node.getDatanodeUuid());
        }
        if (!system.safeMode().isOn()) {
            gone.forEach((uuid, group) -> warnings.add("DataNode " + uuid + " of replica group '" + group
                    + "' is unknown to HDFS; start it, or when it will not come back: hdfs mpsr groups forget "
                    + uuid));
        }
    }

    private void addNodes(List<String> warnings) {
        List<Node> live = allocation.live();
        Map<String, String> recorded = allocation.recorded();
        Set<String> alive = new HashSet<>();
        live.forEach(node -> alive.add(recorded.getOrDefault(node.uuid(), "")));
        Set<String> idle = outOfService.now();
        List<String> names =
                config.declared().stream().map(ReplicaGroup::name).distinct().toList();
        for (String group : names) {
            if (recorded.containsValue(group) && !alive.contains(group)) {
                warnings.add("replica group '" + group + "' has no live DataNode: its files cannot be read or written;"
                        + " start one of its nodes, or add a node, which will join it");
            } else if (idle.contains(group)) {
                warnings.add(OutOfService.text(group));
            }
        }
        NodeAllocation.sharedRacks(names, recorded, live)
                .forEach((rack, groups) -> warnings.add("rack " + rack + " holds nodes of the replica groups " + groups
                        + ": to lose it may be to lose several copies; see hdfs mpsr groups rebalance"));
    }
}
