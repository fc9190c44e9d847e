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

import java.io.PrintWriter;
import org.hadoopmpsr.client.cli.advise.AdviseCommand;
import org.hadoopmpsr.client.cli.catalog.CatalogCommand;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.compact.CompactCommand;
import org.hadoopmpsr.client.cli.io.IoCommand;
import org.hadoopmpsr.client.cli.maintain.MaintainCommand;
import org.hadoopmpsr.client.cli.mount.MountCommand;
import org.hadoopmpsr.client.cli.mount.UnmountCommand;
import org.hadoopmpsr.client.cli.query.QueryCommand;
import org.hadoopmpsr.client.cli.rebuild.RebuildCommand;
import org.hadoopmpsr.client.cli.repair.RepairCommand;
import org.hadoopmpsr.client.cli.survey.SurveyCommand;
import org.hadoopmpsr.client.cli.tune.TuneCommand;
import org.hadoopmpsr.client.cli.verify.VerifyCommand;
import org.hadoopmpsr.client.cli.workload.WorkloadCommand;
import org.hadoopmpsr.core.text.PrintableText;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** The entry point of {@code hdfs mpsr}. */
@Command(
        name = "mpsr",
        description = "HDFS replicas that are each partitioned differently: datasets, replica groups, state.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DatasetCommand.class,
            GroupsCommand.class,
            StatusCommand.class,
            WorkloadCommand.class,
            AdviseCommand.class,
            AssignCommand.class,
            CompactCommand.class,
            RebuildCommand.class,
            RepairCommand.class,
            VerifyCommand.class,
            QueryCommand.class,
            SurveyCommand.class,
            IoCommand.class,
            TuneCommand.class,
            MaintainCommand.class,
            CalibrateCommand.class,
            CatalogCommand.class,
            MountCommand.class,
            UnmountCommand.class,
            CommandLine.HelpCommand.class
        })
public final class MpsrCommand {

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = MpsrCommand.class.getPackage().getImplementationVersion();
            return new String[] {"hadoop-mpsr " + (version == null ? "(not packaged)" : version)};
        }
    }

    private MpsrCommand() {}

    /** Exit code 0: done; 1: it failed or found something wrong; 2: the command line cannot be read. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false);
        int code = commandLine().setOut(out).execute(args);
        out.flush();
        System.exit(code);
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new MpsrCommand());
        showVersionEverywhere(commandLine);
        IParameterExceptionHandler stock = commandLine.getParameterExceptionHandler();
        commandLine.setParameterExceptionHandler((e, args) -> stock.handleParseException(printable(e), args));
        return commandLine.setExecutionExceptionHandler((e, cmd, parsed) -> {
            new Output(cmd.getErr()).message(Messages.of(e));
            return 1;
        });
    }

    /** Arguments may hold names that a script passes on. */
    private static ParameterException printable(ParameterException e) {
        String message = String.valueOf(e.getMessage());
        return PrintableText.isPlain(message)
                ? e
                : new ParameterException(e.getCommandLine(), PrintableText.of(message));
    }

    private static void showVersionEverywhere(CommandLine commandLine) {
        commandLine.getCommandSpec().versionProvider(new Version());
        commandLine.getSubcommands().values().forEach(MpsrCommand::showVersionEverywhere);
    }
}
