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
import static org.hadoopmpsr.core.plan.RandomFiles.SCHEMA;
import static org.hadoopmpsr.core.plan.RandomFiles.filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.CostModelTest;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.MissingSegments;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plans that read segments from several groups have each record once, at the cost of the best choice. */
class UnionPlanTest {
    private static final String[] PREDICATES = {"day(t)", "bucket(4, s)", "n"};

    /** The records of a dataset's segments, in the files of each group. */
    private static final class Representations {
        final Map<String, List<Object[]>> segments = new TreeMap<>();
        final Map<String, List<Object[]>> recordsOf = new HashMap<>();
        final List<GroupFiles> groups = new ArrayList<>();

        Representations(Random random) {
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                List<Object[]> records = new ArrayList<>();
                for (int j = random.nextInt(3); j >= 0; j--) {
                    records.addAll(RandomFiles.records(random));
                }
                segments.put("s" + i, records);
            }
            for (int g = 0; g < PREDICATES.length; g++) {
                Predicate predicate = Predicate.parse(PREDICATES[g]);
                ReplicaGroup group = new ReplicaGroup("g" + g, List.of(predicate), List.of(), 1, Codec.parse("none"));
                groups.add(new GroupFiles(group, partitions(group, random), null));
            }
        }

        private List<Partition> partitions(ReplicaGroup group, Random random) {
            Predicate predicate = group.predicates().get(0);
            Column source = predicate.source(SCHEMA);
            int place = SCHEMA.indexOf(source.name()).orElseThrow();
            Map<String, Partition> partitions = new TreeMap<>();
            segments.forEach((segment, records) -> {
                Map<String, List<Object[]>> files = new TreeMap<>();
                Map<String, Object> values = new HashMap<>();
                for (Object[] record : records) {
                    Object value =
                            record[place] == null ? null : predicate.transform().apply(source.type(), record[place]);
                    values.put(String.valueOf(value), value);
                    files.computeIfAbsent(String.valueOf(value), v -> new ArrayList<>())
                            .add(record);
                }
                files.forEach((value, its) -> {
                    List<Object> tuple = new ArrayList<>();
                    tuple.add(values.get(value));
                    FileStatistics known = RandomFiles.statistics(its, random);
                    String path = "/" + group.name() + "/" + value + "/" + segment;
                    recordsOf.put(path, its);
                    partitions
                            .computeIfAbsent(value, v -> new Partition(new ArrayList<>(), random.nextBoolean()))
                            .files()
                            .add(new DataFile(
                                    path,
                                    path.hashCode(),
                                    50 + random.nextInt(100),
                                    1,
                                    new FileStatistics(segment, known.content(), tuple, known.columns())));
                });
            });
            return List.copyOf(partitions.values());
        }
    }

    private record Partition(List<DataFile> files, boolean summed) implements PartitionFiles {
        @Override
        public @Nullable FileStatistics summary() {
            return summed
                    ? files.stream()
                            .map(DataFile::statistics)
                            .reduce(FileStatistics::union)
                            .orElseThrow()
                    : null;
        }
    }

    private static GroupFiles damaged(GroupFiles group, Set<String> segments, Random random) {
        int share = random.nextInt(4);
        Set<String> missing = segments.stream()
                .filter(s -> share > 0 && random.nextInt(4) < share)
                .collect(Collectors.toCollection(TreeSet::new));
        return missing.isEmpty() ? group : group.without(new MissingSegments(missing, "damaged"));
    }

    @Test
    void everyRecordIsReadOnceAtTheLeastCost() {
        int[] unions = {0};
        int[] stock = {0};
        Seeds.forAll(1500, random -> {
            Representations data = new Representations(random);
            Set<String> all = data.segments.keySet();
            List<GroupFiles> groups = data.groups.stream()
                    .map(g -> damaged(g, all, random))
                    .map(g -> random.nextInt(10) == 0
                            ? new GroupFiles(g.group(), g.partitions(), "diverged", g.missing(), 1)
                            : g)
                    .toList();
            for (int i = 0; i < 5; i++) {
                ReadRequest request =
                        ReadRequest.ofAllColumns(filter(random, 2)).inParts();
                String forced = random.nextInt(4) == 0 ? "g" + random.nextInt(groups.size()) : null;
                CostModel costs = CostModelTest.model(random.nextInt(20), 10, 1 + random.nextInt(3) / 2 * 4);
                Plan plan = Planner.plan(SCHEMA, groups, "g0", request, costs, forced);
                boolean asAsked = forced != null && isPossible(data, groups, request, forced);
                String taken = asAsked ? forced : null;
                assertThat(plan.stock()).isEqualTo(!asAsked && !isPossible(data, groups, request, null));
                if (plan.stock()) {
                    stock[0]++;
                    assertThat(plan.reason()).startsWith("no group can be read: g0: ");
                } else {
                    unions[0] += plan.isUnion() ? 1 : 0;
                    assertThat(taken == null || plan.group().equals(taken)).isTrue();
                    assertThat(plan.reason()
                                    .contains("; group " + forced + ", which the reader asked for, cannot be read: "))
                            .isEqualTo(forced != null && !asAsked);
                    checkRecords(data, groups, plan, request.filter());
                    checkPages(groups, plan, request);
                    checkCost(data, groups, plan, request, costs, taken);
                }
            }
        });
        assertThat(Long.getLong("mpsr.seed") != null || unions[0] > 1000 && stock[0] > 1000)
                .as("%d unions, %d stock", unions[0], stock[0])
                .isTrue();
    }

    private static void checkRecords(Representations data, List<GroupFiles> groups, Plan plan, Filter filter) {
        Set<String> read = new HashSet<>();
        Map<String, String> sources = new HashMap<>();
        for (PlanPart part : plan.parts()) {
            Set<String> missing = group(groups, part.group()).missing().ids();
            for (DataFile file : part.files()) {
                String segment = file.statistics().commitId();
                assertThat(part.segments().contains(segment)).as(file.path()).isTrue();
                assertThat(missing).doesNotContain(segment);
                assertThat(sources.merge(segment, part.group(), (a, b) -> a)).isEqualTo(part.group());
                assertThat(read.add(file.path())).as(file.path()).isTrue();
            }
        }
        long found = 0;
        for (String path : read) {
            found += matching(data.recordsOf.get(path), filter);
        }
        long wanted = data.segments.values().stream()
                .mapToLong(records -> matching(records, filter))
                .sum();
        assertThat(found).as("%s", filter).isEqualTo(wanted);
        if (plan.isUnion()) {
            plan.parts().forEach(part -> assertThat(plan.reason()).contains(" from " + part.group()));
        }
    }

    private static long matching(List<Object[]> records, Filter filter) {
        return records.stream()
                .filter(r -> Boolean.TRUE.equals(ThreeValued.passes(filter, r)))
                .count();
    }

    /** The pages of each part are its files. */
    private static void checkPages(List<GroupFiles> groups, Plan plan, ReadRequest request) {
        FilePage.Limit limit = new FilePage.Limit(2, Long.MAX_VALUE, Set.of());
        for (PlanPart part : plan.parts()) {
            GroupFiles all = group(groups, part.group());
            GroupFiles files = new GroupFiles(all.group(), part.segments().of(all.partitions()), null);
            List<String> paged = new ArrayList<>();
            for (long from = 0; from != FilePage.END; ) {
                FilePage page = FilePage.of(SCHEMA, files, request.filter(), from, limit, WorkLimit.NONE);
                page.files().forEach(f -> paged.add(f.path()));
                from = page.next();
            }
            assertThat(paged)
                    .isEqualTo(part.files().stream().map(DataFile::path).toList());
        }
    }

    /** Against every choice of one group for what it can serve and any others for the rest. */
    private static void checkCost(
            Representations data,
            List<GroupFiles> groups,
            Plan plan,
            ReadRequest request,
            CostModel costs,
            @Nullable String forced) {
        if (costs.parallelism() > 1) {
            return;
        }
        double best = Double.MAX_VALUE;
        for (GroupFiles main : usable(groups, forced)) {
            Set<String> own = new TreeSet<>(data.segments.keySet());
            own.removeAll(main.missing().ids());
            double ownCost = cost(main, own, request, costs);
            double rest = 0;
            for (String segment : main.missing().ids()) {
                rest += usable(groups, null).stream()
                        .filter(g -> !g.missing().ids().contains(segment))
                        .mapToDouble(g -> cost(g, Set.of(segment), request, costs))
                        .min()
                        .orElse(Double.MAX_VALUE);
            }
            if (ownCost > 0 || rest == 0) {
                best = Math.min(best, ownCost + rest);
            }
        }
        double chosen = plan.candidates().stream()
                .filter(c -> c.group().equals(plan.group()))
                .findFirst()
                .orElseThrow()
                .costMs();
        // once for few parts, and once for the group that was made for the filter
        assertThat(chosen).isLessThanOrEqualTo(best * Planner.TIE * Planner.TIE + 1e-9);
    }

    private static double cost(GroupFiles group, Set<String> segments, ReadRequest request, CostModel costs) {
        GroupFiles files = new GroupFiles(group.group(), Segments.only(segments).of(group.partitions()), null);
        return Planner.plan(SCHEMA, List.of(files), "g0", request, costs, null)
                .candidates()
                .get(0)
                .costMs();
    }

    /** True if some group can be read that has something of its own, and others have what it lacks. */
    private static boolean isPossible(
            Representations data, List<GroupFiles> groups, ReadRequest request, @Nullable String forced) {
        CostModel costs = CostModelTest.model(1, 10, 1);
        return usable(groups, forced).stream().anyMatch(main -> {
            Set<String> own = new TreeSet<>(data.segments.keySet());
            own.removeAll(main.missing().ids());
            boolean served = main.missing().ids().stream()
                    .allMatch(s -> usable(groups, null).stream()
                            .anyMatch(g -> !g.missing().ids().contains(s)));
            boolean nothing = main.missing().ids().isEmpty()
                    || cost(main, own, request, costs) > 0
                    || main.missing().ids().stream()
                            .allMatch(s -> usable(groups, null).stream()
                                    .filter(g -> !g.missing().ids().contains(s))
                                    .anyMatch(g -> cost(g, Set.of(s), request, costs) == 0));
            return served && nothing;
        });
    }

    private static List<GroupFiles> usable(List<GroupFiles> groups, @Nullable String forced) {
        return groups.stream()
                .filter(g -> g.unusable() == null
                        && (forced == null || g.group().name().equals(forced)))
                .toList();
    }

    private static GroupFiles group(List<GroupFiles> groups, String name) {
        return groups.stream()
                .filter(g -> g.group().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A reader of the reason sees where each segment comes from, and why. */
    @Test
    void theReasonNamesTheSources() {
        Representations data = new Representations(new Random(5));
        List<GroupFiles> groups = List.of(
                data.groups
                        .get(0)
                        .without(new MissingSegments(Set.of("s1"), "degraded: 1 files without a live replica")),
                data.groups.get(1).without(new MissingSegments(Set.of("s2", "s3"), "damaged")),
                data.groups.get(2));
        Plan plan = Planner.plan(
                SCHEMA,
                groups,
                "g0",
                ReadRequest.ofAllColumns(Filter.ALL).inParts(),
                CostModelTest.model(5, 10, 1),
                "g0");
        assertThat(plan.isUnion()).isTrue();
        assertThat(plan.reason())
                .matches("the reader asked for it; \\d segments? from g0, 1 segment from g[12]"
                        + " \\(g0: degraded: 1 files without a live replica\\)");
        assertThat(plan.candidatesText())
                .matches(
                        "g0: .* ms with 1 segment from other groups; g1: .* ms with 2 segments from other groups; g2: [^w]*");
    }
}
