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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.core.history.AsOf;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset tag}. */
@Command(
        name = "tag",
        description =
                "Give a state of a dataset a name, by which the Spark option mpsr.as-of reads it. What the state has is kept"
                        + " until the tag is deleted, or the replaced files of the dataset are purged. Needs the dataset's owner or a"
                        + " superuser.",
        mixinStandardHelpOptions = true)
public final class TagCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(index = "0", paramLabel = "PATH", description = "The dataset's directory.")
    private String path = "";

    @Parameters(
            index = "1",
            paramLabel = "NAME",
            description = "Up to 64 letters, digits, '_', '.' and '-'; a letter comes first.")
    private String name = "";

    private static final class Wanted {
        @Option(
                names = "--at",
                paramLabel = "STATE",
                description = "Which state: the number of a change, a day such as 2026-11-24 (0:00 UTC), a time such as"
                        + " 2026-11-24T06:00:00Z, or another tag. Default: the present state.")
        private @Nullable String at;

        @Option(names = "--delete", description = "Delete the tag.")
        private boolean delete;
    }

    @ArgGroup
    private @Nullable Wanted wanted;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        AsOf.checkTag(name);
        String at = wanted == null ? null : wanted.at;
        if (at != null) {
            AsOf.parse(at);
        }
        Output out = Output.of(spec);
        try (MpsrClient client = connection.client()) {
            Dataset dataset = client.getDataset(connection.path(path));
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("path", dataset.path());
            json.put("tag", name);
            String done;
            if (wanted != null && wanted.delete) {
                client.deleteTag(dataset.path(), dataset.id(), name);
                done = "tag " + name + " is deleted";
            } else {
                long sequence = client.tag(dataset.path(), dataset.id(), name, at);
                json.put("sequence", sequence);
                done = "tag " + name + " is the state after change " + sequence;
            }
            if (connection.json()) {
                out.json(json);
            } else {
                out.line(dataset.path() + ": " + done);
            }
        }
        return 0;
    }
}
