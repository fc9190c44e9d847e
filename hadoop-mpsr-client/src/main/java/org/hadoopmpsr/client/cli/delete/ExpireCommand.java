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
import org.hadoopmpsr.client.compact.BeforeTime;
import org.hadoopmpsr.core.schema.ColumnName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset expire}. */
@Command(
        name = "expire",
        description =
                "Delete the records that are older than a time, from all replica groups. Segments that are older as a whole"
                        + " go without being read; segments with older and newer records are written anew. Runs a Spark job, as"
                        + " dataset delete does. It may take several changes, with the oldest segments first: each is in all"
                        + " groups or in none. --execute needs the dataset's owner or a superuser.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done, or nothing to delete", "1:it failed; certificates tell what was deleted before"})
public final class ExpireCommand implements Callable<Integer> {
    @Mixin
    private DeletedRecords records;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            description = "Records with an earlier time go: a day such as 2026-11-24 (0:00 UTC), a time such as"
                    + " 2026-11-24T06:00:00Z, or an age such as 12h or 365d.")
    private @Nullable String before;

    @Option(
            names = "--column",
            paramLabel = "COLUMN",
            description =
                    "The column with the records' times, of type timestamp, timestamp_ntz (taken as UTC), timestamp_ns or"
                            + " date. Default: the only one. Records where it is null stay.")
    private @Nullable String column;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        records.require(spec, before, "--before=TIME");
        Long beforeMs = before == null ? null : (Long) BeforeTime.parse(before, System.currentTimeMillis());
        String named = column == null ? null : ColumnName.parse(column);
        return records.run(Output.of(spec), null, beforeMs, named, true);
    }
}
