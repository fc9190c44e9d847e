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
package org.hadoopmpsr.client.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import org.hadoopmpsr.client.proto.MpsrProtos.DatasetRunProto;
import org.hadoopmpsr.client.proto.MpsrProtos.MaintenanceStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.junit.jupiter.api.Test;

class MaintenanceTextTest {
    private static final MaintenanceStatusProto HELD = MaintenanceStatusProto.newBuilder()
            .setEnabled(true)
            .setHolder("a")
            .setSince(1_000)
            .setExpires(5_000)
            .setChecked(2_000)
            .addRun(DatasetRunProto.newBuilder()
                    .setDatasetId("meas-1")
                    .setPath("/cals/meas")
                    .setRun(MaintenanceWire.run(MaintenanceRun.started("compact", 3_000))))
            .build();

    private static StatusResponseProto.Builder status() {
        return StatusResponseProto.newBuilder()
                .setState("ready")
                .setStoreDir("/.mpsr")
                .setDatasets(1)
                .setVersion("1");
    }

    private static String first(MaintenanceStatusProto maintenance, long nowMs) {
        return MaintenanceText.lines(status().setMaintenance(maintenance).build(), nowMs)
                .get(0);
    }

    @Test
    void whoMaintainsTheClusterAndWhatRuns() {
        assertThat(MaintenanceText.lines(status().setMaintenance(HELD).build(), 4_999))
                .containsExactly(
                        "Maintenance: a since 1970-01-01T00:00:01Z; nothing was left to do at 1970-01-01T00:00:02Z",
                        "  - /cals/meas: compact running since 1970-01-01T00:00:03Z");
        assertThat(first(HELD, 5_000)).startsWith("Maintenance: nobody since 1970-01-01T00:00:05Z;");
        MaintenanceStatusProto left = MaintenanceStatusProto.newBuilder()
                .setEnabled(true)
                .setSince(7_000)
                .setExpires(7_000)
                .build();
        assertThat(first(left, 9_000)).isEqualTo("Maintenance: nobody since 1970-01-01T00:00:07Z");
        assertThat(first(left.toBuilder().clearSince().build(), 9_000)).isEqualTo("Maintenance: nobody");
        assertThat(first(left.toBuilder().setEnabled(false).build(), 9_000))
                .isEqualTo("Maintenance: switched off by dfs.mpsr.maintenance.enabled");
        assertThat(MaintenanceText.lines(status().build(), 9_000)).isEmpty();
    }
}
