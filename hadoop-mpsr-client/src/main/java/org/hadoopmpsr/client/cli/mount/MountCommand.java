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
package org.hadoopmpsr.client.cli.mount;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.mount.Mounts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr mount}. */
@Command(
        name = "mount",
        description =
                "Mount a directory of HDFS, so that any program reads its files, and sees in extended attributes on which"
                        + " hosts they lie. Files of other replica groups are in .groups/GROUP of a dataset directory. See"
                        + " docs/mount.md.",
        mixinStandardHelpOptions = true)
public final class MountCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(index = "0", paramLabel = "HDFS-PATH", description = "A directory of HDFS, such as / or /cals.")
    private String path;

    @Parameters(index = "1", paramLabel = "MOUNTPOINT", description = "An empty directory of this host.")
    private Path mountPoint;

    @Option(
            names = "--write",
            description = "Let programs write: new files and at the end of files, in sequence. Default: read only.")
    private boolean write;

    @Option(
            names = "--allow-other",
            description = "Let other users of this host use the mount. To HDFS they are the user who mounts.")
    private boolean allowOther;

    @Option(names = "--foreground", description = "Stay until it is unmounted, and log on standard error.")
    private boolean foreground;

    @Option(names = "--threads", paramLabel = "N", description = "Threads that serve. Default: ${DEFAULT-VALUE}.")
    private int threads = 32;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "Where the mount logs in the background. Default: a file in Hadoop's directory for logs.")
    private @Nullable Path log;

    @Option(names = "--principal", paramLabel = "NAME", description = "The principal of --keytab.")
    private String principal = "";

    @Option(
            names = "--keytab",
            paramLabel = "FILE",
            description = "Log in with Kerberos by a keytab. Default: the user's tickets.")
    private String keytab = "";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (threads < 1) {
            throw new ParameterException(spec.commandLine(), "--threads " + threads + ": at least 1 must serve");
        }
        if (principal.isEmpty() != keytab.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--principal and --keytab belong together; give both");
        }
        Mounts.Options options = new Mounts.Options(
                connection.fileSystem(),
                connection.path(path),
                mountPoint,
                write,
                allowOther,
                threads,
                foreground,
                log,
                principal,
                keytab);
        return MountJar.load().mount(options, this::print);
    }

    private void print(Mounts.Mounted mounted) {
        Output out = Output.of(spec);
        if (connection.json()) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("source", mounted.source());
            json.put("mountPoint", mounted.mountPoint().toString());
            json.put("write", write);
            if (mounted.log() != null) {
                json.put("log", mounted.log().toString());
            }
            out.json(json);
        } else {
            out.line(mounted.source() + " is mounted at " + mounted.mountPoint()
                    + (write ? "" : ", read only")
                    + (mounted.log() == null ? "" : "; its log is " + mounted.log()));
        }
        out.flush();
    }
}
