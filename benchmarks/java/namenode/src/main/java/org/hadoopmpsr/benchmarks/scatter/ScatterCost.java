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
package org.hadoopmpsr.benchmarks.scatter;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.hadoopmpsr.benchmarks.namenode.Report;
import org.hadoopmpsr.core.alloc.ScatterWidth;

/**
 * Simulates clusters for each scatter width: what a lost node costs, how even bytes and reads are, and how likely records are
 * lost. The same seed gives the same figures.
 */
public final class ScatterCost {
    private static final List<ScatterWidth> WIDTHS = List.of(
            new ScatterWidth(1),
            new ScatterWidth(2),
            new ScatterWidth(3),
            new ScatterWidth(4),
            new ScatterWidth(8),
            ScatterWidth.ALL);
    private static final int MOST = 8;
    /** What a node reads in a second, as {@code dfs.mpsr.cost.disk.mb.per.second} has it. */
    private static final double BYTES_PER_SECOND = 200e6;
    /** A year but for some hours and commits that are not merged yet. */
    private static final long YEAR = 364 * Archive.DAY + 20 * 3_600 + 2_400;

    private static final int AT_A_TIME = 100;

    private final List<Integer> clusters;
    private final int queries;
    private final long seed;

    /**
     * @param clusters the numbers of nodes
     * @param queries of each layout, a multiple of 100
     */
    public ScatterCost(List<Integer> clusters, int queries, long seed) {
        this.clusters = clusters;
        this.queries = queries;
        this.seed = seed;
    }

    public void run(Report report) {
        report.line("one dataset for three nodes, a year old unless said otherwise; seed " + seed);
        for (int nodes : clusters) {
            Archive days = new Archive(nodes / 3, YEAR, Archive.DAY, seed);
            Archive months = new Archive(nodes / 3, YEAR, 30 * Archive.DAY, seed);
            Archive young = new Archive(nodes / 3, Archive.DAY + YEAR % Archive.DAY, Archive.DAY, seed);
            run(report, nodes + ".day", "merged up to a day", days);
            run(report, nodes + ".month", "merged up to a month", months);
            run(report, nodes + ".young", "two days old, merged up to a day", young);
        }
    }

    private void run(Report report, String name, String text, Archive archive) {
        int nodes = Group.values().length * archive.datasets();
        Layout layout = new Layout(archive, nodes, MOST, seed);
        report.line(String.format(
                Locale.ROOT,
                "%n%d nodes, %s: %,d segments%n%-6s %9s %9s %9s %9s %9s %9s %9s %10s %10s",
                nodes,
                text,
                archive.all().size(),
                "width",
                "rebuild",
                "fullest",
                "p99",
                "together",
                "median s",
                "p95 s",
                "window s",
                "3 die",
                "6 die"));
        for (ScatterWidth width : WIDTHS) {
            if (width.isAll() || width.nodes() < nodes / 3) {
                run(report, "scatter." + name + "." + width.text(), archive, layout, width);
            }
        }
    }

    private void run(Report report, String name, Archive archive, Layout layout, ScatterWidth width) {
        Rebuild rebuild = new Rebuild(archive, layout, width);
        Losses losses = new Losses(archive, layout, width);
        Queries drawn = new Queries(archive, layout, width, seed);
        double[] seconds = new double[queries];
        double[] uneven = new double[queries / AT_A_TIME];
        for (int batch = 0; batch < uneven.length; batch++) {
            double[][] together = new double[Group.values().length][layout.nodes()];
            for (int i = 0; i < AT_A_TIME; i++) {
                double[][] read = drawn.next();
                seconds[batch * AT_A_TIME + i] = Queries.busiest(read) / BYTES_PER_SECOND;
                Queries.add(together, read);
            }
            uneven[batch] = Queries.busiest(together) / Queries.even(together);
        }
        double window = DoubleStream.generate(() -> Queries.busiest(drawn.newestWindow()) / BYTES_PER_SECOND)
                .limit(queries / 10)
                .average()
                .orElse(0);
        double[] values = {
            rebuild.readOverLost(),
            rebuild.fullest(),
            rebuild.p99(),
            Rebuild.mean(uneven),
            Rebuild.quantile(seconds, 0.5),
            Rebuild.quantile(seconds, 0.95),
            window,
            losses.chance(3, seed),
            losses.chance(6, seed)
        };
        StringBuilder line = new StringBuilder(String.format("%-6s", width.text()));
        for (int i = 0; i < values.length; i++) {
            line.append(String.format(Locale.ROOT, i < 7 ? " %9.3g" : " %10.4f", values[i]));
            report.kept(name + "." + NAMES.get(i), values[i], UNITS.get(i));
        }
        report.line(line.toString());
    }

    private static final List<String> NAMES =
            List.of("rebuild", "fullest", "p99", "together", "median", "p95", "window", "die3", "die6");
    private static final List<String> UNITS =
            List.of("x lost", "x mean", "x mean", "x even", "s", "s", "s", "chance", "chance");
}
