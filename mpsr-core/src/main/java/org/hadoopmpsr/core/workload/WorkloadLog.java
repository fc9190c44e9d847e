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
package org.hadoopmpsr.core.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of datasets, as classes of queries. Holds at most a given number of classes, at most a quarter of them of one
 * dataset: a class that finds no room takes the place of the rarest one, as {@link SpaceSaving} tells. Each call takes a time that
 * this number bounds. Thread-safe.
 */
public final class WorkloadLog {
    private static final Comparator<QueryClass> MOST_FIRST = Comparator.comparingLong(
                    (QueryClass c) -> c.tally().queries())
            .thenComparingLong(c -> c.tally().lastMs())
            .reversed()
            .thenComparing(c -> c.shape().conditions());

    private final int mostClasses;
    private final int mostOfDataset;
    private final Map<String, OfDataset> datasets = new HashMap<>();
    private int size;
    private long evicted;

    /** The classes of one dataset, and what the dataset was when they were counted. */
    private record OfDataset(Object form, SpaceSaving<QueryShape, QueryTally> classes) {}

    /** @param mostClasses the most classes of all datasets; 0 keeps none */
    public WorkloadLog(int mostClasses) {
        this.mostClasses = mostClasses;
        this.mostOfDataset = Math.max(1, mostClasses / 4);
    }

    /** True if classes are kept. */
    public boolean isOn() {
        return mostClasses > 0;
    }

    /**
     * Counts a query.
     *
     * @param dataset the dataset's id
     * @param form what costs depend on, such as the dataset's groups; where it differs from the form before, the classes of the
     *     dataset are forgotten
     * @param timeMs in milliseconds since the epoch
     */
    public synchronized void asked(String dataset, Object form, Asked asked, long timeMs) {
        if (!isOn()) {
            return;
        }
        SpaceSaving<QueryShape, QueryTally> classes = classes(dataset, form);
        QueryShape shape = asked.asked().shape();
        if (classes.get(shape) == null) {
            classes.place(shape, QueryTally.NONE.plus(asked, timeMs, false), room(classes));
            size++;
        } else {
            classes.count(shape, tally -> tally.plus(asked, timeMs, false));
        }
    }

    /**
     * Counts a query whose plan a reader keeps, and which was not planned again. It counts as the last one of its class; if the class
     * is not known, the query is not counted.
     *
     * @param form as in {@link #asked}
     */
    public synchronized void askedAgain(String dataset, Object form, QueryShape shape, long timeMs) {
        OfDataset known = datasets.get(dataset);
        if (known == null || !known.form().equals(form) || known.classes().get(shape) == null) {
            return;
        }
        known.classes().count(shape, tally -> tally.last() == null ? tally : tally.plus(tally.last(), timeMs, true));
    }

    /** Adds the time that a reader took for a query of a class, if the class is known. */
    public synchronized void took(String dataset, QueryShape shape, double ms) {
        OfDataset known = datasets.get(dataset);
        if (known != null) {
            known.classes().change(shape, tally -> tally.took(ms));
        }
    }

    private SpaceSaving<QueryShape, QueryTally> classes(String dataset, Object form) {
        OfDataset known = datasets.get(dataset);
        if (known == null || !known.form().equals(form)) {
            forget(known);
            known = new OfDataset(form, new SpaceSaving<>());
            datasets.put(dataset, known);
        }
        return known.classes();
    }

    /**
     * Makes room for one more class of a dataset.
     *
     * @return the count that the class inherits
     */
    private long room(SpaceSaving<QueryShape, QueryTally> own) {
        if (own.size() < mostOfDataset && size < mostClasses) {
            return 0;
        }
        SpaceSaving<QueryShape, QueryTally> from = own.size() < mostOfDataset ? withRarest(own) : own;
        size--;
        evicted++;
        return from.free();
    }

    /** The classes of the dataset that has the rarest one; of several, the one with the most classes. */
    private SpaceSaving<QueryShape, QueryTally> withRarest(SpaceSaving<QueryShape, QueryTally> own) {
        SpaceSaving<QueryShape, QueryTally> found = own;
        for (OfDataset dataset : datasets.values()) {
            SpaceSaving<QueryShape, QueryTally> its = dataset.classes();
            if (its.size() > 0
                    && (found.size() == 0
                            || its.least() < found.least()
                            || its.least() == found.least() && its.size() > found.size())) {
                found = its;
            }
        }
        return found;
    }

    private void forget(@Nullable OfDataset dataset) {
        size -= dataset == null ? 0 : dataset.classes().size();
    }

    /** Forgets all datasets but these, and those of which nothing is left. */
    public synchronized void retain(Set<String> ids) {
        datasets.entrySet().removeIf(dataset -> {
            boolean gone = !ids.contains(dataset.getKey())
                    || dataset.getValue().classes().size() == 0;
            if (gone) {
                forget(dataset.getValue());
            }
            return gone;
        });
    }

    /** The ids of the datasets of which queries are known. */
    public synchronized Set<String> datasets() {
        return Set.copyOf(datasets.keySet());
    }

    /** The classes of a dataset, those with the most queries first; none if nothing is known. */
    public List<QueryClass> classes(String dataset) {
        List<Map.Entry<QueryShape, SpaceSaving.Place<QueryTally>>> entries;
        synchronized (this) {
            OfDataset known = datasets.get(dataset);
            entries = known == null ? List.of() : known.classes().entries();
        }
        List<QueryClass> classes = new ArrayList<>();
        entries.forEach(e -> classes.add(
                new QueryClass(e.getKey(), e.getValue().error(), e.getValue().value())));
        classes.sort(MOST_FIRST);
        return classes;
    }

    /** The number of classes. */
    public synchronized int size() {
        return size;
    }

    /** How many classes were forgotten to make room for others. */
    public synchronized long evicted() {
        return evicted;
    }
}
