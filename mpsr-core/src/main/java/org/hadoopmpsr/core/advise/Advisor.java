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
package org.hadoopmpsr.core.advise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.hadoopmpsr.core.advise.Estimator.Laid;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.workload.QueryClass;
import org.jspecify.annotations.Nullable;

/**
 * Advises replica groups for a workload. The default group stays as it is, because it is where stock readers look. Costs are those of what is
 * read in the group that the planner chooses, as {@link Estimator} says from a sample of the data. As many advised groups as there are now
 * never cost more than the present ones by these estimates. A pure function of its arguments.
 */
public final class Advisor {
    /** The most classes of queries that count, those with the most queries. */
    private static final int MOST_CLASSES = 30;
    /** The layouts of each class that are compared further, the cheapest for the class. */
    private static final int BEST_OF_CLASS = 3;
    /** The most layouts that are compared. */
    private static final int MOST_LAYOUTS = 80;
    /** The sampled records by which the layouts of one class are compared with each other. */
    private static final int ROUGH = 2_000;
    /** Groups that cost less than the present ones by a smaller share are not advised. */
    private static final double WORTH_A_CHANGE = 0.05;

    /** Of a group that is compared with others. */
    private static final String NAME = "g";

    private final DataSample sample;
    private final Estimator rough;
    private final List<ReplicaGroup> today;
    private final List<ReplicaGroup> spare;
    private final boolean isDirectory;
    private final Estimator estimator;
    private final List<Question> questions;
    private final double covered;
    private final Candidates candidates;
    private final int bestOfClass;
    private final int mostLayouts;

    private Advisor(
            DataSample sample,
            List<QueryClass> classes,
            List<ReplicaGroup> today,
            List<ReplicaGroup> spare,
            @Nullable StockFiles lying,
            CostModel costs,
            double fileBytes,
            GroupSizes sizes,
            long seed,
            boolean isThorough) {
        check(sample, classes);
        this.bestOfClass = isThorough ? Integer.MAX_VALUE : BEST_OF_CLASS;
        this.mostLayouts = isThorough ? Integer.MAX_VALUE : MOST_LAYOUTS;
        this.sample = sample;
        this.today = today;
        this.spare = spare;
        this.isDirectory = lying != null;
        this.estimator = new Estimator(
                sample, costs, fileBytes, sizes, lying, today.get(0).name());
        this.rough = estimator.rough(ROUGH);
        List<QueryClass> most = classes.stream()
                .sorted(Comparator.comparingLong((QueryClass c) -> c.tally().queries())
                        .reversed())
                .limit(MOST_CLASSES)
                .toList();
        this.questions = Questions.of(most, sample, seed);
        double all = classes.stream().mapToLong(c -> c.tally().queries()).sum();
        this.covered =
                all == 0 ? 0 : questions.stream().mapToDouble(Question::weight).sum() / all;
        this.candidates = new Candidates(sample);
    }

    /**
     * Advises groups.
     *
     * @param sample at least one record
     * @param classes what is asked
     * @param today the present groups, the default group first
     * @param count how many groups are wanted, at least one
     * @param fileBytes the size to which files grow when they are merged
     * @param seed equal seeds give equal advice
     * @throws IllegalArgumentException if there is nothing to advise from, with the reason
     */
    public static Advice advise(
            DataSample sample,
            List<QueryClass> classes,
            List<ReplicaGroup> today,
            int count,
            CostModel costs,
            double fileBytes,
            long seed) {
        return new Advisor(sample, classes, today, List.of(), null, costs, fileBytes, GroupSizes.NONE, seed, false)
                .advise(count);
    }

    /**
     * As {@link #advise}, among all layouts that the conditions of the classes make, and the merged ones: no class keeps its best layouts
     * alone. Takes many times as long; tells how much the usual way loses.
     */
    public static Advice adviseThoroughly(
            DataSample sample,
            List<QueryClass> classes,
            List<ReplicaGroup> today,
            int count,
            CostModel costs,
            double fileBytes,
            long seed) {
        return new Advisor(sample, classes, today, List.of(), null, costs, fileBytes, GroupSizes.NONE, seed, true)
                .advise(count);
    }

    /**
     * Advises groups for a directory that is no dataset. Today it is read as readers without MPSR do; the default group holds the files as
     * they lie.
     *
     * @param sample at least one record
     * @param classes what is asked
     * @param lies the default group, partitioned as the directory is
     * @param files of the directory
     * @param others the further groups that a dataset would have, whose names, numbers of copies and codecs are taken for the advised ones
     * @param count how many groups are wanted, at least one
     * @param fileBytes the size to which files grow when they are merged
     * @param sizes what columns take in groups other than the default group
     * @param seed equal seeds give equal advice
     * @throws IllegalArgumentException if there is nothing to advise from, with the reason
     */
    public static Advice adviseDirectory(
            DataSample sample,
            List<QueryClass> classes,
            ReplicaGroup lies,
            StockFiles files,
            List<ReplicaGroup> others,
            int count,
            CostModel costs,
            double fileBytes,
            GroupSizes sizes,
            long seed) {
        return new Advisor(sample, classes, List.of(lies), others, files, costs, fileBytes, sizes, seed, false)
                .advise(count);
    }

