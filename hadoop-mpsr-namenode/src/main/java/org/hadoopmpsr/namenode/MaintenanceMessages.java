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

import java.io.IOException;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRunProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintainResponseProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceStatusProto;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.namenode.maintain.Maintenance;
import org.hadoopmpsr.namenode.maintain.MaintenanceView;

/** Translates what is said of maintenance. */
final class MaintenanceMessages {
    private MaintenanceMessages() {}

    static MaintainResponseProto ask(Maintenance maintenance, MaintainRequestProto request) throws IOException {
        return MaintenanceWire.answer(maintenance.ask(() -> MaintenanceWire.request(request)));
    }

    static MaintenanceStatusProto status(MaintenanceView view) {
        MaintenanceLease lease = view.lease();
        MaintenanceStatusProto.Builder proto =
                MaintenanceStatusProto.newBuilder().setEnabled(view.enabled());
        if (!lease.holder().isEmpty()) {
            proto.setHolder(lease.holder());
        }
        if (lease.sinceMs() > 0) {
            proto.setSince(lease.sinceMs()).setExpires(lease.expiresMs());
        }
        if (lease.checkedMs() > 0) {
            proto.setChecked(lease.checkedMs());
        }
        view.shown()
                .forEach(run -> proto.addRun(DatasetRunProto.newBuilder()
                        .setDatasetId(run.dataset().id())
                        .setPath(run.dataset().path())
                        .setRun(MaintenanceWire.run(run.run()))));
        return proto.build();
    }
}
