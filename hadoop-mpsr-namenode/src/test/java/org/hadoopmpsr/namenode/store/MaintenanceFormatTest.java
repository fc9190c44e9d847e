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
package org.hadoopmpsr.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.hadoopmpsr.client.wire.MaintenanceWire;
import org.hadoopmpsr.core.maintain.MaintenanceLease;
import org.hadoopmpsr.core.maintain.MaintenanceRun;
import org.hadoopmpsr.core.maintain.MaintenanceRun.Outcome;
import org.hadoopmpsr.core.maintain.ScrubSummary;
import org.junit.jupiter.api.Test;

/** The attributes that record maintenance, byte by byte. */
class MaintenanceFormatTest {
    private static final MaintenanceLease LEASE = new MaintenanceLease("a", 1, 1_000, 2);
    private static final String LEASE_1 = "0801" + "120161" + "1801" + "20e807" + "2802";
    private static final List<MaintenanceRun> RUNS = List.of(
            new MaintenanceRun("compact", 1, 2, Outcome.FAILED, 3, 4, 5, 1_000, "p"),
            MaintenanceRun.started("scrub", 6));
    private static final String RUNS_1 = "0801" // format_version
            + "121b" + "0a07636f6d70616374" + "1001" + "1802" + "2003" + "2803" + "3004" + "3805" + "40e807" + "4a0170"
            + "1211" + "0a057363727562" + "1006" + "2001" + "2800" + "3800" + "4000";

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @Test
    void theLeaseOfVersion1() throws Exception {
        assertThat(hex(MaintenanceWire.lease(LEASE).toByteArray())).isEqualTo(LEASE_1);
        assertThat(StoredRecords.maintenanceLease(bytes(LEASE_1), "/s")).isEqualTo(LEASE);
    }

    @Test
    void theRunsOfVersion1() throws Exception {
        assertThat(hex(MaintenanceWire.record(RUNS).toByteArray())).isEqualTo(RUNS_1);
        assertThat(StoredRecords.maintenance(bytes(RUNS_1), "/s")).isEqualTo(RUNS);
    }

    @Test
    void theSummaryOfAScrub() throws Exception {
        List<MaintenanceRun> runs =
                List.of(MaintenanceRun.started("scrub", 6).with(new ScrubSummary(3, 2, 1_000, 4, 5, 6)));
        String bytes = "0801" + "1220" + "0a057363727562" + "1006" + "2001" + "2800" + "3800" + "4000" + "520d" + "0803"
                + "1002" + "18e807" + "2004" + "2805" + "3006";
        assertThat(hex(MaintenanceWire.record(runs).toByteArray())).isEqualTo(bytes);
        assertThat(StoredRecords.maintenance(bytes(bytes), "/s")).isEqualTo(runs);
    }

    @Test
    void otherVersionsAndDamagedRecordsAreRefused() {
        assertThatThrownBy(() -> StoredRecords.maintenanceLease(new byte[] {8, 2}, "/s"))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageStartingWith("cannot read the maintenance lease of '/s': it has format version 2");
        assertThatThrownBy(() -> StoredRecords.maintenance(new byte[] {8, 2}, "/s"))
                .hasMessageStartingWith("cannot read the maintenance record of '/s': it has format version 2");
        assertThatThrownBy(() -> StoredRecords.maintenance(bytes(RUNS_1.replace("1802", "1800")), "/s"))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining("is FAILED, started at 1 and ended at 0");
    }
}
