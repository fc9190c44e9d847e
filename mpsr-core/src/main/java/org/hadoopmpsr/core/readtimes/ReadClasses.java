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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.assign.ReadCost;

/**
 * The classes of reads. Reads of about one size divide at the minima of the density of the logarithms of their times ({@link Minima}); the
 * size at which most classes are told apart gives the first lines. From these a {@link Mixture} finds lines ({@link LinearTime}) through the
 * reads of all sizes, and lines whose reads cannot be told apart in nine of ten cases become one class. Each read goes to the class that
 * it most likely has, and classes get their causes by {@link Causes}. Where the times of causes are measured, reads get their causes from these
 * instead, by {@link MeasuredCauses}. Reads of which it is known that they come from another host are divided by themselves. Deterministic.
 *
 * @param classes the fastest first, by the time for the size that is read most
 * @param classOf the class of each read, in the order in which they were given
 * @param sizes for each power of two of bytes, the logarithms of nanoseconds at which reads of that size divide; where
 *     local and remote reads are known, those of the more frequent ones
 */
public record ReadClasses(List<ReadClass> classes, int[] classOf, Map<Integer, double[]> sizes) {
    /** Reads of a size divide only if there are so many. */
    private static final int LEAST_READS = 50;

    /** The mixture is found with about so many of the reads, at equal distances. */
    private static final int ENOUGH_READS = 2_000;
    /** Classes are told apart if fewer of one's reads than this share are taken for the other's. */
    private static final double TAKEN = 0.1;

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
        return of(reads, ExpectedTimes.of(cost));
    }

    /**
     * Finds the classes.
     *
     * @param reads at least one
     * @param expected what each cause takes
     * @throws IllegalArgumentException without reads
     */
    public static ReadClasses of(List<ReadTime> reads, ExpectedTimes expected) {
        if (reads.isEmpty()) {
            throw new IllegalArgumentException("there is no read to classify; give times of some");
        }
        int[] near = indexes(reads, false);
        int[] far = indexes(reads, true);
        return near.length == 0 || far.length == 0
                ? ofAlike(reads, expected)
                : both(reads, near, ofAlike(at(reads, near), expected), far, ofAlike(at(reads, far), expected));
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
    private static ReadClasses ofAlike(List<ReadTime> reads, ExpectedTimes expected) {
        Map<Integer, List<ReadTime>> bySize = new TreeMap<>();
        reads.forEach(
                r -> bySize.computeIfAbsent(r.size(), s -> new ArrayList<>()).add(r));
        Map<Integer, double[]> cuts = new TreeMap<>();
        bySize.forEach((size, its) -> {
            if (its.size() >= LEAST_READS) {
                cuts.put(size, Minima.of(logs(its)));
            }
        });
        if (expected.isMeasured()) {
            MeasuredCauses causes = new MeasuredCauses(reads, expected);
            return told(causes.classes(), causes.classOf(), reads, cuts);
        }
        int most = cuts.values().stream().mapToInt(c -> c.length + 1).max().orElse(1);
        List<List<ReadTime>> ranked = ranked(bySize, cuts, most);
        List<LinearTime> lines = ranked.stream()
                .filter(its -> !its.isEmpty())
                .map(LinearTime::fit)
                .toList();
        Causes causes = new Causes(reads, divided(reads, lines), expected);
        return told(causes.classes(), causes.classOf(), reads, cuts);
    }

    /** The class of each read, from 0. */
    private static int[] divided(List<ReadTime> reads, List<LinearTime> lines) {
        int[] place = places(reads);
        int step = Math.max(1, reads.size() / ENOUGH_READS);
        int[] some = IntStream.range(0, reads.size()).filter(i -> i % step == 0).toArray();
        Mixture mixture = Mixture.of(
                at(reads, some),
                Arrays.stream(some).map(i -> place[i]).toArray(),
                Arrays.stream(place).max().orElse(0) + 1,
                lines);
        List<double[]> of = IntStream.range(0, reads.size())
                .mapToObj(i -> mixture.of(reads.get(i), place[i]))
                .toList();
        int[] joined = Mixture.joined(Arrays.stream(some).mapToObj(of::get).toList(), TAKEN);
        int classes = Arrays.stream(joined).max().orElse(0) + 1;
        return of.stream()
                .mapToInt(lineOf -> {
                    double[] each = new double[classes];
                    for (int k = 0; k < lineOf.length; k++) {
                        each[joined[k]] += lineOf[k];
                    }
                    return Mixture.likeliest(each);
                })
                .toArray();
    }

    /** A number for each disk of a host. */
    private static int[] places(List<ReadTime> reads) {
        Map<List<String>, Integer> numbers = new HashMap<>();
        return reads.stream()
                .mapToInt(r -> numbers.computeIfAbsent(List.of(r.host(), r.disk()), p -> numbers.size()))
                .toArray();
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

    private static ReadClasses told(
            List<ReadClass> all, int[] classOf, List<ReadTime> reads, Map<Integer, double[]> cuts) {
        double usual = quantile(reads, 0.5);
        List<Integer> order = IntStream.range(0, all.size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> all.get(i).time().of(usual)))
                .toList();
        int[] ordered = Arrays.stream(classOf).map(order::indexOf).toArray();
        return new ReadClasses(order.stream().map(all::get).toList(), ordered, cuts);
    }

    static double quantile(List<ReadTime> reads, double share) {
        long[] sizes = reads.stream().mapToLong(ReadTime::bytes).sorted().toArray();
        return sizes[(int) (share * (sizes.length - 1))];
    }
}
