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
package org.hadoopmpsr.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.proto.MpsrProtos.DamageCausesProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebuildingProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ToRebuildProto;
import org.hadoopmpsr.client.wire.DamageWire;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.junit.jupiter.api.Test;

class ToRebuildViewTest {
    private static final ToRebuildProto LEFT = ToRebuildProto.newBuilder()
            .setPath("/cals/meas")
            .setGroup("signal")
            .setSegments(12)
            .setCauses(DamageCausesProto.newBuilder().setLost(38).setCorrupt(2))
            .setBytes(4_096)
            .setSince(1_000)
            .setDue(601_000)
            .build();

    @Test
    void whatIsRebuiltNowIsOneLine() {
        RebuildingProto now = RebuildingProto.newBuilder()
                .setPath("/cals/meas")
                .setScope(DamageWire.scope(new RebuildScope("signal", 3, 12, 4_096, true)))
                .setSince(1_000)
                .build();
        assertThat(ToRebuildView.text(now))
                .isEqualTo("Rebuilding in /cals/meas, group 'signal': 3 segments, 12 files, 4096 bytes since"
                        + " 1970-01-01T00:00:01Z, found false by a scrub");
        assertThat(Json.text(ToRebuildView.json(now)))
                .isEqualTo("{\"path\": \"/cals/meas\", \"group\": \"signal\", \"segments\": 3, \"files\": 12,"
                        + " \"bytes\": 4096, \"cause\": \"scrub\", \"since\": \"1970-01-01T00:00:01Z\"}");
    }

    @Test
    void whatIsToBeRebuiltIsOneLine() {
        String what = "To rebuild in /cals/meas, group 'signal': 12 segments, about 4096 bytes (38 files lost with a"
                + " DataNode or disk, 2 files corrupt) since 1970-01-01T00:00:01Z; ";
        assertThat(ToRebuildView.text(LEFT, 2_000)).isEqualTo(what + "due at 1970-01-01T00:10:01Z");
        assertThat(ToRebuildView.text(LEFT, 700_000))
                .isEqualTo(what + "due since 1970-01-01T00:10:01Z, no rebuild of hdfs mpsr maintain runs");
        ToRebuildProto runs =
                LEFT.toBuilder().setRunningSince(620_000).setSecondsLeft(90).build();
        assertThat(ToRebuildView.text(runs, 700_000))
                .isEqualTo(what + "a rebuild runs since 1970-01-01T00:10:20Z; about PT1M30S left at the pace so far");
        assertThat(Json.text(ToRebuildView.json(runs)))
                .isEqualTo("{\"path\": \"/cals/meas\", \"group\": \"signal\", \"segments\": 12, \"files\": 40,"
                        + " \"bytes\": 4096, \"lostFiles\": 38, \"corruptFiles\": 2, \"changedFiles\": 0,"
                        + " \"segmentsWithDeletedFiles\": 0, \"since\": \"1970-01-01T00:00:01Z\","
                        + " \"due\": \"1970-01-01T00:10:01Z\", \"runningSince\": \"1970-01-01T00:10:20Z\","
                        + " \"secondsLeft\": 90}");
        assertThat(Json.text(ToRebuildView.json(LEFT))).contains("\"runningSince\": null, \"secondsLeft\": null");
    }
}
