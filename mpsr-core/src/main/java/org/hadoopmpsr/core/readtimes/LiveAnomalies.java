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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Names hosts that are slower than others while they are watched, by few mean reads of each. At each look, what a host has served in the last
 * {@value #SOON_MS} ms, and in the last {@value #LATE_MS} ms, is compared with what all others have served in the last {@value #LATE_MS} ms, by
 * {@link StudentT}. Compared are logarithms of the times that are divided by those of a line through all reads by size. Bonferroni's correction holds
 * for all comparisons so far: the longer hosts are watched, the more it takes. What is told is sure to {@link Anomalies#SURE}, and takes
 * at least {@link Anomalies#FACTOR} times as long. For one thread.
 */
public final class LiveAnomalies {
    private static final long SOON_MS = 35_000;
    private static final long LATE_MS = 65_000;
    private static final int LEAST = 3;

    private final List<ReadTime> reads = new ArrayList<>();
    private final Map<String, Anomaly> slow = new LinkedHashMap<>();
    private final List<Anomaly> over = new ArrayList<>();
    private int comparisons;

    /**
     * Takes what has been read since the last look.
     *
     * @param latest with the moments; may be empty, then nothing is compared
     * @return the hosts that are found to be slow, and were not before
     */
    public List<Anomaly> look(List<ReadTime> latest) {
        if (latest.isEmpty()) {
            return List.of();
        }
        reads.addAll(latest);
        long now = latest.stream().mapToLong(ReadTime::atMs).max().orElseThrow();
        reads.removeIf(read -> read.atMs() < now - LATE_MS);
        LinearTime usual = LinearTime.fit(reads);
        List<Anomaly> found = new ArrayList<>();
        for (String host : new TreeSet<>(reads.stream().map(ReadTime::host).toList())) {
            Optional<Anomaly> slower = slower(host, usual, now);
            Anomaly before = slow.remove(host);
            if (slower.isPresent()) {
                slow.put(host, before == null ? slower.get() : longer(before, slower.get()));
            } else if (before != null) {
                over.add(before);
            }
            slower.filter(its -> before == null).ifPresent(found::add);
        }
        return found;
    }

    /** All that has been found so far, those that take longest in proportion first. */
    public List<Anomaly> all() {
        List<Anomaly> all = new ArrayList<>(over);
        all.addAll(slow.values());
        all.sort(Comparator.comparingDouble(Anomaly::factor).reversed());
        return all;
    }

    private Optional<Anomaly> slower(String host, LinearTime usual, long now) {
        double[] others = reads.stream()
                .filter(read -> !read.host().equals(host))
                .mapToDouble(read -> slowness(read, usual))
                .toArray();
        for (long span : new long[] {SOON_MS, LATE_MS}) {
            List<ReadTime> its = reads.stream()
                    .filter(read -> read.host().equals(host) && read.atMs() >= now - span)
                    .toList();
            if (its.size() >= LEAST && others.length >= LEAST) {
                comparisons++;
                double[] slowness =
                        its.stream().mapToDouble(read -> slowness(read, usual)).toArray();
                double factor = Math.exp(mean(slowness) - mean(others));
                double sure = 1 - Math.min(1, comparisons * StudentT.chance(slowness, others));
                if (factor >= Anomalies.FACTOR && sure >= Anomalies.SURE) {
                    long from = its.stream().mapToLong(ReadTime::atMs).min().orElseThrow();
                    return Optional.of(new Anomaly(host, "", from, now, its.size(), factor, sure));
                }
            }
        }
        return Optional.empty();
    }

    private static Anomaly longer(Anomaly before, Anomaly now) {
        Anomaly surer = now.sure() > before.sure() ? now : before;
        return new Anomaly(
                now.host(),
                "",
                before.fromMs(),
                now.toMs(),
                Math.max(before.reads(), now.reads()),
                surer.factor(),
                surer.sure());
    }

    private static double slowness(ReadTime read, LinearTime usual) {
        return read.logNanos() - usual.logOf(read.bytes());
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }
}
