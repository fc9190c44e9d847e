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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.hadoopmpsr.benchmarks.namenode.Report;
import org.hadoopmpsr.core.alloc.ScatterWidth;
import org.hadoopmpsr.core.rebuild.RebuildRules;

/**
 * Simulates clusters that lose nodes: what the recovery of a node reads and how long it takes, and how likely a record is lost
 * in a year, beside HDFS with three equal copies. The same seed gives the same figures.
 */
public final class DurabilityCost {
    private static final List<ScatterWidth> WIDTHS =
            List.of(new ScatterWidth(1), new ScatterWidth(2), new ScatterWidth(3), ScatterWidth.ALL);
    private static final int MOST = 4;
    private static final int MAX_FILES = 10_000;
    /** A Spark job of rebuild gets four cores of each node, and divides a change into ten tasks for each core. */
    private static final int TASKS_OF_NODE = 40;
    /** The most rebuilds at a time: the default of {@code hdfs mpsr maintain --runs}, and more. */
    private static final int[] RUNS = {1, 16};

    private static final long YEAR = 364 * Archive.DAY + 20 * 3_600 + 2_400;
    /** Until HDFS takes a silent node for dead. */
    private static final double DEAD = 630;
    /** And until a rebuild begins: {@code dfs.mpsr.rebuild.delay.seconds}, half of maintenance's interval, Spark's start. */
    private static final double DUE = DEAD + 600 + 300 + 30;

    private static final double[] NODE_RATES = {0.02, 0.04, 0.08};
    private static final double NODE_RATE_WITH_RACKS = 0.04;
    private static final double RACK_RATE = 0.01;
    private static final int RACK = 30;

    private final List<Integer> clusters;
    private final int samples;
    private final int cycles;
    private final long seed;

    /**
     * @param clusters the numbers of nodes
     * @param samples the nodes of each group whose loss is simulated
     * @param cycles as many as are drawn for each chance
     */
    public DurabilityCost(List<Integer> clusters, int samples, int cycles, long seed) {
        this.clusters = clusters;
        this.samples = samples;
        this.cycles = cycles;
        this.seed = seed;
    }

    public void run(Report report) {
        report.line("one dataset for three nodes, a year old, merged up to a day; seed " + seed);
        report.line(String.format(
                Locale.ROOT,
                "each node reads and writes %.0f MB/s for recovery; nodes die at the rates below in a year, racks at %.2f with"
                        + " nodes at %.2f",
                Recovery.BYTES_PER_SECOND / 1e6,
                RACK_RATE,
                NODE_RATE_WITH_RACKS));
        for (int nodes : clusters) {
            run(report, new Archive(nodes / Group.values().length, YEAR, Archive.DAY, seed));
        }
    }

    private void run(Report report, Archive archive) {
        int nodes = Group.values().length * archive.datasets();
        double bytes =
                archive.all().stream().mapToDouble(Archive.Segment::bytes).sum() / archive.datasets();
        int racks = Group.values().length * Math.max(1, nodes / Group.values().length / RACK);
        report.line(String.format(
                Locale.ROOT,
                "%n%d nodes on %d racks, %.1f TB each%n%-16s %6s %9s %10s %10s %10s %10s",
                nodes,
                racks,
                bytes / 1e12,
                "",
                "read",
                "hours",
                "0.02",
                "0.04",
                "0.08",
                "racks"));
        Recovery stock = BlockRecovery.of(nodes, bytes, new Random(seed));
        String name = "durability." + nodes + ".";
        double blocks = nodes * bytes / 3 / Group.BLOCK;
        row(report, name + "hdfs", "hdfs", stock, new BlockCopies(nodes, racks, blocks, DEAD, stock.seconds()));
        Layout layout = new Layout(archive, nodes, MOST, seed);
        long changeBytes =
                RebuildRules.of(Group.BLOCK, MAX_FILES, TASKS_OF_NODE * nodes).unitBytes();
        for (int runs : RUNS) {
            for (ScatterWidth width : WIDTHS) {
                Recovery one = mean(new SegmentRecovery(archive, layout, width, runs, changeBytes), layout);
                SegmentCopies copies = new SegmentCopies(archive, layout, width, racks, DUE, one.seconds());
                String how = width.text() + (runs == 1 ? "" : "." + runs + "runs");
                row(report, name + how, how, one, copies);
            }
        }
    }

    private Recovery mean(SegmentRecovery recovery, Layout layout) {
        Random random = new Random(seed);
        List<Recovery> found = new ArrayList<>();
        for (Group group : Group.values()) {
            random.ints(0, layout.nodes())
                    .distinct()
                    .limit(Math.min(samples, layout.nodes()))
                    .forEach(node -> found.add(recovery.of(group, node, random)));
        }
        return new Recovery(
                found.stream().mapToDouble(Recovery::lost).average().orElseThrow(),
                found.stream().mapToDouble(Recovery::read).average().orElseThrow(),
                found.stream().mapToDouble(Recovery::seconds).average().orElseThrow());
    }

    private void row(Report report, String name, String text, Recovery one, Copies copies) {
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "%-16s %6.1f %9.2f", text, one.read() / one.lost(), one.seconds() / 3_600));
        report.kept(name + ".read", one.read() / one.lost(), "x lost");
        report.kept(name + ".seconds", one.seconds(), "s");
        for (double rate : NODE_RATES) {
            chance(report, line, name + ".loss." + rate, new YearlyLoss(copies, rate, 0, seed));
        }
        chance(report, line, name + ".loss.racks", new YearlyLoss(copies, NODE_RATE_WITH_RACKS, RACK_RATE, seed));
        report.line(line.toString());
    }

    private void chance(Report report, StringBuilder line, String name, YearlyLoss loss) {
        YearlyLoss.Estimate found = loss.estimate(cycles);
        line.append(String.format(Locale.ROOT, " %10.1e ±%2.0f%%", found.chance(), 196 * found.error()));
        report.kept(name, found.chance(), "chance");
        report.kept(name + ".error", 1.96 * found.error(), "of it");
    }
}
