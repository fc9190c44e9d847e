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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hdfs.server.namenode.Measurement;

/**
 * Measures stock and others in turn, a chunk of each at a time and in another order each time, so that what else the
 * machine does meets all of them. A round is several chunks, and its ratio that of their sums.
 */
final class Alternation {
    /** The same orders in each run: no subject always comes after the same other one. */
    private static final long ORDER_SEED = 1;

    private final int rounds;
    private final int chunks;

    /** With more than one round, one more goes before them that does not count. */
    Alternation(int rounds, int chunks) {
        this.rounds = rounds;
        this.chunks = chunks;
    }

    /**
     * What is measured: a NameNode's answers.
     *
     * @param goal of the ratio to the first subject
     */
    record Subject(String name, Chunk chunk, Goal goal) {
        /** With the goal of MPSR's throughput. */
        Subject(String name, Chunk chunk) {
            this(name, chunk, Goal.atLeast(0.97));
        }
    }

    /** One short measurement. */
    interface Chunk {
        Measurement run() throws IOException;
    }

    /** @param subjects stock first */
    void measure(String name, List<Subject> subjects, Report report) throws IOException {
        Map<String, List<Double>> perSecond = new HashMap<>();
        List<Subject> order = new ArrayList<>(subjects);
        Random shuffles = new Random(ORDER_SEED);
        for (int round = rounds > 1 ? -1 : 0; round < rounds; round++) {
            Map<String, Measurement> sums = new HashMap<>();
            for (int chunk = 0; chunk < chunks; chunk++) {
                Collections.shuffle(order, shuffles);
                for (Subject subject : order) {
                    sums.merge(subject.name(), subject.chunk().run(), Measurement::plus);
                }
            }
            for (Subject subject : round < 0 ? List.<Subject>of() : subjects) {
                Measurement sum = sums.getOrDefault(subject.name(), Measurement.NOTHING);
                if (sum.operations() == 0) {
                    throw new IllegalStateException(name + ", " + subject.name() + ": nothing was done");
                }
                report.run(name + "." + subject.name(), round, sum.perSecond(), "1/s");
                report.run(name + "." + subject.name() + ".seconds", round, sum.elapsedNs() / 1e9, "s");
                perSecond
                        .computeIfAbsent(subject.name(), s -> new ArrayList<>())
                        .add(sum.perSecond());
            }
        }
        figures(name, subjects, perSecond, report);
    }

    private static void figures(
            String name, List<Subject> subjects, Map<String, List<Double>> perSecond, Report report) {
        List<Double> stock = perSecond.getOrDefault(subjects.get(0).name(), List.of());
        report.figure("throughput." + name + "." + subjects.get(0).name(), stock, "1/s", Goal.NONE);
        for (Subject other : subjects.subList(1, subjects.size())) {
            List<Double> theirs = perSecond.getOrDefault(other.name(), List.of());
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < stock.size(); round++) {
                ratios.add(theirs.get(round) / stock.get(round));
            }
            report.figure("throughput." + name + "." + other.name(), ratios, "x stock", other.goal());
        }
    }
}
