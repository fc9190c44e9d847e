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
package org.hadoopmpsr.namenode;

import org.hadoopmpsr.client.proto.MpsrProtos.CounterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRedundancyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.FurtherCopiesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ProblemProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebuildingProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RedundancyProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ToRebuildProto;
import org.hadoopmpsr.client.wire.DamageWire;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.namenode.damage.Redundancy;
import org.hadoopmpsr.namenode.elastic.FurtherCopiesView;
import org.hadoopmpsr.namenode.status.RebuildStatus;
import org.hadoopmpsr.namenode.status.Status;
import org.hadoopmpsr.namenode.status.Status.GroupStatus;
import org.hadoopmpsr.namenode.status.Status.NodeStatus;

/** Translates the state of MPSR. */
final class StatusMessages {

    private StatusMessages() {}

    static StatusResponseProto status(Status status) {
        StatusResponseProto.Builder proto = StatusResponseProto.newBuilder()
                .setState(status.state())
                .setStoreDir(status.storeDir())
                .setDatasets(status.datasets())
                .setVersion(status.version())
                .addAllWarning(status.warnings());
        if (status.defaultGroup() != null) {
            proto.setDefaultGroup(status.defaultGroup());
        }
        status.problems().forEach(problem -> proto.addProblem(problem(problem)));
        status.groups().forEach(group -> proto.addGroup(group(group)));
        status.nodes().forEach(node -> proto.addNode(node(node)));
        status.dropped().forEach(drop -> proto.addDropped(DatasetMessages.dropped(drop)));
        proto.setMaintenance(MaintenanceMessages.status(status.maintenance()));
        status.redundancy().forEach((path, redundancy) -> proto.addRedundancy(redundancy(path, redundancy)));
        status.toRebuild().forEach(rebuild -> proto.addToRebuild(rebuild(rebuild)));
        status.underway()
                .forEach(rebuild -> proto.addRebuilding(RebuildingProto.newBuilder()
                        .setPath(rebuild.dataset().path())
                        .setScope(DamageWire.scope(rebuild.scope()))
                        .setSince(rebuild.sinceMs())));
        if (status.furtherCopies().budgetPercent() > 0) {
            proto.setFurtherCopies(furtherCopies(status.furtherCopies()));
        }
        status.counters()
                .forEach((name, value) ->
                        proto.addCounter(CounterProto.newBuilder().setName(name).setValue(value)));
        return proto.build();
    }

    private static FurtherCopiesProto furtherCopies(FurtherCopiesView view) {
        return FurtherCopiesProto.newBuilder()
                .setBudgetPercent(view.budgetPercent())
                .setBudgetBytes(view.budgetBytes())
                .setBytes(view.bytes())
                .setFiles(view.files())
                .setCopies(view.copies())
                .setWaiting(view.waiting())
                .setRefused(view.refused())
                .build();
    }

    private static DatasetRedundancyProto redundancy(String path, Redundancy redundancy) {
        DatasetRedundancyProto.Builder proto =
                DatasetRedundancyProto.newBuilder().setPath(path);
        for (int copies = 0; copies < redundancy.byCopies().size(); copies++) {
            proto.addRedundancy(RedundancyProto.newBuilder()
                    .setCopies(copies)
                    .setRecords(redundancy.of(copies).records())
                    .setBytes(redundancy.of(copies).bytes()));
        }
        return proto.build();
    }

    private static ToRebuildProto rebuild(RebuildStatus status) {
        ToRebuildProto.Builder proto = ToRebuildProto.newBuilder()
                .setPath(status.dataset().path())
                .setGroup(status.left().group())
                .setSegments(status.left().segments())
                .setCauses(DamageWire.causes(status.left().causes()))
                .setBytes(status.left().bytes())
                .setSince(status.left().sinceMs())
                .setDue(status.dueMs());
        if (status.runningSinceMs() > 0) {
            proto.setRunningSince(status.runningSinceMs());
        }
        if (status.leftSeconds() >= 0) {
            proto.setSecondsLeft(status.leftSeconds());
        }
        return proto.build();
    }

    private static ProblemProto problem(ConfigProblem problem) {
        return ProblemProto.newBuilder()
                .setKey(problem.key())
                .setValue(problem.value())
                .setCause(problem.cause())
                .setFix(problem.fix())
                .build();
    }

    private static GroupStatusProto group(GroupStatus group) {
        GroupStatusProto.Builder proto = GroupStatusProto.newBuilder()
                .setGroup(Wire.group(group.group()))
                .setFiles(group.files())
                .setRecords(group.records())
                .setBytes(group.bytes())
                .setDegradedFiles(group.degradedFiles());
        if (!group.width().isAll()) {
            proto.setSegmentNodes(group.width().nodes());
        }
        return proto.build();
    }

    private static NodeProto node(NodeStatus status) {
        NodeProto.Builder proto = NodeProto.newBuilder()
                .setUuid(status.node().uuid())
                .setHost(status.node().host())
                .setRack(status.node().rack())
                .setAlive(status.alive());
        if (status.group() != null) {
            proto.setGroup(status.group());
        }
        if (status.drainingTo() != null) {
            proto.setDrainingTo(status.drainingTo());
        }
        return proto.build();
    }
}
