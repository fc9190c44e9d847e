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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.namenode.damage.Damaged;
import org.hadoopmpsr.namenode.damage.Redundancy;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.elastic.FurtherCopies;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.lifecycle.DatasetRemoval;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.maintain.MaintenanceView;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.status.Status.GroupStatus;
import org.hadoopmpsr.namenode.status.Status.NodeStatus;
import org.jspecify.annotations.Nullable;

/** Reports the state of MPSR. */
public final class StatusReport {
    /** So many datasets without all copies are told, and so many rebuilds and groups of datasets that are to be rebuilt. */
    private static final int MOST = 100;

    private final MpsrNamesystem system;
    private final MpsrConfig config;
    private final Readiness readiness;
    private final Allocation allocation;
    private final Datasets datasets;
    private final DatasetRemoval removal;
    private final Indexes indexes;
    private final Warnings warnings;
    private final Health health;
    private final Maintenance maintenance;
    private final Damaged damaged;
    private final RebuildViews rebuilds;
    private final FurtherCopies furtherCopies;
    private final Counters counters;

    public StatusReport(
            MpsrNamesystem system,
            MpsrConfig config,
            Readiness readiness,
            Allocation allocation,
            Datasets datasets,
            DatasetRemoval removal,
            Indexes indexes,
            Warnings warnings,
            Health health,
            Maintenance maintenance,
            Damaged damaged,
            RebuildViews rebuilds,
            FurtherCopies furtherCopies,
            Counters counters) {
        this.system = system;
        this.config = config;
        this.readiness = readiness;
        this.allocation = allocation;
        this.datasets = datasets;
        this.removal = removal;
        this.indexes = indexes;
        this.warnings = warnings;
        this.health = health;
        this.maintenance = maintenance;
        this.damaged = damaged;
        this.rebuilds = rebuilds;
        this.furtherCopies = furtherCopies;
        this.counters = counters;
    }

    /** The state for the calling user. */
    public Status get() throws IOException {
        system.checkActive();
        readiness.refresh();
        Readiness.Status status = readiness.status();
        ReplicaGroups groups = config.groups().orElse(null);
        boolean superuser = system.callingUser().isSuperuser();
        MaintenanceView known = maintenance.look();
        return new Status(
                status.state().text(),
                status.problems(),
                config.storeDir(),
                datasets.all().size(),
                version(),
                groups == null ? null : groups.defaultName(),
                groups == null ? List.of() : groups(groups),
                nodes(),
                warnings.get(),
                superuser ? removal.dropped() : List.of(),
                superuser ? known : known.withoutRuns(),
                redundancy(),
                toRebuild(),
                underway(),
                furtherCopies.view(),
                counters.snapshot());
    }

    /** Of datasets that the caller may read, and of which records lack copies. */
    private Map<String, Redundancy> redundancy() {
        Map<String, Redundancy> told = new LinkedHashMap<>();
        damaged.redundancies().entrySet().stream()
                .filter(e ->
                        !e.getValue().isWhole() && warnings.isTold(e.getKey().path()))
                .sorted(Comparator.comparingInt(e -> e.getValue().fewest()))
                .limit(MOST)
                .forEach(e -> told.put(e.getKey().path(), e.getValue()));
        return told;
    }

    private List<RebuildStatus> toRebuild() {
        return rebuilds.all().stream()
                .filter(rebuild -> warnings.isTold(rebuild.dataset().path()))
                .limit(MOST)
                .toList();
    }

    private List<RebuildUnderway> underway() {
        return rebuilds.underway().stream()
                .filter(rebuild -> warnings.isTold(rebuild.dataset().path()))
                .limit(MOST)
                .toList();
    }

    private List<GroupStatus> groups(ReplicaGroups groups) throws IOException {
        Map<String, long[]> sums = new LinkedHashMap<>();
        groups.names().forEach(name -> sums.put(name, new long[3]));
        for (DatasetRecord dataset : datasets.all()) {
            DatasetIndex index = indexes.of(dataset);
            sums.forEach((name, sum) -> {
                GroupIndex files = index.group(name);
                sum[0] += files.files();
                sum[1] += files.content().count();
                sum[2] += files.bytes();
            });
        }
        List<GroupStatus> all = new ArrayList<>();
        for (ReplicaGroup group : groups.groups()) {
            long[] sum = sums.getOrDefault(group.name(), new long[3]);
            all.add(new GroupStatus(
                    group,
                    config.scatterWidths().of(group.name()),
                    sum[0],
                    sum[1],
                    sum[2],
                    health.degradedFiles(group.name())));
        }
        return all;
    }

    private List<NodeStatus> nodes() throws IOException {
        // with the lock, so that nodes that change their group together are seen together
        Map<String, String> groups = system.read(() -> new LinkedHashMap<>(allocation.recorded()));
        List<NodeStatus> nodes = new ArrayList<>();
        for (DatanodeDescriptor node :
                system.blocks().getDatanodeManager().getDatanodeListForReport(DatanodeReportType.ALL)) {
            String group = groups.remove(node.getDatanodeUuid());
            if (group != null || node.isAlive()) {
                Node its = new Node(node.getDatanodeUuid(), node.getHostName(), node.getNetworkLocation());
                nodes.add(node(its, node.isAlive(), group));
            }
        }
        // not registered since the NameNode's start
        groups.forEach((uuid, group) -> nodes.add(node(new Node(uuid, "", ""), false, group)));
        return nodes;
    }

    private NodeStatus node(Node node, boolean alive, @Nullable String group) {
        MoveRecord move =
                allocation.draining().contains(node.uuid()) ? allocation.moves().get(node.uuid()) : null;
        return new NodeStatus(node, alive, group, move == null ? null : move.to());
    }

    /** The version of this build. */
    static String version() {
        String version = StatusReport.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
