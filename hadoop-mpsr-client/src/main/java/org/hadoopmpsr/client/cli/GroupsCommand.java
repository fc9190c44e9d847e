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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.client.proto.MpsrProtos.GroupStatusProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import org.hadoopmpsr.client.wire.Wire;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mpsr groups}. */
@Command(
        name = "groups",
        description =
                "Show the replica groups with their predicates, nodes and bytes. The subcommands change which nodes"
                        + " a group has.",
        mixinStandardHelpOptions = true,
        subcommands = {RebalanceCommand.class, ForgetCommand.class})
final class GroupsCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        StatusResponseProto status;
        try (MpsrClient client = connection.client()) {
            status = client.status();
        }
        Output out = Output.of(spec);
        if (connection.json()) {
            out.json(json(status));
        } else {
            print(out, status);
        }
        return 0;
    }

    static Map<String, Object> json(StatusResponseProto status) {
        Map<String, Object> json = StatusCommand.stateJson(status);
        json.put("defaultGroup", status.hasDefaultGroup() ? status.getDefaultGroup() : null);
        List<Object> groups = new ArrayList<>();
        for (GroupStatusProto g : status.getGroupList()) {
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("name", g.getGroup().getName());
            group.put("predicates", g.getGroup().getPredicateList());
            group.put(
                    "sort",
                    g.getGroup().getSortList().stream()
                            .map(SortKey::ofRecorded)
                            .map(SortKey::shown)
                            .toList());
            group.put("replication", g.getGroup().getReplication());
            ReplicaGroup its = Wire.group(g.getGroup());
            group.put("codec", its.codec().text());
            group.put("transforms", its.transforms().texts());
            group.put("segmentNodes", g.hasSegmentNodes() ? g.getSegmentNodes() : "all");
            group.put("files", g.getFiles());
            group.put("records", g.getRecords());
            group.put("bytes", g.getBytes());
            group.put("degradedFiles", g.getDegradedFiles());
            group.put("nodes", nodesJson(status, g.getGroup().getName()));
            groups.add(group);
        }
        json.put("groups", groups);
        json.put("unallocated", nodesJson(status, ""));
        return json;
    }

    /** The nodes of a group, or with the empty name those that have none, by host. */
    private static Stream<NodeProto> nodes(StatusResponseProto status, String group) {
        return status.getNodeList().stream()
                .filter(n -> n.getGroup().equals(group))
                .sorted(Comparator.comparing(NodeProto::getHost).thenComparing(NodeProto::getUuid));
    }

    private static List<Object> nodesJson(StatusResponseProto status, String group) {
        return nodes(status, group)
                .<Object>map(n -> {
                    Map<String, Object> node = new LinkedHashMap<>();
                    node.put("uuid", n.getUuid());
                    node.put("host", n.getHost());
                    node.put("rack", n.getRack());
                    node.put("alive", n.getAlive());
                    if (n.hasDrainingTo()) {
                        node.put("drainingTo", n.getDrainingTo());
                    }
                    return node;
                })
                .toList();
    }

    static void print(Output out, StatusResponseProto status) {
        StatusCommand.printState(out, status);
        Table table = new Table(
                "GROUP", "PREDICATES", "SORT", "COPIES", "CODEC", "WIDTH", "FILES", "RECORDS", "BYTES", "NODES");
        for (GroupStatusProto g : status.getGroupList()) {
            String name = g.getGroup().getName();
            table.row(
                    name + (name.equals(status.getDefaultGroup()) ? " (default)" : ""),
                    String.join(", ", g.getGroup().getPredicateList()),
                    SortKey.list(g.getGroup().getSortList().stream()
                            .map(SortKey::ofRecorded)
                            .toList()),
                    g.getGroup().getReplication(),
                    Wire.group(g.getGroup()).storedAs(),
                    g.hasSegmentNodes() ? g.getSegmentNodes() : "all",
                    g.getFiles(),
                    g.getRecords(),
                    g.getBytes(),
                    hosts(status, name));
        }
        out.table(table);
        String unallocated = hosts(status, "");
        if (!unallocated.isEmpty()) {
            out.line("Not allocated to a group: " + unallocated);
        }
    }

    /** A node's host, or where that is not known its uuid. */
    static String name(NodeProto node) {
        return node.getHost().isEmpty() ? node.getUuid() : node.getHost();
    }

    private static String hosts(StatusResponseProto status, String group) {
        return nodes(status, group)
                .map(n -> name(n) + " ("
                        + Stream.of(
                                        n.getRack(),
                                        n.getAlive() ? "" : "dead",
                                        n.hasDrainingTo() ? "leaves for " + n.getDrainingTo() : "")
                                .filter(text -> !text.isEmpty())
                                .collect(Collectors.joining(", "))
                        + ")")
                .collect(Collectors.joining(", "));
    }
}