    /**
     * Says what queries read in groups that are given, in a directory that is no dataset, in the order of {@link #adviseDirectory}'s
     * classes: those with the most queries come first.
     *
     * @param sample at least one record
     * @param classes what is asked
     * @param groups the default group first, partitioned as the directory is
     * @param files of the directory
     * @param fileBytes the size to which files grow when they are merged
     * @param sizes what columns take in groups other than the default group
     * @param seed equal seeds give equal queries
     * @throws IllegalArgumentException if there is nothing to tell from, with the reason
     */
    public static List<Prediction> predictDirectory(
            DataSample sample,
            List<QueryClass> classes,
            List<ReplicaGroup> groups,
            StockFiles files,
            CostModel costs,
            double fileBytes,
            GroupSizes sizes,
            long seed) {
        Advisor advisor = new Advisor(
                sample, classes, List.of(groups.get(0)), List.of(), files, costs, fileBytes, sizes, seed, false);
        Estimator estimator = advisor.estimator;
        List<Laid> advised = groups.stream().map(estimator::laid).toList();
        String defaultGroup = groups.get(0).name();
        return advisor.questions.stream()
                .map(q -> new Prediction(
                        q.queries(),
                        q.examples(),
                        estimator.stockEstimate(q, groups.get(0)),
                        estimator.estimate(q, advised, defaultGroup)))
                .toList();
    }

    private static void check(DataSample sample, List<QueryClass> classes) {
        if (sample.rows().isEmpty()) {
            throw new IllegalArgumentException("there are no records to tell from how groups would be divided");
        }
        if (classes.stream().allMatch(c -> c.tally().queries() == 0)) {
            throw new IllegalArgumentException(
                    "no query is known, and groups are advised from what is asked; let queries"
                            + " run for a while, or give a workload with --from");
        }
    }

    private Advice advise(int count) {
        List<Layout> layouts = new ArrayList<>(
                new LinkedHashSet<>(today.stream().map(Layout::of).toList()));
        Set<Integer> present = new TreeSet<>();
        for (int i = 0; i < layouts.size(); i++) {
            present.add(i);
        }
        spare.stream()
                .filter(this::fits)
                .map(Layout::of)
                .filter(layout -> !layouts.contains(layout))
                .forEach(layouts::add);
        addCandidates(layouts);
        List<List<Estimator.Cost>> table = layouts.stream().map(this::costs).toList();
        double[] weights = questions.stream().mapToDouble(Question::weight).toArray();
        GroupSearch search = new GroupSearch(
                column(table, Estimator.Cost::plannedMs), column(table, Estimator.Cost::readMs), weights, count - 1);
        List<Integer> found = search.search(Set.of(0), List.of(present));
        boolean isWhole = GroupSearch.isWhole(layouts.size() - 1, count - 1);
        Advice advice = describe(named(found.stream().map(layouts::get).toList()), layouts.size(), isWhole);
        return today.size() == count && advice.advisedMs() > advice.todayMs() * (1 - WORTH_A_CHANGE)
                ? describe(today, layouts.size(), isWhole)
                : advice;
    }

    private void addCandidates(List<Layout> layouts) {
        List<List<Layout>> best = new ArrayList<>();
        for (Question question : questions) {
            Map<Layout, Double> ms = new HashMap<>();
            candidates.of(question).forEach(layout -> ms.put(layout, roughMs(layout, question)));
            best.add(ms.entrySet().stream()
                    .sorted(Map.Entry.<Layout, Double>comparingByValue()
                            .thenComparing(e -> e.getKey().text()))
                    .limit(bestOfClass)
                    .map(Map.Entry::getKey)
                    .toList());
        }
        Set<Layout> all = new LinkedHashSet<>(layouts);
        best.forEach(all::addAll);
        for (List<Layout> one : best) {
            for (List<Layout> other : best) {
                if (one != other && !one.isEmpty() && !other.isEmpty() && all.size() < mostLayouts) {
                    all.addAll(candidates.merged(one.get(0), other.get(0)));
                }
            }
        }
        layouts.clear();
        all.stream().limit(mostLayouts).forEach(layouts::add);
    }

