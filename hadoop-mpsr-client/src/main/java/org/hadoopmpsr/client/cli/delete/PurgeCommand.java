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
package org.hadoopmpsr.client.cli.delete;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.delete.RemainingCopies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset purge}. */
@Command(
        name = "purge",
        description =
                "Delete the replaced files of a dataset at once, which are kept for dfs.mpsr.drop.delay.seconds otherwise,"
                        + " and name the snapshots and the trash that still have files. Readers that planned or listed"
                        + " before the files were replaced fail then. Needs the dataset's owner or a superuser.",
        mixinStandardHelpOptions = true)
public final class PurgeCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The dataset's directory.")
    private String path = "";

    @Option(names = "--dry-run", description = "Only say what there is.")
    private boolean dryRun;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Output out = Output.of(spec);
        try (MpsrClient client = connection.client();
                FileSystem fs = FileSystem.newInstance(connection.fileSystem(), connection.conf())) {
            Dataset dataset = client.getDataset(connection.path(path));
            Dataset.Purged purged = dryRun ? null : client.purgeReplaced(dataset.path(), dataset.id());
            RemainingCopies left = RemainingCopies.of(fs, connection.conf(), client.getDataset(dataset.path()));
            if (connection.json()) {
                Map<String, Object> json = new LinkedHashMap<>();
                json.put("path", dataset.path());
                if (purged != null) {
                    json.put("files", purged.files());
                    json.put("bytes", purged.bytes());
                    json.put("staged", purged.staged());
                }
                json.put("left", left.json());
                out.json(json);
            } else {
                out.line(dataset.path() + ": "
                        + (purged == null ? "nothing is deleted" : RemainingCopies.purged(purged)));
                left.lines().forEach(out::line);
            }
        }
        return 0;
    }
}
