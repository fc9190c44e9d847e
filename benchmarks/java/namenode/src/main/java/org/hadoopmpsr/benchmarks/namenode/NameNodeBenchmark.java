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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileUtil;
import org.hadoopmpsr.benchmarks.scatter.DurabilityCost;
import org.hadoopmpsr.benchmarks.scatter.ScatterCost;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: measures, prints a line for each figure, and fails only when something answered wrongly. */
@Command(
        name = "namenode",
        mixinStandardHelpOptions = true,
        description = "What MPSR costs a NameNode. Fails on a wrong answer, never on a slow one.")
public final class NameNodeBenchmark implements Callable<Integer> {
    /** The parts that can be run alone. */
    enum Part {
        throughput,
        datanodes,
        placement,
        scatter,
        durability,
        publish,
        heap,
        year,
        planning,
        reads
    }

    /** Of a round, each a fraction of a second long: what disturbs the machine lasts longer and meets all. */
    private static final int CALL_CHUNKS = 25;

    private static final long SEED = 1;
    /** The numbers of nodes that are simulated. */
    private static final List<Integer> CLUSTERS = List.of(30, 100, 1_000);

    /** Of a round, each about a second long. */
    private static final int REPORT_CHUNKS = 5;

    @Option(names = "--quick", description = "a short form: shows that it works, not what it costs")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "also write all measurements to a file")
    private @Nullable Path json;

    @Option(names = "--only", split = ",", description = "parts: ${COMPLETION-CANDIDATES}")
    private List<Part> only = new ArrayList<>(List.of(Part.values()));

    @Option(
            names = "--rounds",
            description = "rounds of throughput, datanodes and reads (${DEFAULT-VALUE}); 1 with --quick")
    private int rounds = 7;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "where the NameNodes have their edit logs (default: the JVM's directory for temporary files)")
    private @Nullable Path parent;

    @Option(
            names = "--files",
            description = "files whose heap is measured, and that are planned (${DEFAULT-VALUE}); 2,000 with --quick")
    private int files = 1_000_000;

    @Option(
            names = "--serve",
            description = "after planning, print the NameNode's address and keep it until the input ends")
    private boolean serve;

    public static void main(String[] args) {
        System.exit(new CommandLine(new NameNodeBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Report report = new Report(System.out, quick ? "quick" : "full");
        for (Part part : Part.values()) {
            if (only.contains(part)) {
                run(part, report);
            }
        }
        if (json != null) {
            report.write(json);
        }
        return 0;
    }

    private void run(Part part, Report report) throws Exception {
        Path directory = parent == null
                ? Files.createTempDirectory("mpsr-bench-")
                : Files.createTempDirectory(parent, "mpsr-bench-");
        try {
            switch (part) {
                case publish -> {
                    new PublishCost("", quick ? 20 : 334, quick ? 1 : 15, quick ? 1 : 15)
                            .run(Files.createDirectory(directory.resolve("usual")), report);
                    new PublishCost("Largest", quick ? 50 : 3_333, 1, quick ? 1 : 4)
                            .run(Files.createDirectory(directory.resolve("largest")), report);
                }
                case heap -> new HeapCost(quick ? 2_000 : files).run(directory, report);
                case year -> new YearCost(quick ? 1 : 12).run(directory, report);
                case planning -> {
                    PlanningCost.Users users = serve ? NameNodeBenchmark::serve : nameNode -> {};
                    new PlanningCost(quick ? 2_000 : files, quick ? 1 : 15, users).run(directory, report);
                }
                case throughput -> new Throughput(quick ? 20 : 200, alternation(CALL_CHUNKS)).run(directory, report);
                case datanodes ->
                    new DataNodeThroughput(quick ? 30 : 1_000, alternation(REPORT_CHUNKS)).run(directory, report);
                case reads ->
                    new ReadCost(quick ? 1 : 6, quick ? 100 : 1_200, alternation(CALL_CHUNKS)).run(directory, report);
                case scatter -> new ScatterCost(quick ? List.of(30) : CLUSTERS, quick ? 100 : 2_000, SEED).run(report);
                case durability -> durability().run(report);
                case placement -> new PlacementCost(quick ? 1 : 3, quick ? 0 : 2).run(report);
            }
        } finally {
            FileUtil.fullyDelete(directory.toFile());
        }
    }

    private DurabilityCost durability() {
        return quick ? new DurabilityCost(List.of(30), 1, 500, SEED) : new DurabilityCost(CLUSTERS, 4, 20_000, SEED);
    }

    private static void serve(URI nameNode) throws IOException {
        System.out.println("serving " + nameNode);
        while (System.in.read() >= 0) {
            // whoever uses it ends the input when done
        }
    }

    private Alternation alternation(int chunks) {
        return quick ? new Alternation(1, 1) : new Alternation(rounds, chunks);
    }
}
