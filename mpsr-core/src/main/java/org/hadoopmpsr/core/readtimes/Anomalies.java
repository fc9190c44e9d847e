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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds hosts, disks and times that are slower than others. The time of each read is divided by the median of the reads of its power of
 * two of bytes. Then the reads of a place, in windows of {@link #WINDOW_MS} where times are known, are compared with those of the other
 * places in the window by {@link RankSum}; where windows mostly have one host alone, all times are one window. Reads from other hosts are
 * divided by the median of such reads. Bonferroni's correction holds for all comparisons together. What is told is sure to {@value
 * #SURE}, and takes at least {@value #FACTOR} times as long. A window in which most hosts are slow is told once, without a host.
 */
public final class Anomalies {
    /** Reads are compared within so many milliseconds. */
    public static final long WINDOW_MS = 10_000;
    /** What is told takes at least so many times as long. */
    public static final double FACTOR = 1.5;
    /** What is told is at least so sure. */
    public static final double SURE = 0.99;
    /** Fewer reads are not compared. */
    private static final int LEAST = 5;

    private final List<ReadTime> reads;
    private final double[] slowness;
    private final long[] windows;
    private final List<Long> distinct;
    private final List<Anomaly> found = new ArrayList<>();
    private int comparisons;

    private Anomalies(List<ReadTime> reads) {
        this.reads = reads;
        this.slowness = slowness(reads);
        boolean timed = reads.stream().allMatch(r -> r.atMs() > 0);
        this.windows = timed && severalHosts(reads)
                ? reads.stream().mapToLong(r -> r.atMs() / WINDOW_MS).toArray()
                : new long[reads.size()];
        this.distinct = Arrays.stream(windows).distinct().sorted().boxed().toList();
    }

    /** Whether most reads have reads of other hosts beside them in their window. */
    private static boolean severalHosts(List<ReadTime> reads) {
        Map<Long, Set<String>> hosts = new HashMap<>();
        reads.forEach(r -> hosts.computeIfAbsent(r.atMs() / WINDOW_MS, w -> new HashSet<>())
                .add(r.host()));
        long beside = reads.stream()
                .filter(r ->
                        Objects.requireNonNull(hosts.get(r.atMs() / WINDOW_MS)).size() > 1)
                .count();
        return 2 * beside > reads.size();
    }

    /** What is slower than others; those that take longest in proportion first. */
    public static List<Anomaly> of(List<ReadTime> reads) {
        Anomalies anomalies = new Anomalies(reads);
        anomalies.findTimes();
        anomalies.findHosts();
        anomalies.findDisks();
        return anomalies.told();
    }

    /** The logarithm of how many times as long a read takes as the median one of its size, local or remote. */
    private static double[] slowness(List<ReadTime> reads) {
        Map<Integer, List<Double>> byKind = new HashMap<>();
        reads.forEach(
                r -> byKind.computeIfAbsent(kind(r), s -> new ArrayList<>()).add(r.logNanos()));
        Map<Integer, Double> medians = new HashMap<>();
        byKind.forEach((kind, logs) -> {
            logs.sort(null);
            medians.put(kind, logs.get(logs.size() / 2));
        });
        return reads.stream()
                .mapToDouble(r -> r.logNanos() - Objects.requireNonNull(medians.get(kind(r))))
                .toArray();
    }

    private static int kind(ReadTime read) {
        return 2 * read.size() + (read.isRemote() ? 1 : 0);
    }

    /** Windows in which most hosts are slow, compared with all others. */
    private void findTimes() {
        for (long window : distinct) {
            int[] within = indexes(i -> windows[i] == window);
            int[] without = indexes(i -> windows[i] != window);
            boolean most = hostsSlowerThan(within, without) * 2
                    > by(within, ReadTime::host).size();
            if (most) {
                compare("", "", window, within, without);
            }
        }
    }

    private long hostsSlowerThan(int[] within, int[] without) {
        if (without.length < LEAST) {
            return 0;
        }
        double usual = mean(without);
        return by(within, ReadTime::host).values().stream()
                .filter(its -> mean(its) - usual >= Math.log(FACTOR))
                .count();
    }

    /** A host is compared with all others. */
    private void findHosts() {
        for (long window : distinct) {
            int[] all = indexes(i -> windows[i] == window);
            by(all, ReadTime::host).forEach((host, its) -> compare(host, "", window, its, without(all, its)));
        }
    }

    /** A disk is compared with the other ones of its host. */
    private void findDisks() {
        for (long window : distinct) {
            int[] known =
                    indexes(i -> windows[i] == window && !reads.get(i).disk().isEmpty());
            by(known, ReadTime::host)
                    .forEach((host, ofHost) -> by(ofHost, ReadTime::disk)
                            .forEach((disk, its) -> compare(host, disk, window, its, without(ofHost, its))));
        }
    }

    private Map<String, int[]> by(int[] indexes, Function<ReadTime, String> name) {
        Map<String, List<Integer>> lists = new TreeMap<>();
        for (int i : indexes) {
            lists.computeIfAbsent(name.apply(reads.get(i)), n -> new ArrayList<>())
                    .add(i);
        }
        Map<String, int[]> by = new TreeMap<>();
        lists.forEach((n, its) -> by.put(n, its.stream().mapToInt(i -> i).toArray()));
        return by;
    }

    /** @param some ascending, of {@code all} */
    private static int[] without(int[] all, int[] some) {
        return Arrays.stream(all).filter(i -> Arrays.binarySearch(some, i) < 0).toArray();
    }

    private int[] indexes(IntPredicate which) {
        return IntStream.range(0, reads.size()).filter(which).toArray();
    }

    private void compare(String host, String disk, long window, int[] within, int[] others) {
        if (within.length < LEAST || others.length < LEAST) {
            return;
        }
        comparisons++;
        double factor = Math.exp(mean(within) - mean(others));
        if (factor >= FACTOR) {
            double chance = RankSum.chance(values(within), values(others));
            boolean timed = distinct.size() > 1;
            found.add(new Anomaly(
                    host,
                    disk,
                    timed ? window * WINDOW_MS : 0,
                    timed ? (window + 1) * WINDOW_MS : 0,
                    within.length,
                    factor,
                    chance));
        }
    }

    private double[] values(int[] indexes) {
        return Arrays.stream(indexes).mapToDouble(i -> slowness[i]).toArray();
    }

    private double mean(int[] indexes) {
        return Arrays.stream(indexes).mapToDouble(i -> slowness[i]).average().orElse(0);
    }

    /** Those that are sure, with the windows that follow each other as one. */
    private List<Anomaly> told() {
        List<Anomaly> sure = new ArrayList<>();
        found.stream()
                .map(a -> new Anomaly(
                        a.host(),
                        a.disk(),
                        a.fromMs(),
                        a.toMs(),
                        a.reads(),
                        a.factor(),
                        1 - Math.min(1, a.sure() * comparisons)))
                .filter(a -> a.sure() >= SURE)
                .sorted(Comparator.comparing(Anomaly::host)
                        .thenComparing(Anomaly::disk)
                        .thenComparingLong(Anomaly::fromMs))
                .forEach(a -> join(sure, a));
        sure.removeIf(a -> a.disk().isEmpty() && !a.host().isEmpty() && isOneDisk(sure, a));
        sure.sort(Comparator.comparingDouble(Anomaly::factor).reversed());
        return sure;
    }

    private static void join(List<Anomaly> sure, Anomaly next) {
        Anomaly last = sure.isEmpty() ? null : sure.get(sure.size() - 1);
        if (last == null
                || !last.host().equals(next.host())
                || !last.disk().equals(next.disk())
                || last.toMs() != next.fromMs()) {
            sure.add(next);
            return;
        }
        int reads = last.reads() + next.reads();
        double factor =
                Math.exp((last.reads() * Math.log(last.factor()) + next.reads() * Math.log(next.factor())) / reads);
        sure.set(
                sure.size() - 1,
                new Anomaly(
                        last.host(),
                        last.disk(),
                        last.fromMs(),
                        next.toMs(),
                        reads,
                        factor,
                        Math.max(last.sure(), next.sure())));
    }

    /** A host of which one disk is slower than its others is told by that disk. */
    private static boolean isOneDisk(List<Anomaly> sure, Anomaly host) {
        return sure.stream()
                .anyMatch(a -> a.host().equals(host.host())
                        && !a.disk().isEmpty()
                        && a.fromMs() < Math.max(1, host.toMs())
                        && host.fromMs() < Math.max(1, a.toMs()));
    }
}
