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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Bytes;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeMoveProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto.Action;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mpsr groups rebalance}. */
@Command(
        name = "rebalance",
        description =
                "Show which nodes would change their group so that the groups become even and their racks disjoint."
                        + " While moves are under way, show their progress. A node's blocks are copied to other nodes of"
                        + " its group before it changes the group. Only for superusers.",
        mixinStandardHelpOptions = true)
final class RebalanceCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    private static final class Deed {
        @Option(
                names = "--execute",
                description = "Start the moves, one after the other. The command does not wait for them.")
        private boolean execute;

        @Option(names = "--cancel", description = "Cancel: nodes that have not moved yet stay in their groups.")
        private boolean cancel;
    }

    @ArgGroup
    private Deed deed = new Deed();

    @Option(
            names = "--transfers",
            paramLabel = "N",
            defaultValue = "20",
            description =
                    "With --execute: the most blocks that are copied at a time (${DEFAULT-VALUE}). HDFS's own limits"
                            + " for each DataNode hold as well.")
    private int transfers;

    @Option(
            names = "--bandwidth",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = Bytes.class,
            description =
                    "With --execute: the most bytes that all nodes together copy in a second, such as 50m (k, m and g"
                            + " are multiples of 1,024). Default: only HDFS's own limit for each DataNode"
                            + " (dfs.datanode.data.transfer.bandwidthPerSec). To change it, cancel and start again:"
                            + " what was copied stays copied.")
    private long bandwidth;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Action action = deed.execute ? Action.EXECUTE : deed.cancel ? Action.CANCEL : Action.SHOW;
        RebalanceResponseProto answer;
        try (MpsrClient client = connection.client()) {
            answer = client.rebalance(action, transfers, bandwidth);
        }
        Output out = Output.of(spec);
        if (connection.json()) {
            out.json(json(answer));
        } else {
            print(out, answer);
        }
        return 0;
    }

    static Map<String, Object> json(RebalanceResponseProto answer) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("running", answer.getRunning());
        List<Object> moves = new ArrayList<>();
        for (NodeMoveProto m : answer.getMoveList()) {
            Map<String, Object> move = new LinkedHashMap<>();
            move.put("step", m.getStep());
            move.put("uuid", m.getNode().getUuid());
            move.put("host", m.getNode().getHost());
            move.put("rack", m.getNode().getRack());
            move.put("from", m.getNode().getGroup());
            move.put("to", m.getTo());
            if (answer.getRunning()) {
                move.put("draining", m.getDraining());
                move.put("blocksLeft", m.hasBlocksLeft() ? m.getBlocksLeft() : null);
            } else {
                move.put("bytes", m.getBytes());
                move.put("reason", m.getReason());
            }
            moves.add(move);
        }
        json.put("moves", moves);
        json.put("refused", List.copyOf(answer.getRefusedList()));
        json.put("waiting", answer.hasWaiting() ? answer.getWaiting() : null);
        return json;
    }

    static void print(Output out, RebalanceResponseProto answer) {
        if (answer.getMoveCount() == 0 && answer.getRefusedCount() == 0) {
            out.line("There is nothing to move.");
        } else if (answer.getRunning()) {
            printRun(out, answer);
        } else {
            printPlan(out, answer);
        }
    }

    private static void printPlan(Output out, RebalanceResponseProto answer) {
        Table table = new Table("STEP", "NODE", "RACK", "FROM", "TO", "BYTES", "WHY");
        for (NodeMoveProto m : answer.getMoveList()) {
            table.row(
                    m.getStep(),
                    GroupsCommand.name(m.getNode()),
                    m.getNode().getRack(),
                    m.getNode().getGroup(),
                    m.getTo(),
                    m.getBytes(),
                    m.getReason());
        }
        if (answer.getMoveCount() > 0) {
            out.table(table);
        }
        answer.getRefusedList().forEach(refused -> out.line("Refused: " + refused));
        if (answer.getMoveCount() > 0) {
            out.line("Nothing has changed yet. Each move copies at most BYTES to other nodes of the group FROM. To"
                    + " start: hdfs mpsr groups rebalance --execute");
        }
    }

    private static void printRun(Output out, RebalanceResponseProto answer) {
        Table table = new Table("STEP", "NODE", "RACK", "FROM", "TO", "STATE");
        for (NodeMoveProto m : answer.getMoveList()) {
            String left = m.hasBlocksLeft() ? ", " + m.getBlocksLeft() + " block(s) left" : "";
            table.row(
                    m.getStep(),
                    GroupsCommand.name(m.getNode()),
                    m.getNode().getRack(),
                    m.getNode().getGroup(),
                    m.getTo(),
                    m.getDraining() ? "draining" + left : "waiting");
        }
        out.table(table);
        if (answer.hasWaiting()) {
            out.line("Waiting: " + answer.getWaiting());
        }
    }
}
