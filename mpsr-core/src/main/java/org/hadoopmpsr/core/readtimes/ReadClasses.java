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
package org.hadoopmpsr.core.readtimes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.assign.ReadCost;

/**
 * The classes of reads. Reads of about one size divide at the minima of the density of the logarithms of their times ({@link Minima}). The
 * size at which most classes are told apart says how many there are. Each class gets a line ({@link LinearTime}) through the reads of all
 * sizes that divide into as many classes, by rank; then each read goes to the class whose line is nearest in the logarithm of time, and
 * the lines are found anew, as in k-means, until nothing changes. Reads of which it is known that they come from another host are divided
 * by themselves. Deterministic.
 *
 * @param classes the fastest first, by the time for the size that is read most
 * @param classOf the class of each read, in the order in which they were given
 * @param sizes for each power of two of bytes, the logarithms of nanoseconds at which reads of that size divide; where
 *     local and remote reads are known, those of the more frequent ones
 */
public record ReadClasses(List<ReadClass> classes, int[] classOf, Map<Integer, double[]> sizes) {
    /** Reads of a size divide only if there are so many. */
    private static final int LEAST_READS = 50;

    private static final int ROUNDS = 20;

    public ReadClasses {
        classes = List.copyOf(classes);
    }

    /**
     * Finds the classes.
     *
     * @param reads at least one
     * @param cost what reads cost in this cluster, for the causes
     * @throws IllegalArgumentException without reads
     */
    public static ReadClasses of(List<ReadTime> reads, ReadCost cost) {
        if (reads.isEmpty()) {
            throw new IllegalArgumentException("there is no read to classify; give times of some");
        }
        int[] near = indexes(reads, false);
        int[] far = indexes(reads, true);
        return near.length == 0 || far.length == 0
                ? ofAlike(reads, cost)
                : both(reads, near, ofAlike(at(reads, near), cost), far, ofAlike(at(reads, far), cost));
    }

    private static int[] indexes(List<ReadTime> reads, boolean remote) {
        return IntStream.range(0, reads.size())
                .filter(i -> reads.get(i).isRemote() == remote)
                .toArray();
    }

    private static List<ReadTime> at(List<ReadTime> reads, int[] indexes) {
        return Arrays.stream(indexes).mapToObj(reads::get).toList();
    }

