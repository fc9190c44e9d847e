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
package org.hadoopmpsr.client.cli.workload;

import java.util.concurrent.Callable;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.workload.WorkloadJson;
import org.hadoopmpsr.client.workload.WorkloadReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr workload}. */
@Command(
        name = "workload",
        description =
                "Show what was asked of datasets since the NameNode started: classes of queries, how many of all queries each has,"
                        + " which group was chosen, and what was read less than in the default group. No values are kept, unless"
                        + " dfs.mpsr.workload.literals says so.",
        subcommands = ImportCommand.class,
        mixinStandardHelpOptions = true)
public final class WorkloadCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(
            arity = "0..1",
            paramLabel = "DATASET",
            description = "The dataset's directory. Default: all datasets all of which the user may read.")
    private @Nullable String path;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        try (MpsrClient client = connection.client()) {
            show(client.workload(path == null ? null : connection.path(path)), connection.json(), Output.of(spec));
        }
        return 0;
    }

    static void show(WorkloadReport report, boolean json, Output out) {
        if (json) {
            out.json(WorkloadJson.of(report));
        } else {
            WorkloadView.print(report, out);
        }
    }
}
