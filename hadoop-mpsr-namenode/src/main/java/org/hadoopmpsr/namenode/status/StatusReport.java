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
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.proto.MpsrProtos.CounterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ProblemProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.index.DatasetIndex;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.lifecycle.DatasetRemoval;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.jspecify.annotations.Nullable;

/** Reports the state of MPSR. */
public final class StatusReport {
    private final MpsrNamesystem system;
    private final MpsrConfig config;
    private final Readiness readiness;
    private final Allocation allocation;
    private final Datasets datasets;
    private final DatasetRemoval removal;
    private final Indexes indexes;
    private final Warnings warnings;
    private final Health health;
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
        this.counters = counters;
    }

    public StatusResponseProto get() throws IOException {
        system.checkActive();
        readiness.refresh();
        Readiness.Status status = readiness.status();
        StatusResponseProto.Builder report = StatusResponseProto.newBuilder()
                .setState(status.state().text())
                .setStoreDir(config.storeDir())
                .setDatasets(datasets.all().size())
                .setVersion(version());
        status.problems()
                .forEach(p -> report.addProblem(ProblemProto.newBuilder()
                        .setKey(p.key())
                        .setValue(p.value())
                        .setCause(p.cause())
                        .setFix(p.fix())));
        ReplicaGroups groups = config.groups().orElse(null);
        if (groups != null) {
            report.setDefaultGroup(groups.defaultName());
            addGroups(report, groups);
        }
        addNodes(report);
        report.addAllWarning(warnings.get());
        if (system.callingUser().isSuperuser()) {
            datasets.dropped().forEach(d -> report.addDropped(removal.proto(d)));
        }
        counters.snapshot()
                .forEach((name, value) -> report.addCounter(
                        CounterProto.newBuilder().setName(name).setValue(value)));
        return report.build();
    }

    private void addGroups(StatusResponseProto.Builder report, ReplicaGroups groups) throws IOException {
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
        for (ReplicaGroup group : groups.groups()) {
            long[] sum = sums.getOrDefault(group.name(), new long[3]);
            report.addGroup(GroupStatusProto.newBuilder()
                    .setGroup(Wire.group(group))
                    .setFiles(sum[0])
                    .setRecords(sum[1])
                    .setBytes(sum[2])
                    .setDegradedFiles(health.degradedFiles(group.name())));
        }
    }

    private void addNodes(StatusResponseProto.Builder report) throws IOException {
        // with the lock, so that nodes that change their group together are seen together
        Map<String, String> groups = system.read(() -> new LinkedHashMap<>(allocation.recorded()));
        for (Node node : allocation.live()) {
            report.addNode(node(node, groups.remove(node.uuid())));
        }
        // recorded, but not alive
        groups.forEach((uuid, group) -> report.addNode(node(new Node(uuid, "", ""), group)));
    }

    private NodeProto node(Node node, @Nullable String group) {
        NodeProto.Builder proto =
                NodeProto.newBuilder().setUuid(node.uuid()).setHost(node.host()).setRack(node.rack());
        if (group != null) {
            proto.setGroup(group);
        }
        MoveRecord move =
                allocation.draining().contains(node.uuid()) ? allocation.moves().get(node.uuid()) : null;
        if (move != null) {
            proto.setDrainingTo(move.to());
        }
        return proto.build();
    }

    /** The version of this build. */
    static String version() {
        String version = StatusReport.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
