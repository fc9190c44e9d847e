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
package org.hadoopmpsr.benchmarks.namenode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.benchmarks.namenode.PlacementBenchmark.Variant;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link PlacementBenchmark} and compares its variants' medians: all of them in turn, several times. */
final class PlacementCost {
    private final int rounds;
    private final int seconds;

    PlacementCost(int rounds, int seconds) {
        this.rounds = rounds;
        this.seconds = seconds;
    }

    void run(Report report) throws RunnerException {
        Map<String, List<Double>> times = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            Options options = new OptionsBuilder()
                    .include(PlacementBenchmark.class.getName() + ".choose")
                    .forks(seconds == 0 ? 0 : 1)
                    .warmupIterations(seconds == 0 ? 0 : 2)
                    .warmupTime(TimeValue.seconds(Math.max(1, seconds)))
                    .measurementIterations(1)
                    .measurementTime(seconds == 0 ? TimeValue.milliseconds(50) : TimeValue.seconds(seconds))
                    .verbosity(VerboseMode.SILENT)
                    .build();
            for (RunResult result : new Runner(options).run()) {
                BenchmarkParams params = result.getParams();
                String name = params.getParam("variant") + params.getParam("replicas");
                // not the mean, which other processes' turns on the core make larger
                double ns = result.getPrimaryResult().getStatistics().getPercentile(50);
                times.computeIfAbsent(name, n -> new ArrayList<>()).add(ns);
                report.run("placement." + name, round, ns, "ns");
            }
        }
        for (int replicas : new int[] {1, 3}) {
            List<Double> stock = times.getOrDefault(Variant.STOCK.name() + replicas, List.of());
            report.figure("placement." + replicas + ".stock", stock, "ns", Goal.NONE);
            for (Variant variant : List.of(Variant.GROUP, Variant.SEGMENT, Variant.OUTSIDE)) {
                List<Double> ours = times.getOrDefault(variant.name() + replicas, List.of());
                List<Double> ratios = new ArrayList<>();
                for (int i = 0; i < rounds; i++) {
                    ratios.add(ours.get(i) / stock.get(i));
                }
                String name = "." + variant.name().toLowerCase(Locale.ROOT);
                report.figure("placement." + replicas + name, ratios, "x stock", Goal.atMost(1.2));
            }
        }
    }
}
