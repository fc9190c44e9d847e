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
package org.hadoopmpsr.core.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AdoptionPlannerTest {
    /** A change has up to 1,000 bytes and three files; 500 bytes or ten files wait for nothing, others for 20 ms. */
    private static final AdoptionRules RULES = new AdoptionRules(500, 10, 20, 1_000, 3);

    private static UntrackedFile file(long id, long length, long ageMs) {
        return new UntrackedFile("/d/" + id, id, length, 100 - id, ageMs, id, 7, null);
    }

    private static List<List<Long>> ids(List<List<UntrackedFile>> changes) {
        return changes.stream()
                .map(files -> files.stream().map(UntrackedFile::fileId).toList())
                .toList();
    }

    private static List<List<Long>> plan(UntrackedFile... files) {
        return ids(AdoptionPlanner.plan(List.of(files), RULES));
    }

    @Test
    void fewSmallFilesWaitForOthers() {
        assertThat(plan()).isEmpty();
        assertThat(plan(file(1, 10, 5), file(2, 10, 19))).isEmpty();
        assertThat(plan(file(1, 10, 5), file(2, 10, 20))).containsExactly(List.of(2L, 1L));
        assertThat(plan(file(1, 10, 5), file(2, 490, 5))).containsExactly(List.of(2L, 1L));
        assertThat(plan(file(1, 10, -5))).as("of a time to come").containsExactly(List.of(1L));
        UntrackedFile[] ten =
                LongStream.range(0, 10).mapToObj(id -> file(id, 1, 0)).toArray(UntrackedFile[]::new);
        assertThat(plan(ten)).hasSize(4);
        assertThat(ids(AdoptionPlanner.plan(List.of(file(1, 10, 0)), RULES.withoutWaiting())))
                .hasSize(1);
    }

    @Test
    void aChangeHasLimitsThatOneLargeFileMayExceed() {
        assertThat(plan(file(4, 600, 0), file(3, 400, 0), file(2, 1, 0), file(1, 5_000, 0)))
                .containsExactly(List.of(4L, 3L), List.of(2L), List.of(1L));
        assertThat(plan(file(5, 200, 0), file(4, 200, 0), file(3, 200, 0), file(2, 200, 0)))
                .containsExactly(List.of(5L, 4L, 3L), List.of(2L));
    }

    @Test
    void rightsAreNotMixedAndWhatDoesNotFitIsLeftOut() {
        UntrackedFile own = file(1, 600, 0);
        UntrackedFile other = new UntrackedFile("/d/2", 2, 600, 2, 0, 2, 8, null);
        UntrackedFile young = new UntrackedFile("/d/3", 3, 6, 3, 0, 3, 9, null);
        UntrackedFile unfit = new UntrackedFile("/d/4", 4, 600, 4, 50, 4, 7, "it is no Parquet file");
        assertThat(plan(own, other, young, unfit)).containsExactlyInAnyOrder(List.of(1L), List.of(2L));
        assertThat(plan(unfit)).isEmpty();
    }
}
