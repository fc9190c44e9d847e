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
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.cost.CostModelTest;
import org.hadoopmpsr.core.files.EarlierFiles;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FilePageTest {
    private static final Schema SCHEMA = Schema.parse("n bigint");
    private static final ReplicaGroup GROUP =
            new ReplicaGroup("g", List.of(Predicate.parse("n")), List.of(), 1, Codec.parse("none"));

    private record Partition(List<DataFile> files, boolean bounds) implements PartitionFiles {
        @Override
        public @Nullable FileStatistics summary() {
            return bounds && !files.isEmpty()
                    ? files.stream()
                            .map(DataFile::statistics)
                            .reduce(FileStatistics::union)
                            .orElseThrow()
                    : null;
        }
    }

    private static GroupFiles group(Random random) {
        List<Partition> partitions = new ArrayList<>();
        for (int p = random.nextInt(8); p > 0; p--) {
            List<DataFile> files = new ArrayList<>();
            for (int f = random.nextInt(6); f > 0; f--) {
                long low = random.nextInt(50);
                files.add(new DataFile(
                        "/" + p + "/" + f,
                        100L * p + f,
                        10,
                        1,
                        new FileStatistics(
                                "c" + random.nextInt(4),
                                new ContentHash(5, 1, 1),
                                List.of(),
                                Map.of("n", new ColumnStatistics(low, low + 5, 0)))));
            }
            partitions.add(new Partition(files, random.nextBoolean()));
        }
        return new GroupFiles(GROUP, partitions, null);
    }

    /** Also of the files as they were before others came. */
    @Test
    void pagesTogetherAreThePlan() {
        Seeds.forAll(500, random -> {
            GroupFiles now = group(random);
            int share = random.nextInt(3);
            Set<Long> later = now.files().stream()
                    .map(DataFile::fileId)
                    .filter(id -> share > 0 && random.nextInt(3) < share)
                    .collect(Collectors.toSet());
            GroupFiles group = new GroupFiles(GROUP, EarlierFiles.of(now.partitions(), later), null);
            Filter filter = random.nextInt(5) == 0
                    ? Filter.ALL
                    : new Filter.Compare(Filter.Operator.GT, "n", (long) random.nextInt(60));
            int most = 1 + random.nextInt(7);

            List<DataFile> paged = new ArrayList<>();
            int pages = 0;
            for (long from = 0; from != FilePage.END; pages++) {
                FilePage page = FilePage.of(
                        SCHEMA,
                        group,
                        filter,
                        from,
                        new FilePage.Limit(most, Long.MAX_VALUE, Set.of()),
                        WorkLimit.NONE);
                assertThat(page.files()).hasSizeLessThanOrEqualTo(most);
                assertThat(page.next() == FilePage.END || page.files().size() == most)
                        .isTrue();
                paged.addAll(page.files());
                from = page.next();
            }

            Plan plan = planned(group, filter);
            assertThat(paged)
                    .extracting(DataFile::path)
                    .isEqualTo(plan.files().stream().map(DataFile::path).toList());
            assertThat(paged)
                    .extracting(DataFile::path)
                    .isEqualTo(planned(now, filter).files().stream()
                            .filter(f -> !later.contains(f.fileId()))
                            .map(DataFile::path)
                            .toList());
            assertThat(pages).isLessThanOrEqualTo(plan.files().size() / most + 1);
        });
    }

    private static Plan planned(GroupFiles group, Filter filter) {
        return Planner.plan(
                SCHEMA, List.of(group), "g", ReadRequest.ofAllColumns(filter), CostModelTest.model(1, 1, 1), null);
    }

    /** The statistics of columns that nobody asks for take no room. */
    @Test
    void pagesEndByBytes() {
        Seeds.forAll(200, random -> {
            GroupFiles group = group(random);
            List<DataFile> all = planned(group, Filter.ALL).files();
            Set<String> columns = random.nextBoolean() ? Set.of("n") : Set.of();
            long bytes = random.nextInt(500);
            List<DataFile> paged = new ArrayList<>();
            for (long from = 0; from != FilePage.END; ) {
                FilePage page = FilePage.of(
                        SCHEMA, group, Filter.ALL, from, new FilePage.Limit(100, bytes, columns), WorkLimit.NONE);
                if (page.files().size() > 1) {
                    assertThat(page.files().stream()
                                    .limit(page.files().size() - 1L)
                                    .mapToLong(FilePage.Limit::bytes)
                                    .sum())
                            .isLessThanOrEqualTo(bytes);
                }
                assertThat(page.files())
                        .allMatch(f -> f.statistics().columns().keySet().equals(columns));
                int cut = page.files().isEmpty()
                        ? 0
                        : 1 + random.nextInt(page.files().size());
                FilePage first = page.first(cut);
                paged.addAll(first.files());
                from = first.next();
            }
            assertThat(paged)
                    .extracting(DataFile::path)
                    .isEqualTo(all.stream().map(DataFile::path).toList());
        });
    }

    @Test
    void noPageStartsOutsideThePlan() {
        GroupFiles group = GroupFiles.of(GROUP, List.of(), null);
        FilePage.Limit limit = new FilePage.Limit(1, 1, Set.of());
        for (long from : new long[] {(1L << 32) - 1, -1, Long.MIN_VALUE, (5L << 32) + Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> FilePage.of(SCHEMA, group, Filter.ALL, from, limit, WorkLimit.NONE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no page of a plan starts at " + Long.toUnsignedString(from)
                            + "; ask for the next of a page before");
        }
        assertThat(FilePage.of(SCHEMA, group, Filter.ALL, 1L << 62, limit, WorkLimit.NONE))
                .isEqualTo(new FilePage(List.of(), List.of(), FilePage.END));
    }
}
