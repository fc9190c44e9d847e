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
package org.hadoopmpsr.client.cli.history;

import java.util.concurrent.Callable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.history.History;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset history}. */
@Command(
        name = "history",
        description =
                "Show the changes of a dataset, which of the states that they left can be read with the Spark option"
                        + " mpsr.as-of, and the tags. With --keep, say for how long such states can be read.",
        mixinStandardHelpOptions = true)
public final class HistoryCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The dataset's directory.")
    private String path = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Show about the last N changes. Default: ${DEFAULT-VALUE}.",
            defaultValue = "100")
    private int limit;

    @Option(
            names = "--keep",
            paramLabel = "TIME",
            description =
                    "Keep replaced files for this time after their change, such as 12h or 30d, or for as long as the"
                            + " NameNode's configuration says: default. They are kept for at least dfs.mpsr.drop.delay.seconds."
                            + " Needs the dataset's owner or a superuser.")
    private @Nullable String keep;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Long seconds = keep == null ? null : (Long) HistoryView.seconds(keep);
        Output out = Output.of(spec);
        try (MpsrClient client = connection.client()) {
            Dataset dataset = client.getDataset(connection.path(path));
            if (seconds != null) {
                client.keepHistory(dataset.path(), dataset.id(), seconds);
            }
            History history = client.history(dataset.path(), Math.max(1, limit));
            if (connection.json()) {
                out.json(HistoryView.json(dataset.path(), history));
            } else {
                HistoryView.lines(dataset.path(), history).forEach(out::line);
            }
        }
        return 0;
    }
}
