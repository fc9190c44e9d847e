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
package org.hadoopmpsr.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.hadoopmpsr.core.Growth;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.CostModelTest;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

/** Planning takes no longer for a long list of literals than for a short one. */
class PlanGrowthTest {
    private static final Schema SCHEMA = Schema.parse("n bigint not null");
    private static final int BUCKETS = 64;
    private static final int FILES = 4_000;
    private static final ReplicaGroup GROUP = new ReplicaGroup(
            "g",
            List.of(new Predicate(new PartitionTransform.Bucket(BUCKETS), "n")),
            SortKey.of(List.of("n")),
            1,
            Codec.parse("none"));
    private static final CostModel COSTS = CostModelTest.model(5, 1_000, 1);

    private static GroupFiles group() {
        List<DataFile> files = new ArrayList<>();
        for (long i = 0; i < FILES; i++) {
            FileStatistics statistics = new FileStatistics(
                    "c",
                    new ContentHash(100_000, 0, 0),
                    List.of(i % BUCKETS),
                    Map.of("n", new ColumnStatistics(i, i + 1_000_000, 0)));
            files.add(new DataFile("/f" + i, i, 1_000_000, 0, statistics));
        }
        return GroupFiles.of(GROUP, files, null);
    }

    private static ReadRequest in(int literals) {
        List<Object> values =
                LongStream.range(0, literals).mapToObj(i -> (Object) (i * 7)).toList();
        return ReadRequest.ofAllColumns(new Filter.In("n", values));
    }

    private static Plan plan(GroupFiles group, ReadRequest request, WorkLimit limit) {
        return Planner.plan(SCHEMA, List.of(group), "g", request, COSTS, "g", limit);
    }

    @Test
    void literalsAreNotComparedWithEachFile() {
        GroupFiles group = group();
        double factor =
                Growth.factor(() -> plan(group, in(10), WorkLimit.NONE), () -> plan(group, in(20_000), WorkLimit.NONE));
        assertThat(factor).as("for 2,000 times as many literals").isLessThan(100);
    }

    @Test
    void pagesNeitherCompareLiteralsWithEachFile() {
        GroupFiles group = group();
        FilePage.Limit limit = new FilePage.Limit(FILES, Long.MAX_VALUE, java.util.Set.of());
        double factor = Growth.factor(
                () -> FilePage.of(SCHEMA, group, in(10).filter(), 0, limit, WorkLimit.NONE),
                () -> FilePage.of(SCHEMA, group, in(20_000).filter(), 0, limit, WorkLimit.NONE));
        assertThat(factor).as("for 2,000 times as many literals").isLessThan(100);
    }

    @Test
    void planningEndsWhenItMust() {
        GroupFiles group = group();
        int[] evaluated = new int[1];
        WorkLimit limit = files -> {
            evaluated[0] += files;
            if (evaluated[0] > 100) {
                throw new WorkLimit.Overrun("enough");
            }
        };
        assertThatThrownBy(() -> plan(group, in(10), limit)).isInstanceOf(WorkLimit.Overrun.class);
        assertThat(evaluated[0]).isEqualTo(101);
        evaluated[0] = 0;
        assertThatThrownBy(() -> FilePage.of(
                        SCHEMA,
                        group,
                        Filter.ALL,
                        0,
                        new FilePage.Limit(FILES, Long.MAX_VALUE, java.util.Set.of()),
                        limit))
                .isInstanceOf(WorkLimit.Overrun.class);
    }
}
