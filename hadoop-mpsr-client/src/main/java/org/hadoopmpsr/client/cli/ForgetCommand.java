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

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr groups forget}. */
@Command(
        name = "forget",
        description = "Remove the records of DataNodes that will not come back. None of them may be alive. A node that"
                + " comes back nevertheless counts as new, and its storage must be empty. Only for superusers.",
        mixinStandardHelpOptions = true)
final class ForgetCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "UUID", arity = "1..*", description = "The DataNodes' UUIDs, as groups --json shows them.")
    private List<String> uuids;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        List<NodeProto> nodes;
        try (MpsrClient client = connection.client()) {
            nodes = client.forgetNodes(uuids);
        }
        Output out = Output.of(spec);
        if (connection.json()) {
            out.json(Map.of("forgotten", nodes.stream().map(NodeProto::getUuid).toList()));
        } else {
            nodes.forEach(n ->
                    out.line(GroupsCommand.name(n) + " no longer belongs to replica group '" + n.getGroup() + "'"));
            if (nodes.isEmpty()) {
                out.line("None of these nodes has a record.");
            }
        }
        return 0;
    }
}
