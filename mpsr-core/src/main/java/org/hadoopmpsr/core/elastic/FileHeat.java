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

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts how often files were read, where a read counts half after a half-life: exponential decay with weights that grow from a fixed
 * time, so that nothing is counted down (Cormode, Shkapenyuk, Srivastava, Xu: "Forward Decay", ICDE 2009, section III).
 *
 * <p>Holds at most twice a number of files, about a hundred bytes each. When there are more, the half that is read least is forgotten;
 * its counts begin anew, so that a count is never above what is true. Thread-safe.
 */
public final class FileHeat {
    /** A query that reads more files than this is spread over many nodes already, and is not counted. */
    public static final int MOST_FILES_OF_QUERY = 1_000;
    /** Weights are made small again when they have doubled so often. */
    private static final int MOST_DOUBLINGS = 500;

    private final int mostFiles;
    private final double halfLifeMs;
    private final Map<Long, Double> weights = new HashMap<>();
    private long originMs = Long.MIN_VALUE;

    /**
     * Counts of no file.
     *
     * @param mostFiles so many of the files that are read most are always kept; 0 counts nothing
     */
    public FileHeat(int mostFiles, long halfLifeMs) {
        this.mostFiles = mostFiles;
        this.halfLifeMs = halfLifeMs;
    }

    /** True if reads are counted. */
    public boolean isOn() {
        return mostFiles > 0;
    }

    /**
     * Counts a query. A time before that of another call counts as that time.
     *
     * @param files the ids of the files that it reads, each once; if they are more than {@link #MOST_FILES_OF_QUERY}, the query is not
     *     counted
     * @param nowMs of any clock, the same for all calls
     */
    public synchronized void read(long[] files, long nowMs) {
        if (!isOn() || files.length > MOST_FILES_OF_QUERY) {
            return;
        }
        double weight = weight(nowMs);
        for (long file : files) {
            weights.merge(file, weight, Double::sum);
        }
        forgetColdest();
    }

    /** Raises the count of a file to {@code least}; a higher one stays. */
    public synchronized void atLeast(long file, double least, long nowMs) {
        if (isOn()) {
            weights.merge(file, least * weight(nowMs), Math::max);
            forgetColdest();
        }
    }

    /** Moves the origin where weights would become too large. */
    private double weight(long nowMs) {
        if (originMs == Long.MIN_VALUE) {
            originMs = nowMs;
        }
        double doublings = Math.max(0, nowMs - originMs) / halfLifeMs;
        if (doublings > MOST_DOUBLINGS) {
            double factor = Math.pow(2, -doublings);
            weights.replaceAll((file, weight) -> weight * factor);
            weights.values().removeIf(weight -> weight == 0);
            originMs = nowMs;
            return 1;
        }
        return Math.pow(2, doublings);
    }

    private void forgetColdest() {
        if (weights.size() > 2 * mostFiles) {
            double[] sorted = weights.values().stream().mapToDouble(w -> w).toArray();
            Arrays.sort(sorted);
            double least = sorted[sorted.length - mostFiles];
            weights.values().removeIf(weight -> weight < least);
            var equal = weights.values().iterator(); // many files may have the least weight
            while (weights.size() > mostFiles && equal.hasNext()) {
                if (equal.next() == least) {
                    equal.remove();
                }
            }
        }
    }

    /** The files that were read at least so often, and how often. */
    public synchronized Map<Long, Double> hotter(double least, long nowMs) {
        double weight = weight(nowMs);
        Map<Long, Double> hot = new HashMap<>();
        weights.forEach((file, its) -> {
            if (its / weight >= least) {
                hot.put(file, its / weight);
            }
        });
        return hot;
    }

    /** How often a file was read; 0 if that is not known. */
    public synchronized double of(long file, long nowMs) {
        return weights.getOrDefault(file, 0.0) / weight(nowMs);
    }

    /** Forgets files. */
    public synchronized void forget(Collection<Long> files) {
        weights.keySet().removeAll(files);
    }

    /** The number of files. */
    public synchronized int size() {
        return weights.size();
    }
}
