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
package org.hadoopmpsr.benchmarks.encode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.parquet.io.LocalInputFile;
import org.hadoopmpsr.benchmarks.generator.CalsStream;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.layout.StableSort;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * Measured values with their signals and times, in the orders of groups.
 *
 * @param name of the data
 */
record MeasuredValues(String name, ColumnVector signals, LongVector times, DoubleVector values, int count) {
    private static final Schema SCHEMA = Schema.parse("signal string, timestamp_ns bigint, value double");
    private static final int MONTHS = 24;

    /**
     * Values in the order of files.
     *
     * @param files for each file the ends of its row groups, exclusive
     */
    record Ordered(String order, int[] rows, List<int[]> files) {}

    /** Those of a Parquet file with these columns, or the first of them. */
    static MeasuredValues of(String name, Path file, int most) throws IOException {
        List<ColumnVector> vectors = SCHEMA.columns().stream()
                .map(column -> ColumnVector.of(column.type()))
                .toList();
        try (ColumnFile opened =
                ColumnFile.open(file.toString(), new LocalInputFile(file), SCHEMA.columns(), vectors)) {
            int count = (int) Math.min(most, opened.rows());
            vectors.forEach(vector -> vector.reserve(count));
            int at = 0;
            while (at < count) {
                int rows = (int) Math.min(count - at, opened.nextRowGroup());
                for (int i = 0; i < vectors.size(); i++) {
                    opened.read(i, vectors.get(i), at, rows);
                }
                at += rows;
            }
            return new MeasuredValues(
                    name, vectors.get(0), (LongVector) vectors.get(1), (DoubleVector) vectors.get(2), count);
        }
    }

    /** The generator's. */
    static MeasuredValues generated(int count, long seed) {
        CalsStream stream = GeneratedDataset.stream(Math.max(1, count / 1000), 1_000_000, seed);
        MeasuredValues made = empty("gen", count);
        for (int i = 0; i < count; i++) {
            CalsStream.Reading reading = stream.next();
            made.set(i, reading.signal(), reading.timestampNs(), reading.value());
        }
        return made;
    }

    /**
     * A chaotic system with full mantissas: E. N. Lorenz, "Predictability: a problem partly solved" (1996), with 40 variables and a forcing
     * of 8, in steps of 0.05 by the method of Runge and Kutta.
     */
    static MeasuredValues lorenz96(int count, long seed) {
        int variables = 40;
        Random random = new Random(seed);
        double[] x = random.doubles(variables).map(d -> 8 + d / 100).toArray();
        MeasuredValues made = empty("lorenz96", count / variables * variables);
        for (int at = 0; at < made.count; at += variables) {
            x = step(x, 0.05);
            for (int i = 0; i < variables; i++) {
                made.set(at + i, i, at / variables, x[i]);
            }
        }
        return made;
    }

    private static double[] step(double[] x, double dt) {
        double[] k1 = slope(x);
        double[] k2 = slope(plus(x, k1, dt / 2));
        double[] k3 = slope(plus(x, k2, dt / 2));
        double[] k4 = slope(plus(x, k3, dt));
        return IntStream.range(0, x.length)
                .mapToDouble(i -> x[i] + dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]))
                .toArray();
    }

    private static double[] slope(double[] x) {
        int n = x.length;
        return IntStream.range(0, n)
                .mapToDouble(i -> (x[(i + 1) % n] - x[(i + n - 2) % n]) * x[(i + n - 1) % n] - x[i] + 8)
                .toArray();
    }

    private static double[] plus(double[] x, double[] k, double dt) {
        return IntStream.range(0, x.length).mapToDouble(i -> x[i] + dt * k[i]).toArray();
    }

    private static MeasuredValues empty(String name, int count) {
        MeasuredValues made = new MeasuredValues(name, new LongVector(), new LongVector(), new DoubleVector(), count);
        made.signals.reserve(count);
        made.times.reserve(count);
        made.values.reserve(count);
        return made;
    }

    private void set(int row, long signal, long time, double value) {
        ((LongVector) signals).set(row, signal);
        times.set(row, time);
        values.set(row, value);
    }

    /** By signal and time, with row groups for large signals; and by time and signal in one file, and in files as of months. */
    List<Ordered> ordered() {
        int[] rows = IntStream.range(0, count).toArray();
        int[] ranks =
                signals instanceof StringVector strings ? strings.dictionary().ranks() : new int[0];
        int[] byTime = StableSort.byColumn(times, ranks, StableSort.byColumn(signals, ranks, rows));
        int[] bySignal = StableSort.byColumn(signals, ranks, StableSort.byColumn(times, ranks, rows));
        List<int[]> months = IntStream.rangeClosed(1, MONTHS)
                .mapToObj(month -> new int[] {(int) ((long) count * month / MONTHS)})
                .toList();
        return List.of(
                new Ordered("signal", bySignal, List.of(ends(bySignal))),
                new Ordered("time", byTime, List.of(new int[] {count})),
                new Ordered("month", byTime, months));
    }

    /** A signal with more than a page, and more than a 32nd of all values, has a row group of its own. */
    private int[] ends(int[] bySignal) {
        Set<Integer> ends = new TreeSet<>(List.of(count));
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || !signals.same(bySignal[i - 1], bySignal[i])) {
                if (i - start > Math.max(FileStatistics.PAGE_ROWS, count / 32)) {
                    ends.add(start);
                    ends.add(i);
                }
                start = i;
            }
        }
        return ends.stream().mapToInt(end -> end).filter(end -> end > 0).toArray();
    }
}
