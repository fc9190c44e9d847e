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

import java.util.concurrent.Callable;
import org.hadoopmpsr.client.cli.common.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset delete}. */
@Command(
        name = "delete",
        description =
                "Delete the records for which a condition is true, from all replica groups at once. Runs a Spark job, with"
                        + " the Spark of SPARK_HOME or PATH. Queries and commits go on meanwhile; records that are committed"
                        + " while the job runs stay. --execute needs the dataset's owner or a superuser.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done, or nothing to delete", "1:it failed; certificates tell what was deleted before"})
public final class DeleteCommand implements Callable<Integer> {
    @Mixin
    private DeletedRecords records;

    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description =
                    "A condition on the dataset's columns in Spark's SQL, such as \"signal = 'X'\". A record stays if"
                            + " the condition is false or null for it. No subqueries, and no functions such as rand().")
    private @Nullable String where;

    @Option(
            names = "--in-parts",
            description = "Allow several changes where one would have too many files: each is in all groups or in none,"
                    + " but readers may see some of them and not yet others. Default: one change, or a refusal.")
    private boolean inParts;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        records.require(spec, where, "--where=CONDITION");
        return records.run(Output.of(spec), where, null, null, inParts);
    }
}