    private static ReadClasses both(
            List<ReadTime> reads, int[] near, ReadClasses ofNear, int[] far, ReadClasses ofFar) {
        List<ReadClass> all = new ArrayList<>(ofNear.classes());
        all.addAll(ofFar.classes());
        double usual = quantile(reads, 0.5);
        List<Integer> order = IntStream.range(0, all.size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> all.get(i).time().of(usual)))
                .toList();
        int[] classOf = new int[reads.size()];
        for (int i = 0; i < near.length; i++) {
            classOf[near[i]] = order.indexOf(ofNear.classOf()[i]);
        }
        for (int i = 0; i < far.length; i++) {
            classOf[far[i]] = order.indexOf(ofNear.classes().size() + ofFar.classOf()[i]);
        }
        Map<Integer, double[]> sizes = near.length >= far.length ? ofNear.sizes() : ofFar.sizes();
        return new ReadClasses(order.stream().map(all::get).toList(), classOf, sizes);
    }

    /** The classes of reads that all come from their own host, or none of which does. */
    private static ReadClasses ofAlike(List<ReadTime> reads, ReadCost cost) {
        Map<Integer, List<ReadTime>> bySize = new TreeMap<>();
        reads.forEach(
                r -> bySize.computeIfAbsent(r.size(), s -> new ArrayList<>()).add(r));
        Map<Integer, double[]> cuts = new TreeMap<>();
        bySize.forEach((size, its) -> {
            if (its.size() >= LEAST_READS) {
                cuts.put(size, Minima.of(logs(its)));
            }
        });
        int most = cuts.values().stream().mapToInt(c -> c.length + 1).max().orElse(1);
        List<List<ReadTime>> ranked = ranked(bySize, cuts, most);
        List<LinearTime> lines = ranked.stream().map(LinearTime::fit).toList();
        int[] classOf = new int[reads.size()];
        for (int round = 0; round < ROUNDS; round++) {
            int[] before = classOf;
            List<LinearTime> now = lines;
            classOf = reads.stream().mapToInt(r -> nearest(now, r)).toArray();
            lines = fitted(reads, classOf, now);
            if (round > 0 && Arrays.equals(before, classOf)) {
                break;
            }
        }
        return told(reads, classOf, lines, cuts, cost);
    }

    private static double[] logs(List<ReadTime> reads) {
        return reads.stream().mapToDouble(ReadTime::logNanos).toArray();
    }

    /** The reads of each rank, of the sizes that divide into so many classes; of all sizes if there is one class. */
    private static List<List<ReadTime>> ranked(
            Map<Integer, List<ReadTime>> bySize, Map<Integer, double[]> cuts, int classes) {
        List<List<ReadTime>> ranked = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            ranked.add(new ArrayList<>());
        }
        bySize.forEach((size, its) -> {
            double[] at = cuts.getOrDefault(size, new double[0]);
            if (at.length + 1 == classes) {
                its.forEach(r -> ranked.get(Minima.below(at, r.logNanos())).add(r));
            }
        });
        return ranked;
    }

    private static int nearest(List<LinearTime> lines, ReadTime read) {
        return IntStream.range(0, lines.size())
                .boxed()
                .min(Comparator.comparingDouble(i -> Math.abs(lines.get(i).logOf(read.bytes()) - read.logNanos())))
                .orElseThrow();
    }

    /** The lines through the reads of each class; a class without reads keeps its line. */
    private static List<LinearTime> fitted(List<ReadTime> reads, int[] classOf, List<LinearTime> before) {
        List<List<ReadTime>> members = members(reads, classOf, before.size());
        return IntStream.range(0, before.size())
                .mapToObj(i -> members.get(i).isEmpty() ? before.get(i) : LinearTime.fit(members.get(i)))
                .toList();
    }

    private static List<List<ReadTime>> members(List<ReadTime> reads, int[] classOf, int classes) {
        List<List<ReadTime>> members = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            members.add(new ArrayList<>());
        }
        for (int i = 0; i < classOf.length; i++) {
            members.get(classOf[i]).add(reads.get(i));
        }
        return members;
    }

    private static ReadClasses told(
            List<ReadTime> reads, int[] classOf, List<LinearTime> lines, Map<Integer, double[]> cuts, ReadCost cost) {
        List<List<ReadTime>> members = members(reads, classOf, lines.size());
        double usual = quantile(reads, 0.5);
        List<Integer> order = IntStream.range(0, lines.size())
                .filter(i -> !members.get(i).isEmpty())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> lines.get(i).of(usual)))
                .toList();
        List<ReadClass> classes = order.stream()
                .map(i -> told(lines.get(i), members.get(i), cost))
                .toList();
        int[] ordered = Arrays.stream(classOf).map(order::indexOf).toArray();
        return new ReadClasses(classes, ordered, cuts);
    }

    private static ReadClass told(LinearTime line, List<ReadTime> members, ReadCost cost) {
        double[] sizes = {quantile(members, 0.1), quantile(members, 0.5), quantile(members, 0.9)};
        Set<Cause> possible = possible(members);
        Cause cause = possible.stream()
                .min(Comparator.comparingDouble(c -> distance(line, c.expected(cost), sizes)))
                .orElseThrow();
        double factor = line.of(sizes[1]) / cause.expected(cost).of(sizes[1]);
        long bytes = members.stream().mapToLong(ReadTime::bytes).sum();
        return new ReadClass(line, members.size(), bytes, cause, factor);
    }

    /** Where most readers are known, what they cannot go through is left out. */
    private static Set<Cause> possible(List<ReadTime> members) {
        long known = members.stream().filter(r -> !r.reader().isEmpty()).count();
        long remote = members.stream().filter(ReadTime::isRemote).count();
        Set<Cause> possible = EnumSet.allOf(Cause.class);
        if (2 * known > members.size()) {
            possible.removeIf(cause -> !cause.isOfAny() && cause.isRemote() != 2 * remote > known);
        }
        return possible;
    }

    private static double distance(LinearTime a, LinearTime b, double[] sizes) {
        return Arrays.stream(sizes)
                .map(size -> Math.abs(a.logOf(size) - b.logOf(size)))
                .sum();
    }

    private static double quantile(List<ReadTime> reads, double share) {
        long[] sizes = reads.stream().mapToLong(ReadTime::bytes).sorted().toArray();
        return sizes[(int) (share * (sizes.length - 1))];
    }
}
