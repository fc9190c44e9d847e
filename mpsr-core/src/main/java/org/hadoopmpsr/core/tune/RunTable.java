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
package org.hadoopmpsr.core.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The times of all configurations on all workloads. A workload <em>reaches</em> with a configuration the time of its best configuration
 * divided by the time of this one: 1 for the best, 0.5 for one that takes twice as long. The loss is what is missing to 1. Immutable.
 */
public final class RunTable {
    private final List<Workload> workloads;
    private final List<Settings> configurations;
    private final double[][] reached;

    private RunTable(List<Workload> workloads, List<Settings> configurations, double[][] seconds) {
        this.workloads = List.copyOf(workloads);
        this.configurations = List.copyOf(configurations);
        this.reached = Arrays.stream(seconds)
                .map(times -> {
                    double best = Arrays.stream(times).min().orElseThrow();
                    return Arrays.stream(times).map(time -> best / time).toArray();
                })
                .toArray(double[][]::new);
    }

    /**
     * Orders runs by the names of workloads and the texts of configurations. Of repeated runs the median counts, the lower one of two.
     *
     * @throws IllegalArgumentException if there is no run, one configuration alone, one workload alone, a workload with two features or
     *     families, or a workload that lacks a configuration, with a message for the user
     */
    public static RunTable of(Collection<MeasuredRun> runs) {
        Map<String, Workload> workloads = new TreeMap<>();
        Map<String, Map<Settings, List<Double>>> times = new TreeMap<>();
        TreeSet<Settings> configurations = new TreeSet<>();
        for (MeasuredRun run : runs) {
            Workload known = workloads.putIfAbsent(run.workload().name(), run.workload());
            if (known != null && !known.equals(run.workload())) {
                throw new IllegalArgumentException("the workload '" + known.name()
                        + "' has different features or families in two runs; give each workload a name of its own");
            }
            configurations.add(run.settings());
            times.computeIfAbsent(run.workload().name(), name -> new TreeMap<>())
                    .computeIfAbsent(run.settings(), settings -> new ArrayList<>())
                    .add(run.seconds());
        }
        check(configurations, workloads.size());
        List<Settings> all = List.copyOf(configurations);
        double[][] seconds = workloads.keySet().stream()
                .map(name -> row(name, Objects.requireNonNull(times.get(name)), all))
                .toArray(double[][]::new);
        return new RunTable(List.copyOf(workloads.values()), all, seconds);
    }

    private static void check(Collection<Settings> configurations, int workloads) {
        if (configurations.isEmpty()) {
            throw new IllegalArgumentException("there is no measured run; the benchmark suite 'settings' writes some");
        }
        if (configurations.size() == 1) {
            throw new IllegalArgumentException("all runs have one configuration, "
                    + configurations.iterator().next().text()
                    + "; there is nothing to choose. Measure others on the same workloads");
        }
        if (workloads == 1) {
            throw new IllegalArgumentException(
                    "all runs are of one workload; nothing tells when another configuration is better. Measure others");
        }
    }

    private static double[] row(String workload, Map<Settings, List<Double>> times, List<Settings> configurations) {
        return configurations.stream()
                .mapToDouble(settings -> {
                    List<Double> found = times.get(settings);
                    if (found == null) {
                        throw new IllegalArgumentException("the workload '" + workload + "' was measured with "
                                + times.size() + " of " + configurations.size() + " configurations, and not with "
                                + settings.text() + "; measure all of them on each workload");
                    }
                    return found.stream()
                            .sorted()
                            .skip((found.size() - 1) / 2)
                            .findFirst()
                            .orElseThrow();
                })
                .toArray();
    }

    /** In the order of names. */
    public List<Workload> workloads() {
        return workloads;
    }

    /** In the order of texts. */
    public List<Settings> configurations() {
        return configurations;
    }

    /** What a workload reaches with a configuration, above 0, up to 1. */
    public double reached(int workload, int configuration) {
        return reached[workload][configuration];
    }

    /** The mean of what workloads reach with one configuration; 1 for none. */
    public double mean(int configuration, List<Integer> of) {
        return of.stream()
                .mapToDouble(workload -> reached[workload][configuration])
                .average()
                .orElse(1);
    }

    /** The single configuration with which these workloads reach most on average; the first one of equal ones. */
    public int bestDefault(List<Integer> of) {
        return best(IntStream.range(0, configurations.size()).boxed().toList(), of);
    }

    /** That of some configurations with which these workloads reach most on average; the first one of equal ones. */
    int best(List<Integer> among, List<Integer> of) {
        int best = among.get(0);
        for (int configuration : among) {
            if (mean(configuration, of) > mean(best, of)) {
                best = configuration;
            }
        }
        return best;
    }

    /** The places of all workloads. */
    List<Integer> all() {
        return IntStream.range(0, workloads.size()).boxed().toList();
    }
}
