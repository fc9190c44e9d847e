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
package org.hadoopmpsr.client.rollback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.cli.common.Json;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.client.history.PlannedRollback.Part;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.junit.jupiter.api.Test;

class RollbackReportTest {
    private static Part part(String id, long records, long sum) {
        ContentHash content = new ContentHash(HashKind.XXH_128, records, 0, sum);
        Segment.Group held = new Segment.Group(2, 3_000, content);
        return new Part(id, content, 3, 20, Map.of("time", held, "signal", held));
    }

    private static final PlannedRollback PLAN =
            new PlannedRollback("d-1", 16, 21, List.of(part("delete-1.0", 900, 5)), List.of(part("a", 1_000, 7)));

    @Test
    void itTellsWhatGoesAndWhatComes() {
        assertThat(new RollbackReport("/d", PLAN, null).lines())
                .containsExactly(
                        "/d: a rollback would bring the state after change 16 back, in every replica group",
                        "  removed  1 segments, 900 records, content hash 00000000000000000000000000000005",
                        "  restored 1 segments, 1,000 records, content hash 00000000000000000000000000000007",
                        "  4 files (6000 bytes) of restored segments are written in all groups",
                        "  removed  segment delete-1.0: 900 records",
                        "  restored segment a: 1,000 records");
        assertThat(new RollbackReport("/d", PLAN, new RollbackReport.Change("rollback-1", 22)).lines())
                .startsWith(
                        "/d: a rollback has brought the state after change 16 back, in every replica group",
                        "  change rollback-1, number 22");
        RollbackReport done = new RollbackReport("/d", PLAN, new RollbackReport.Change("rollback-1", 22));
        assertThat(Json.text(RollbackReport.json(List.of(done))))
                .isEqualTo("{\"rollbacks\": [{\"path\": \"/d\", \"to\": 16, \"last\": 21, \"change\": \"rollback-1\","
                        + " \"sequence\": 22, \"removedRecords\": 900, \"restoredRecords\": 1000, \"files\": 4, \"bytes\": 6000,"
                        + " \"removes\": [{\"segment\": \"delete-1.0\", \"records\": 900, \"contentHash\":"
                        + " \"00000000000000000000000000000005\"}], \"restores\": [{\"segment\": \"a\", \"records\": 1000,"
                        + " \"contentHash\": \"00000000000000000000000000000007\"}]}]}");
    }

    @Test
    void whatCameAfterTheRunBeganStays() {
        assertThat(PLAN.leavingWhatCameAfter(3)).isEqualTo(PLAN);
        assertThat(PLAN.leavingWhatCameAfter(2).removes()).isEmpty();
        assertThat(PLAN.leavingWhatCameAfter(2).restores()).isEqualTo(PLAN.restores());
        assertThat(PLAN.removedWithLaterRecords(19)).hasValue(PLAN.removes().get(0));
        assertThat(PLAN.removedWithLaterRecords(20)).isEmpty();
    }

    @Test
    void itTellsThatNothingDiffers() {
        PlannedRollback none = new PlannedRollback("d-1", 16, 21, List.of(), List.of());
        assertThat(new RollbackReport("/d", none, null).lines())
                .containsExactly("/d: the present state has the records of the state after change 16, and no others;"
                        + " nothing is to be changed");
    }
}
