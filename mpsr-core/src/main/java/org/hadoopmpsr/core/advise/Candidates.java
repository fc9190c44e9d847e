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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.PartitionTransform.Time.Unit;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.workload.Term;

/**
 * Makes the layouts that a search may choose from, as Agrawal, Chaudhuri and Narasayya do for indexes and materialized views ("Automated
 * Selection of Materialized Views and Indexes in SQL Databases", VLDB 2000): first what is relevant for single queries, because it is
 * made of their conditions; then merges of the best ones of different queries, which serve both.
 */
final class Candidates {
    /** With more different values than this, a column is partitioned by a transform of it. */
    private static final int MOST_DIRECTORIES = 1_000;

    private static final int[] BUCKETS = {8, 32, 128, 512};
    /** A part of a partition, of one segment, has at least so many sampled records on average. */
    private static final int LEAST_SAMPLED = 4;
    /** ... and so many records, as many as a page has, or a quarter of what files have that are not divided at all. */
    private static final double LEAST_RECORDS = FileStatistics.PAGE_ROWS;

    private static final int QUARTER = 4;

    private final DataSample sample;
    private final Map<String, Double> distinct = new HashMap<>();
    private final Map<List<Predicate>, Boolean> coarse = new HashMap<>();

    Candidates(DataSample sample) {
        this.sample = sample;
    }

    /** The layouts that are relevant for a class of queries. */
    Set<Layout> of(Question question) {
        List<Term> terms = question.queries().shape().terms().stream()
                .filter(t -> t.columns().size() == 1
                        && (t.operator() == Term.Operator.ONE_OF || t.isRange())
                        && sample.place(t.column()) >= 0)
                .sorted(Comparator.comparing(Term::isRange)) // files are found by values first
                .toList();
        Map<String, List<Predicate>> byColumn = new LinkedHashMap<>();
        terms.forEach(term ->
                byColumn.computeIfAbsent(stored(term.column()).toLowerCase(Locale.ROOT), c -> predicates(term)));
        Set<Layout> layouts = new LinkedHashSet<>();
        List<List<Predicate>> choices = new ArrayList<>(byColumn.values());
        for (int i = 0; i < choices.size(); i++) {
            for (Predicate first : choices.get(i)) {
                add(layouts, List.of(first), terms);
                for (List<Predicate> others : choices.subList(i + 1, choices.size())) {
                    others.forEach(second -> add(layouts, List.of(first, second), terms));
                }
            }
        }
        return layouts;
    }

    /** The layouts that merge two others: divided as one of them or both, and sorted by what both are sorted by. */
    Set<Layout> merged(Layout one, Layout other) {
        Set<Layout> layouts = new LinkedHashSet<>();
        List<Predicate> both = new ArrayList<>(one.predicates());
        other.predicates().stream()
                .filter(p -> one.predicates().stream().noneMatch(q -> q.column().equalsIgnoreCase(p.column())))
                .forEach(both::add);
        List<SortKey> sort = new ArrayList<>(sortOf(one));
        sort.addAll(sortOf(other));
        add(layouts, both, sort.stream().map(SortKey::column).toList());
        add(layouts, one.predicates(), sort.stream().map(SortKey::column).toList());
        return layouts;
    }

    private static List<SortKey> sortOf(Layout layout) {
        return layout.sort().isEmpty()
                ? layout.predicates().stream().map(p -> SortKey.of(p.column())).toList()
                : layout.sort();
    }

    /** The column that a condition is on; of one on a partition field the column that the field is made from. */
    private String stored(String column) {
        Predicate field = sample.fields().get(column.toLowerCase(Locale.ROOT));
        return field == null ? column : field.column();
    }

    private void add(Set<Layout> layouts, List<Predicate> predicates, List<Term> terms) {
        List<String> columns = new ArrayList<>();
        predicates.forEach(p -> columns.add(p.column()));
        terms.stream().filter(t -> t.operator() == Term.Operator.ONE_OF).forEach(t -> columns.add(stored(t.column())));
        terms.stream().filter(Term::isRange).forEach(t -> columns.add(stored(t.column())));
        add(layouts, predicates, columns);
    }

    /** A layout, if its files would not be too small. A column that all records of a file have in common is not sorted by. */
    private void add(Set<Layout> layouts, List<Predicate> predicates, Collection<String> sortColumns) {
        if (!coarse.computeIfAbsent(List.copyOf(predicates), this::isCoarse)) {
            return;
        }
        Map<String, SortKey> sort = new LinkedHashMap<>();
        for (String column : sortColumns) {
            boolean isIdle = predicates.stream()
                    .anyMatch(p -> p.transform() instanceof PartitionTransform.Identity
                            && p.column().equalsIgnoreCase(column));
            if (!isIdle) {
                sort.putIfAbsent(column.toLowerCase(Locale.ROOT), SortKey.of(column));
            }
        }
        layouts.add(new Layout(predicates, List.copyOf(sort.values())));
    }

    /** False if the files of a layout would be smaller than what is worth a file, and smaller than without a division. */
    private boolean isCoarse(List<Predicate> predicates) {
        int parts = SampledFiles.parts(sample, predicates);
        int undivided = SampledFiles.parts(sample, List.of());
        return parts <= undivided
                || sample.rows().size() >= (double) LEAST_SAMPLED * parts
                        && sample.records() / parts >= Math.min(LEAST_RECORDS, sample.records() / undivided / QUARTER);
    }

    /** What files may be divided by for a condition. */
    private List<Predicate> predicates(Term term) {
        Column column = sample.schema().columns().get(sample.place(stored(term.column())));
        ColumnType type = column.type();
        List<PartitionTransform> transforms = new ArrayList<>();
        if (type.isTime()) {
            for (Unit unit : Unit.values()) {
                transforms.add(new PartitionTransform.Time(unit));
            }
        } else if (distinct(column) <= MOST_DIRECTORIES) {
            transforms.add(new PartitionTransform.Identity());
        }
        if (term.operator() == Term.Operator.ONE_OF && !type.isTime()) {
            for (int count : BUCKETS) {
                if (count < distinct(column)) {
                    transforms.add(new PartitionTransform.Bucket(count));
                }
            }
        }
        return transforms.stream()
                .filter(transform -> transform.accepts(type))
                .map(transform -> new Predicate(transform, column.name()))
                .toList();
    }

    private double distinct(Column column) {
        return distinct.computeIfAbsent(
                column.name(),
                name -> Distinct.estimate(sample.sorted(sample.place(name)), Math.max(1, sample.records())));
    }
}
