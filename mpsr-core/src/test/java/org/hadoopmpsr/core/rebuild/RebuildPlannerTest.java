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
package org.hadoopmpsr.core.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class RebuildPlannerTest {
    private static final RebuildRules RULES = new RebuildRules(1000, 10, 20, 5000);
    private static final ContentHash CONTENT = new ContentHash(7, 8, 9);
    private long files;

    private Damage damage(String segment, String group, int damaged, Object... sources) {
        Map<String, Segment.Group> whole = new HashMap<>();
        for (int i = 0; i < sources.length; i += 2) {
            whole.put((String) sources[i], new Segment.Group(3, (Integer) sources[i + 1], CONTENT));
        }
        List<DamagedFile> lost = new ArrayList<>();
        for (int i = 0; i < damaged; i++) {
            FileStatistics statistics = new FileStatistics(segment, CONTENT, List.of("p" + i), Map.of());
            DataFile file = new DataFile("/" + group + "/p=p" + i + "/" + segment, ++files, 100, 0, statistics);
            lost.add(new DamagedFile(file, DamagedFile.Cause.LOST));
        }
        return new Damage(segment, group, group.equals("a"), whole, 0, true, ContentHash.EMPTY, CONTENT, false, lost);
    }

    private static List<String> texts(RebuildPlan plan) {
        return plan.units().stream()
                .map(unit -> unit.group() + unit.segments() + " from "
                        + unit.parts().stream()
                                .map(RebuildUnit.Part::source)
                                .distinct()
                                .toList())
                .toList();
    }

    @Test
    void theMostEndangeredComesFirstAndThenTheDefaultGroup() {
        RebuildPlan plan = RebuildPlanner.plan(
                List.of(
                        damage("s1", "b", 1, "a", 10, "c", 10),
                        damage("s2", "a", 1, "b", 10, "c", 10),
                        damage("s3", "b", 1, "c", 10),
                        damage("s4", "b", 1)),
                RULES,
                new RebuildTries());
        assertThat(texts(plan)).containsExactly("b[s3] from [c]", "a[s2] from [b]", "b[s1] from [a]");
        assertThat(plan.left()).hasSize(1);
        assertThat(plan.left().get(0).damage().segment()).isEqualTo("s4");
        assertThat(plan.left().get(0).reason()).contains("7 records have no live copy");
    }

    @Test
    void theSourceIsTheOneWithTheLeastToRead() {
        RebuildPlan plan =
                RebuildPlanner.plan(List.of(damage("s1", "b", 1, "a", 20, "c", 10)), RULES, new RebuildTries());
        assertThat(texts(plan)).containsExactly("b[s1] from [c]");
        assertThat(plan.units().get(0).bytes()).isEqualTo(100);
        assertThat(plan.units().get(0).replaces()).containsExactly(files);
    }

    @Test
    void groupsThatHaveAboutAsMuchToReadComeInTurn() {
        List<Damage> damages = List.of(
                damage("s1", "b", 1, "a", 110, "c", 100),
                damage("s2", "b", 1, "a", 110, "c", 100),
                damage("s3", "b", 1, "a", 110, "c", 100),
                damage("s4", "b", 1, "a", 200, "c", 100));
        RebuildPlan plan = RebuildPlanner.plan(damages, RULES, new RebuildTries());
        assertThat(plan.units().get(0).parts())
                .extracting(RebuildUnit.Part::source)
                .containsExactly("c", "a", "c", "c");
    }

    @Test
    void aChangeHasABlockForEachTask() {
        assertThat(RebuildRules.of(100, 10, 1).unitBytes()).isEqualTo(400);
        assertThat(RebuildRules.of(100, 10, 80).unitBytes()).isEqualTo(8_000);
    }

    @Test
    void smallSegmentsOfOneGroupGoIntoOneChange() {
        List<Damage> damages = List.of(
                damage("s1", "a", 2, "b", 2000),
                damage("s1", "c", 2, "b", 2000),
                damage("s2", "a", 2, "b", 2000),
                damage("s2", "c", 7, "b", 2000),
                damage("s3", "a", 2, "b", 2000),
                damage("s3", "c", 2, "b", 500));
        assertThat(texts(RebuildPlanner.plan(damages, RULES, new RebuildTries())))
                .containsExactly("a[s1, s2] from [b]", "a[s3] from [b]", "c[s1, s2] from [b]", "c[s3] from [b]");
    }

    @Test
    void whatFailedTogetherIsTriedAloneAndThenFromAnotherGroup() {
        List<Damage> damages = List.of(damage("s1", "a", 1, "b", 10, "c", 20), damage("s2", "a", 1, "b", 10, "c", 20));
        RebuildTries tries = new RebuildTries();
        RebuildPlan plan = RebuildPlanner.plan(damages, RULES, tries);
        assertThat(texts(plan)).containsExactly("a[s1, s2] from [b]");
        tries.failed(plan.units().get(0), "it is damaged");
        plan = RebuildPlanner.plan(damages, RULES, tries);
        assertThat(texts(plan)).containsExactly("a[s1] from [b]", "a[s2] from [b]");
        tries.failed(plan.units().get(0), "it is damaged");
        plan = RebuildPlanner.plan(damages, RULES, tries);
        assertThat(texts(plan)).containsExactly("a[s1] from [c]", "a[s2] from [b]");
        tries.failed(plan.units().get(0), "it is lost");
        plan = RebuildPlanner.plan(damages, RULES, tries);
        assertThat(texts(plan)).containsExactly("a[s2] from [b]");
        assertThat(plan.left())
                .singleElement()
                .satisfies(left ->
                        assertThat(left.reason()).isEqualTo("from group b: it is damaged; from group c: it is lost"));
    }

    @Test
    void damageThatComesBackIsNotRebuiltForEver() {
        List<Damage> damages = List.of(damage("s1", "a", 1, "b", 10));
        RebuildTries tries = new RebuildTries();
        for (int i = 0; i < 3; i++) {
            RebuildPlan plan = RebuildPlanner.plan(damages, RULES, tries);
            assertThat(texts(plan)).containsExactly("a[s1] from [b]");
            tries.rebuilt(plan.units().get(0));
        }
        RebuildPlan plan = RebuildPlanner.plan(damages, RULES, tries);
        assertThat(plan.units()).isEmpty();
        assertThat(plan.left().get(0).reason()).contains("damaged again");
    }

    @Test
    void aSegmentWithMoreFilesThanAChangeMayHaveStays() {
        RebuildPlan plan = RebuildPlanner.plan(List.of(damage("s1", "a", 11, "b", 10)), RULES, new RebuildTries());
        assertThat(plan.units()).isEmpty();
        assertThat(plan.left().get(0).reason()).contains("11 files are damaged; raise dfs.mpsr.commit.max.files");
    }
}