    /** About what a question costs in a layout, in milliseconds. */
    private double roughMs(Layout layout, Question question) {
        Laid files = rough.sampled(layout.group(NAME, 1, codec()));
        return rough.estimate(question, List.of(files), NAME).costMs();
    }

    private boolean fits(ReplicaGroup group) {
        return new ReplicaGroups(List.of(group), group.name())
                .problemsWith(sample.schema())
                .isEmpty();
    }

    /** What each question costs in a layout. */
    private List<Estimator.Cost> costs(Layout layout) {
        ReplicaGroup group = layout.group(NAME, 1, codec());
        boolean isDefault = layout.equals(Layout.of(today.get(0)));
        Laid files = isDefault ? estimator.laid(today.get(0)) : estimator.sampled(group);
        return questions.stream().map(q -> estimator.cost(q, files)).toList();
    }

    private static double[][] column(List<List<Estimator.Cost>> table, ToDoubleFunction<Estimator.Cost> of) {
        return table.stream().map(row -> row.stream().mapToDouble(of).toArray()).toArray(double[][]::new);
    }

    private Codecs codec() {
        return (spare.isEmpty() ? today : spare).get(0).codec();
    }

    /** Layouts as groups: those that are there keep their names, and others get the names of groups that go. */
    private List<ReplicaGroup> named(List<Layout> layouts) {
        Map<Layout, ReplicaGroup> kept = new HashMap<>();
        List<ReplicaGroup> known = new ArrayList<>(today);
        known.addAll(spare);
        for (ReplicaGroup group : known) {
            if (layouts.contains(Layout.of(group))) {
                kept.putIfAbsent(Layout.of(group), group);
            }
        }
        List<ReplicaGroup> free = new ArrayList<>(known);
        free.removeAll(kept.values());
        Map<Layout, ReplicaGroup> taken = new HashMap<>();
        for (Layout layout : layouts) {
            String column = layout.predicates().get(0).column();
            free.stream()
                    .filter(group -> !kept.containsKey(layout) && group.name().equalsIgnoreCase(column))
                    .findFirst()
                    .ifPresent(group -> taken.put(layout, group));
            free.remove(taken.get(layout));
        }
        List<ReplicaGroup> groups = new ArrayList<>();
        int next = known.size();
        for (Layout layout : layouts) {
            ReplicaGroup same = kept.get(layout);
            if (same != null) {
                groups.add(same);
            } else if (taken.containsKey(layout) || !free.isEmpty()) {
                ReplicaGroup gone = taken.containsKey(layout) ? taken.get(layout) : free.remove(0);
                groups.add(layout.group(gone.name(), gone.replication(), gone.codec()));
            } else {
                groups.add(layout.group("group" + ++next, 1, codec()));
            }
        }
        return groups;
    }

    private Advice describe(List<ReplicaGroup> groups, int compared, boolean optimal) {
        List<Laid> ofToday = today.stream().map(estimator::laid).toList();
        List<Laid> advised = groups.stream().map(estimator::laid).toList();
        String defaultGroup = today.get(0).name();
        List<Advice.OfClass> classes = questions.stream()
                .map(q -> new Advice.OfClass(
                        q.queries(),
                        estimator.stockEstimate(q, today.get(0)),
                        isDirectory
                                ? estimator.stockEstimate(q, today.get(0))
                                : estimator.estimate(q, ofToday, defaultGroup),
                        estimator.estimate(q, advised, defaultGroup)))
                .toList();
        Map<String, String> reasons = new HashMap<>();
        groups.forEach(group -> reasons.put(group.name(), reason(group, classes, defaultGroup)));
        return new Advice(groups, today, classes, covered, compared, optimal, reasons);
    }

    private static String reason(ReplicaGroup group, List<Advice.OfClass> classes, String defaultGroup) {
        List<Advice.OfClass> served = classes.stream()
                .filter(c -> c.advised().group().equals(group.name()))
                .toList();
        String first = group.name().equals(defaultGroup) ? "it stays, because stock readers look there; " : "";
        if (served.isEmpty()) {
            return first + "no class of queries is answered from it";
        }
        double queries = sum(served, c -> 1);
        double all = sum(classes, c -> 1);
        double ms = sum(served, c -> c.advised().costMs());
        double stockMs = sum(served, c -> c.stock().costMs());
        return String.format(
                Locale.ROOT,
                "%sit answers %.0f %% of the queries, in %.2f of the default group's time, such as: %s",
                first,
                100 * queries / all,
                stockMs <= 0 ? 1 : ms / stockMs,
                served.get(0).queries().shape().conditions());
    }

    private static double sum(List<Advice.OfClass> classes, ToDoubleFunction<Advice.OfClass> ofQuery) {
        return classes.stream()
                .mapToDouble(c -> c.queries().tally().queries() * ofQuery.applyAsDouble(c))
                .sum();
    }
}
