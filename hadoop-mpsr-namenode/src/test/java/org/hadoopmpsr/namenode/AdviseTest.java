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
package org.hadoopmpsr.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.cli.advise.AdviseCommand;
import org.hadoopmpsr.client.cli.workload.WorkloadCommand;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.In;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Groups are advised for a dataset from what was asked of it, by the commands that users have. */
@Tag("long")
class AdviseTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final String WHAT = "-Dmpsr.seed=" + SEED;
    private static final String PATH = "/advise/meas";
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final LocalDate FIRST = LocalDate.of(2014, 5, 1);
    private static final int DAYS = 20;
    private static final int SIGNALS = 64;
    private static final int DEVICES = 8;
    /** Of one signal on one day. */
    private static final long RECORDS = 100_000;

    private static TestCluster cluster;
    private static MpsrClient client;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        Configuration conf = TestCluster.threeGroups();
        // a guess that fits nothing that is asked
        conf.set("dfs.mpsr.replica.group.signal.predicates", "month(timestamp_ns)");
        cluster = TestCluster.start(conf, 3, 3);
        client = cluster.client();
        Dataset dataset = client.createDataset(PATH, TestCluster.SCHEMA);
        for (int day = 0; day < DAYS; day++) {
            publish(dataset, day);
        }
        askForAWhile();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    private static String signal(int number) {
        return String.format("S%03d", number);
    }

    private static String device(int signal) {
        return "D" + signal % DEVICES;
    }

    /** A day's records, in each group divided as the group says. */
    private static void publish(Dataset dataset, int day) throws Exception {
        String id = "day-" + day;
        List<StagedFile> files = new ArrayList<>();
        for (ReplicaGroup group : dataset.groups().groups()) {
            Map<List<Object>, List<Integer>> parts = new LinkedHashMap<>();
            for (int signal = 0; signal < SIGNALS; signal++) {
                Map<String, Object> values = Map.of(
                        "signal",
                        signal(signal),
                        "device",
                        device(signal),
                        "system",
                        "CRYO",
                        "timestamp_ns",
                        (FIRST.toEpochDay() + day) * DAY_NS);
                parts.computeIfAbsent(
                                group.predicates().stream()
                                        .map(p -> p.transform()
                                                .apply(
                                                        p.source(dataset.schema())
                                                                .type(),
                                                        values.get(p.column())))
                                        .toList(),
                                key -> new ArrayList<>())
                        .add(signal);
            }
            parts.forEach((partition, signals) -> files.add(file(dataset, group, id, day, partition, signals)));
        }
        TestChange.stage(client, cluster.fs(), PATH, dataset, id, files, file ->
                (int) (file.statistics().rows() / 10));
        assertThat(client.publish(
                                PATH,
                                dataset.id(),
                                id,
                                List.of(new CommitSource("t", 0, day * 10L, day * 10L + 10)),
                                files)
                        .refusal())
                .isNull();
    }

    private static StagedFile file(
            Dataset dataset, ReplicaGroup group, String id, int day, List<Object> partition, List<Integer> signals) {
        long rows = signals.size() * RECORDS;
        List<String> names = signals.stream().map(AdviseTest::signal).sorted().toList();
        List<String> devices =
                signals.stream().map(AdviseTest::device).distinct().sorted().toList();
        long from = (FIRST.toEpochDay() + day) * DAY_NS;
        FileStatistics statistics = new FileStatistics(
                id,
                new ContentHash(HashKind.XXH_128, rows, rows, rows),
                partition,
                Map.of(
                        "signal", texts(names).withBytes(rows / 100),
                        "device", texts(devices).withBytes(rows / 200),
                        "system", texts(List.of("CRYO")).withBytes(rows / 200),
                        "timestamp_ns",
                                ColumnStatistics.of(from, from + DAY_NS - 1, 0)
                                        .withDistinct(RECORDS)
                                        .withBytes(rows / 40),
                        "value",
                                ColumnStatistics.of(0.0, 100.0, 0)
                                        .withDistinct(rows)
                                        .withBytes(rows / 20)));
        String dir = PartitionPath.of(group.partitionFields(dataset.schema()), partition);
        return new StagedFile(group.name(), dir + "/" + id + "-0.parquet", statistics);
    }

    private static ColumnStatistics texts(List<String> sorted) {
        return ColumnStatistics.of(sorted.get(0), sorted.get(sorted.size() - 1), 0)
                .withDistinct(sorted.size());
    }

    /** Most ask for a signal, many for a device within an hour, a few for a day. */
    private static void askForAWhile() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < 120; i++) {
            ask(new Compare(Operator.EQ, "signal", signal(random.nextInt(SIGNALS))), "signal", "timestamp_ns", "value");
        }
        for (int i = 0; i < 60; i++) {
            long from = (FIRST.toEpochDay() + random.nextInt(DAYS)) * DAY_NS + random.nextInt(23) * DAY_NS / 24;
            ask(
                    new Filter.And(List.of(
                            new In("device", List.of(device(random.nextInt(SIGNALS)))),
                            new Compare(Operator.GE, "timestamp_ns", from),
                            new Compare(Operator.LT, "timestamp_ns", from + DAY_NS / 24))),
                    "device",
                    "signal",
                    "timestamp_ns",
                    "value");
        }
        for (int i = 0; i < 20; i++) {
            long from = (FIRST.toEpochDay() + random.nextInt(DAYS)) * DAY_NS;
            ask(
                    new Filter.And(List.of(
                            new Compare(Operator.GE, "timestamp_ns", from),
                            new Compare(Operator.LT, "timestamp_ns", from + DAY_NS))),
                    "timestamp_ns",
                    "value");
        }
    }

    private static void ask(Filter filter, String... columns) throws Exception {
        assertThat(client.plan(PATH, new ReadRequest(filter, Set.of(columns)), null, List.of()))
                .isPresent();
    }

    private String run(Object command, String... arguments) throws Exception {
        StringWriter out = new StringWriter();
        List<String> all =
                new ArrayList<>(List.of("-fs", cluster.mini().getURI().toString()));
        all.addAll(List.of(arguments));
        int code = new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    throw e;
                })
                .execute(all.toArray(String[]::new));
        assertThat(code).as(out.toString()).isZero();
        return out.toString();
    }

    @Test
    void whatWasAskedIsShownAndAdvisedFrom() throws Exception {
        String shown = run(new WorkloadCommand(), PATH);
        assertThat(shown)
                .contains(PATH + ": 200 queries of 3 classes")
                .contains("signal = 1 value")
                .contains("device = 1 value and timestamp_ns in up to 1/100 of its range")
                .contains("from the default group time would have read at least");

        JsonNode advice = new ObjectMapper().readTree(run(new AdviseCommand(), PATH, "--json"));
        assertThat(advice.get("covered").asDouble()).isEqualTo(1);
        assertThat(advice.get("groups")).hasSize(3);
        assertThat(advice.get("groups").get(0).get("name").asText()).isEqualTo("time");
        assertThat(advice.get("groups").get(0).get("state").asText()).isEqualTo("default");
        assertThat(advice.get("advisedMs").asDouble())
                .as(WHAT)
                .isLessThan(advice.get("todayMs").asDouble() * 0.95);
        assertThat(advice.get("steps"))
                .isNotEmpty()
                .allSatisfy(step ->
                        assertThat(step.asText()).startsWith("hdfs mpsr dataset alter " + PATH + " set-group "));
        assertThat(run(new AdviseCommand(), PATH)).contains("to do it:").contains("--predicates '");

        // the sample was no query
        assertThat(run(new WorkloadCommand(), PATH)).contains(PATH + ": 200 queries of 3 classes");
    }

    @Test
    void aWorkloadIsKeptAndAdvisedFromLater() throws Exception {
        Path log = Files.writeString(directory.resolve("log.json"), run(new WorkloadCommand(), PATH, "--json"));
        String[] from = {PATH, "--from", log.toString(), "--json"};
        assertThat(run(new AdviseCommand(), from)).isEqualTo(run(new AdviseCommand(), from));

        JsonNode four = new ObjectMapper()
                .readTree(run(
                        new AdviseCommand(),
                        PATH,
                        "--from",
                        log.toString(),
                        "--groups",
                        "4",
                        "--budget",
                        "5",
                        "--json"));
        assertThat(four.get("groups")).hasSize(4);
        int copies = 0;
        for (JsonNode group : four.get("groups")) {
            copies += group.get("copies").asInt();
        }
        assertThat(copies).isEqualTo(5);
        assertThat(four.get("steps").toString())
                .contains("dfs.mpsr.replica.groups")
                .contains("add-group");
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        Path none = Files.writeString(
                directory.resolve("none.json"), "{\"since\": \"2026-11-28T14:00:00Z\", \"datasets\": []}");
        Path text = Files.writeString(directory.resolve("text"), "no JSON");
        assertRefused("no query of " + PATH, PATH, "--from", none.toString());
        assertRefused("is no workload: it is no JSON", PATH, "--from", text.toString());
        assertRefused("leaves no group", PATH, "--groups", "0");
        assertRefused("3 groups need as many copies", PATH, "--budget", "2");
        assertRefused("is not a dataset", "/advise/none");
        cluster.fs().mkdirs(new org.apache.hadoop.fs.Path("/advise/plain"));
        assertRefused("there is no workload for the directory '/advise/plain', which is no dataset", "/advise/plain");
        assertRefused("no query of /advise/plain", "/advise/plain", "--from", none.toString());
    }

    private void assertRefused(String message, String... arguments) {
        List<String> all =
                new ArrayList<>(List.of("-fs", cluster.mini().getURI().toString()));
        all.addAll(List.of(arguments));
        List<Exception> failures = new ArrayList<>();
        int code = new CommandLine(new AdviseCommand())
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    failures.add(e);
                    return 1;
                })
                .execute(all.toArray(String[]::new));
        assertThat(code).isEqualTo(1);
        assertThat(failures).singleElement().satisfies(e -> assertThat(e).hasMessageContaining(message));
    }
}
