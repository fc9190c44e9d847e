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
package org.hadoopmpsr.client.wire;

import java.util.List;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRunProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceLeaseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceRunProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ScrubSummaryProto;
import org.hadoopmpsr.core.format.StoredForm;
import org.hadoopmpsr.core.maintain.LeaseAnswer;
import org.hadoopmpsr.core.maintain.LeaseRequest;
import org.hadoopmpsr.core.maintain.LeaseRequest.DatasetRun;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;

/** Translates what is said of maintenance to protobuf messages and back. */
public final class MaintenanceWire {

    private MaintenanceWire() {}

    public static MaintainRequestProto request(LeaseRequest request) {
        MaintainRequestProto.Builder proto = MaintainRequestProto.newBuilder()
                .setHolder(request.holder())
                .setLease(request.leaseMs())
                .setRelease(request.release())
                .setChecked(request.checked());
        request.runs()
                .forEach(run -> proto.addRun(DatasetRunProto.newBuilder()
                        .setDatasetId(run.datasetId())
                        .setRun(run(run.run()))));
        return proto.build();
    }

    /** @throws IllegalArgumentException if it makes no sense */
    public static LeaseRequest request(MaintainRequestProto proto) {
        return new LeaseRequest(
                proto.getHolder(),
                proto.getLease(),
                proto.getRelease(),
                proto.getChecked(),
                proto.getRunList().stream()
                        .map(run -> new DatasetRun(run.getDatasetId(), run(run.getRun())))
                        .toList());
    }

    public static MaintainResponseProto answer(LeaseAnswer answer) {
        MaintainResponseProto.Builder proto = MaintainResponseProto.newBuilder()
                .setEnabled(answer.enabled())
                .setGranted(answer.granted())
                .setRemaining(answer.remainingMs());
        if (!answer.holder().isEmpty()) {
            proto.setHolder(answer.holder());
        }
        if (answer.reason() != null) {
            proto.setReason(answer.reason());
        }
        return proto.build();
    }

    public static LeaseAnswer answer(MaintainResponseProto proto) {
        return new LeaseAnswer(
                proto.getEnabled(),
                proto.getGranted(),
                proto.getHolder(),
                proto.getRemaining(),
                proto.hasReason() ? proto.getReason() : null);
    }

    /** The lease as it is kept. */
    public static MaintenanceLeaseProto lease(MaintenanceLease lease) {
        MaintenanceLeaseProto.Builder proto = MaintenanceLeaseProto.newBuilder()
                .setFormatVersion(StoredForm.LEASE.version())
                .setHolder(lease.holder())
                .setSince(lease.sinceMs())
                .setExpires(lease.expiresMs());
        if (lease.checkedMs() > 0) {
            proto.setChecked(lease.checkedMs());
        }
        return proto.build();
    }

    /** The last runs in a dataset as they are kept. */
    public static MaintenanceProto record(List<MaintenanceRun> runs) {
        return MaintenanceProto.newBuilder()
                .setFormatVersion(StoredForm.MAINTENANCE.version())
                .addAllRun(runs.stream().map(MaintenanceWire::run).toList())
                .build();
    }

    public static MaintenanceRunProto run(MaintenanceRun run) {
        MaintenanceRunProto.Builder proto = MaintenanceRunProto.newBuilder()
                .setTask(run.task())
                .setStarted(run.startedMs())
                .setOutcome(MaintenanceRunProto.Outcome.valueOf(run.outcome().name()))
                .setFailures(run.failures())
                .setSegments(run.segments())
                .setBytes(run.bytes());
        if (run.outcome() != Outcome.RUNNING) {
            proto.setEnded(run.endedMs());
        }
        if (run.lastDoneMs() > 0) {
            proto.setLastDone(run.lastDoneMs());
        }
        if (run.problem() != null) {
            proto.setProblem(run.problem());
        }
        if (run.scrub() != null) {
            proto.setScrub(scrub(run.scrub()));
        }
        return proto.build();
    }

    /** @throws IllegalArgumentException if it makes no sense */
    public static MaintenanceRun run(MaintenanceRunProto proto) {
        return new MaintenanceRun(
                proto.getTask(),
                proto.getStarted(),
                proto.getEnded(),
                Outcome.valueOf(proto.getOutcome().name()),
                proto.getFailures(),
                proto.getLastDone(),
                proto.getSegments(),
                proto.getBytes(),
                proto.hasProblem() ? proto.getProblem() : null,
                proto.hasScrub() ? scrub(proto.getScrub()) : null);
    }

    private static ScrubSummaryProto scrub(ScrubSummary scrub) {
        return ScrubSummaryProto.newBuilder()
                .setSegments(scrub.segments())
                .setInTime(scrub.inTime())
                .setOldest(scrub.oldestMs())
                .setFound(scrub.found())
                .setHealed(scrub.healed())
                .setWrong(scrub.wrong())
                .build();
    }

    private static ScrubSummary scrub(ScrubSummaryProto proto) {
        return new ScrubSummary(
                proto.getSegments(),
                proto.getInTime(),
                proto.getOldest(),
                proto.getFound(),
                proto.getHealed(),
                proto.getWrong());
    }

    /** @throws IllegalArgumentException if one makes no sense */
    public static List<MaintenanceRun> runs(List<MaintenanceRunProto> protos) {
        return protos.stream().map(MaintenanceWire::run).toList();
    }
}
