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
package org.hadoopmpsr.core.elastic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which files get further copies, and which give them back, after Scarlett (Ananthanarayanan, Agarwal, Kandula, Greenberg, Stoica,
 * Harlan, Harris: "Scarlett: Coping with Skewed Content Popularity in MapReduce Clusters", EuroSys 2011, section 4): the number of
 * copies follows how much a file is read and is never below the one that keeps it safe; a fixed budget of space is divided copy by copy
 * in turn, so that one file does not take it all; and what is copied at a time is limited.
 *
 * <p>It differs in two points. Scarlett counts how many tasks read a file at one time, and sets {@code max(c + 1, 3)} copies; who plans
 * reads does not see when they end, so that queries are counted. And the turn is by count: the n-th further copy of a file has the worth
 * {@code heat / n} (D'Hondt's rule), copies are given in the order of their worth, and only if that is at least {@code queriesPerCopy}.
 *
 * <p>Hysteresis: a copy that is there counts with twice its worth. It is therefore given back when the file is read half as much as when
 * it got the copy, and makes room for another file's only where that is read twice as much.
 *
 * @param changes files and their new numbers of copies: first those that get fewer, then those that get more, those with the most
 *     worth first
 * @param bytes of all further copies when the changes are done
 * @param waiting further copies that are due and wait for the next time, because enough is copied now
 * @param refused further copies that would be due and do not fit into the budget
 */
public record ElasticPlan(List<Change> changes, long bytes, int waiting, int refused) {
    private static final double KEPT = 2;

    private static final Comparator<Place> MOST_FIRST = Comparator.comparingDouble(Place::worth)
            .reversed()
            .thenComparingLong(p -> p.file().id())
            .thenComparingInt(Place::number);

    public ElasticPlan {
        changes = List.copyOf(changes);
    }

    /** A file's new number of copies. */
    public record Change(long id, int from, int to, long bytes) {
        /** The bytes that are copied; 0 if the file gets fewer copies. */
        public long copied() {
            return Math.max(0, to - from) * bytes;
        }
    }

    /** The {@code number}-th further copy of a file, from 1. */
    private record Place(ElasticFile file, int number, double worth) {
        boolean isThere() {
            return number <= file.further();
        }
    }

    /**
     * Decides. The same files, in any order, give the same plan.
     *
     * @param files all that have further copies, and all that may get some; no id twice
     * @param queriesPerCopy as in {@link ElasticSettings}
     * @param budgetBytes the most bytes of all further copies
     * @param copyBytes new copies are begun until they have so many bytes together; the last one may exceed it
     */
    public static ElasticPlan of(List<ElasticFile> files, int queriesPerCopy, long budgetBytes, long copyBytes) {
        List<Place> places = new ArrayList<>();
        for (ElasticFile file : files) {
            for (int n = 1; n <= file.most() - file.least(); n++) {
                double worth = file.heat() / n * (n <= file.further() ? KEPT : 1);
                if (worth < queriesPerCopy) {
                    break;
                }
                places.add(new Place(file, n, worth));
            }
        }
        places.sort(MOST_FIRST);
        return fill(files, places, budgetBytes, copyBytes);
    }

    private static ElasticPlan fill(List<ElasticFile> files, List<Place> places, long budgetBytes, long copyBytes) {
        Map<Long, Integer> given = new HashMap<>();
        Map<Long, Integer> reached = new HashMap<>(); // with those that wait
        List<Place> order = new ArrayList<>();
        long bytes = 0;
        long copied = 0;
        int waiting = 0;
        int refused = 0;
        for (Place place : places) {
            ElasticFile file = place.file();
            boolean isNext = reached.getOrDefault(file.id(), 0) == place.number() - 1;
            if (!isNext || file.bytes() > budgetBytes - bytes) {
                refused++;
                continue;
            }
            reached.put(file.id(), place.number());
            bytes += file.bytes(); // the room of one that waits is not given to a file that is read less
            if (!place.isThere() && copied >= copyBytes) {
                waiting++;
            } else {
                given.put(file.id(), place.number());
                order.add(place);
                copied += place.isThere() ? 0 : file.bytes();
            }
        }
        return new ElasticPlan(changes(files, given, order), bytes(files, given), waiting, refused);
    }

    private static List<Change> changes(List<ElasticFile> files, Map<Long, Integer> given, List<Place> order) {
        List<Change> changes = new ArrayList<>();
        files.stream()
                .sorted(Comparator.comparingLong(ElasticFile::id))
                .filter(f -> f.least() + given.getOrDefault(f.id(), 0) < f.now())
                .forEach(f -> changes.add(change(f, given)));
        order.stream()
                .map(Place::file)
                .distinct()
                .filter(f -> f.least() + given.getOrDefault(f.id(), 0) > f.now())
                .forEach(f -> changes.add(change(f, given)));
        return changes;
    }

    private static Change change(ElasticFile file, Map<Long, Integer> given) {
        return new Change(file.id(), file.now(), file.least() + given.getOrDefault(file.id(), 0), file.bytes());
    }

    private static long bytes(List<ElasticFile> files, Map<Long, Integer> given) {
        return files.stream()
                .mapToLong(f -> f.bytes() * given.getOrDefault(f.id(), 0))
                .sum();
    }
}
