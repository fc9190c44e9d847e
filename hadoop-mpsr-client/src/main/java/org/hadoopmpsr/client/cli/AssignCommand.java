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
package org.hadoopmpsr.client.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.FilesToRead;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.core.assign.Assignment;
import org.hadoopmpsr.core.assign.SplitAssignment;
import org.hadoopmpsr.core.config.MpsrConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr assign}. */
@Command(
        name = "assign",
        description =
                "Print which node should read which file: close to the data, and with even load. For programs that"
                        + " read HDFS themselves, such as MPI programs. The files need not belong to a dataset.",
        mixinStandardHelpOptions = true)
final class AssignCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(
            paramLabel = "PATHS",
            arity = "1..*",
            description = "Files, directories with everything below them, and patterns such as"
                    + " /cals/meas/day=2017-05-*.")
    private List<String> paths = List.of();

    @Option(
            names = "--nodes",
            split = ",",
            paramLabel = "NODES",
            description =
                    "Host names of the nodes that read, as HDFS knows them. Default: all nodes that hold some of the"
                            + " data.")
    private List<String> nodes = List.of();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        for (String path : paths) {
            connection.path(path);
        }
        MpsrConfig config = MpsrConfig.read(connection.conf()::get);
        FilesToRead files = FilesToRead.find(FileSystem.get(connection.fileSystem(), connection.conf()), paths);
        List<String> readers = nodes.isEmpty() ? List.copyOf(files.holders()) : nodes;
        if (readers.stream().noneMatch(files.holders()::contains)
                && !files.holders().isEmpty()) {
            Output.ofErrors(spec)
                    .line("mpsr: none of the nodes holds any of the data; all of it is read over the network. The data"
                            + " lies on " + String.join(", ", files.holders()));
        }
        Assignment assignment = SplitAssignment.assign(
                List.copyOf(files.splits().values()), readers, config.costs().read());
        Map<String, List<String>> byNode = byNode(List.copyOf(files.splits().keySet()), assignment);
        Output out = Output.of(spec);
        if (connection.json()) {
            out.json(json(assignment, byNode));
        } else {
            print(out, assignment, byNode);
        }
        return 0;
    }

    private static Map<String, List<String>> byNode(List<String> files, Assignment assignment) {
        Map<String, List<String>> byNode = new LinkedHashMap<>();
        assignment.loads().forEach(l -> byNode.put(l.node(), new ArrayList<>()));
        for (int i = 0; i < files.size(); i++) {
            byNode.computeIfAbsent(assignment.node(i), n -> new ArrayList<>()).add(files.get(i));
        }
        return byNode;
    }

    private static Map<String, Object> json(Assignment assignment, Map<String, List<String>> byNode) {
        List<Object> nodes = new ArrayList<>();
        for (Assignment.Load load : assignment.loads()) {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("node", load.node());
            node.put("bytes", load.bytes());
            node.put("localBytes", load.localBytes());
            node.put("costMs", load.costMs());
            node.put("files", byNode.get(load.node()));
            nodes.add(node);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("files", assignment.nodeOf().size());
        json.put("bytes", assignment.bytes());
        json.put("localShare", assignment.localShare());
        json.put("spread", assignment.spread());
        json.put("nodes", nodes);
        return json;
    }

    private static void print(Output out, Assignment assignment, Map<String, List<String>> byNode) {
        byNode.forEach((node, files) -> files.forEach(f -> out.fields(node, f)));
        Table table = new Table("NODE", "FILES", "BYTES", "LOCAL", "MS");
        for (Assignment.Load l : assignment.loads()) {
            table.row(l.node(), l.splits(), l.bytes(), percent(l.localBytes(), l.bytes()), Math.round(l.costMs()));
        }
        out.line("");
        out.table(table);
        out.line(String.format(
                Locale.ROOT,
                "%d files, %d bytes; %.1f %% of them local; the slowest node takes %.2f times the average",
                assignment.nodeOf().size(),
                assignment.bytes(),
                100 * assignment.localShare(),
                assignment.spread()));
    }

    private static String percent(long part, long whole) {
        return whole == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }
}
