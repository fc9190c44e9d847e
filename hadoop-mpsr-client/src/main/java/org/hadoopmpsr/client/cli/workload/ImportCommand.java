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

import java.util.List;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.workload.AuditLogImport;
import org.hadoopmpsr.client.workload.ImportedWorkload;
import org.hadoopmpsr.client.workload.SparkLogImport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mpsr workload import}. */
@Command(
        name = "import",
        description =
                "Show what was asked of directories, from logs of a cluster that may run without MPSR: event logs of Spark, and"
                        + " audit logs of HDFS. With --json, what is printed can be given to 'hdfs mpsr advise --from'. The"
                        + " logs are read where the command runs, and no value of a query is kept.",
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Option(
            names = "--spark",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Event logs of Spark (spark.eventLog.enabled), or directories with them: local paths. Those that end with"
                            + " .gz are unpacked; other codecs are not read (spark.eventLog.compress=false writes plain ones).")
    private List<String> spark = List.of();

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Audit logs of HDFS, or directories with them: local paths. They tell which partitions were opened, and by"
                            + " opens of one user that follow each other within a minute what belongs together.")
    private List<String> audit = List.of();

    @Option(
            names = "--below",
            paramLabel = "PATH",
            description = "Only directories at or below this one. Default: ${DEFAULT-VALUE}.",
            defaultValue = "/")
    private String below;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (spark.isEmpty() && audit.isEmpty()) {
            throw new IllegalArgumentException("no log is named; give --spark FILE or --audit FILE");
        }
        ImportedWorkload workload = new ImportedWorkload(below);
        if (!spark.isEmpty()) {
            SparkLogImport.read(spark, workload);
        }
        if (!audit.isEmpty()) {
            AuditLogImport.read(audit, workload);
        }
        Output.ofErrors(spec).line(workload.summary());
        WorkloadCommand.show(workload.report(), connection.json(), Output.of(spec));
        return 0;
    }
}
