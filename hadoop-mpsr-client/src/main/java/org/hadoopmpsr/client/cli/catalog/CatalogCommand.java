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
package org.hadoopmpsr.client.cli.catalog;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.hadoopmpsr.client.catalog.Gateway;
import org.hadoopmpsr.client.cli.common.Bytes;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code mpsr catalog}. */
@Command(
        name = "catalog",
        description =
                "Serve datasets as tables to clients of Iceberg's REST catalog (Spark, PyIceberg and others, without a jar of"
                        + " MPSR), which then read the cheapest replica group. Runs until it is ended. Keeps no state: run as many as you"
                        + " like behind any balancer. See docs/catalog.md.",
        mixinStandardHelpOptions = true)
public final class CatalogCommand implements Callable<Integer> {
    private static final String HTTP_POLICY = "dfs.http.policy";

    @Mixin
    private Connection connection;

    @Option(names = "--host", paramLabel = "HOST", description = "The address to listen at. Default: ${DEFAULT-VALUE}.")
    private String host = "0.0.0.0";

    @Option(names = "--port", paramLabel = "PORT", description = "The port to listen at. Default: ${DEFAULT-VALUE}.")
    private int port = 9190;

    @Option(
            names = "--page-files",
            paramLabel = "N",
            description = "The most files in one answer; a client asks for more itself. Default: ${DEFAULT-VALUE}.")
    private int pageFiles = 5_000;

    @Option(
            names = "--body",
            paramLabel = "BYTES",
            defaultValue = "4m",
            converter = Bytes.class,
            description = "The most bytes of a request. Default: ${DEFAULT-VALUE}.")
    private long bodyBytes;

    @Option(
            names = "--plans",
            paramLabel = "N",
            description = "The most scans that are planned at a time. Clients of further ones are told to ask again."
                    + " Default: ${DEFAULT-VALUE}.")
    private int plans = 16;

    @Option(
            names = "--plan-files",
            paramLabel = "N",
            description = "The most files of a scan. A scan of more is refused. Default: ${DEFAULT-VALUE}.")
    private int planFiles = 1_000_000;

    @Option(
            names = "--appends",
            paramLabel = "N",
            description =
                    "The most appends that are done at a time; each keeps records in memory. Clients of further ones are told"
                            + " to try again. Default: ${DEFAULT-VALUE}.")
    private int appends = 2;

    @Option(
            names = "--append-size",
            paramLabel = "BYTES",
            defaultValue = "4g",
            converter = Bytes.class,
            description =
                    "The most bytes of the files of an append. A larger append is refused. Default: ${DEFAULT-VALUE}.")
    private long appendBytes;

    @Option(
            names = "--tls",
            description =
                    "Serve over TLS alone, with the keys that ssl-server.xml names. Without this option the gateway does so"
                            + " where dfs.http.policy is HTTPS_ONLY.")
    private boolean tls;

    @Option(
            names = "--principal",
            paramLabel = "NAME",
            description =
                    "With Kerberos: the principal of the gateway, such as mpsr-catalog/_HOST@REALM, of which --keytab has the keys."
                            + " Default: who has the ticket that the command finds.")
    private @Nullable String principal;

    @Option(names = "--keytab", paramLabel = "FILE", description = "The file with the keys of --principal.")
    private @Nullable Path keytab;

    @Option(
            names = "--jars",
            paramLabel = "DIR",
            description = "The directory of the gateway's jars. Default: share/catalog of MPSR_HOME.")
    private @Nullable Path jars;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        boolean counts = pageFiles > 0 && plans > 0 && planFiles > 0 && appends > 0 && appendBytes > 0;
        if (!counts || port < 0 || port > 65_535 || bodyBytes < 1 || bodyBytes >= Integer.MAX_VALUE) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--port " + port + " --page-files " + pageFiles + " --body " + bodyBytes + " --plans " + plans
                            + " --plan-files " + planFiles + " --appends " + appends + " --append-size " + appendBytes
                            + ": a port is from 0 to 65535, the others are at least 1");
        }
        boolean onlyTls = tls
                || HttpConfig.Policy.HTTPS_ONLY
                        .name()
                        .equalsIgnoreCase(connection.conf().get(HTTP_POLICY));
        logIn();
        Gateway gateway = GatewayJars.load(GatewayJars.directory(jars, System.getenv("MPSR_HOME")));
        Gateway.Options options = new Gateway.Options(
                host, port, pageFiles, (int) bodyBytes, plans, planFiles, appends, appendBytes, onlyTls);
        gateway.serve(
                connection.conf(),
                connection.fileSystem(),
                options,
                uri -> Output.of(spec).line("the catalog of " + connection.fileSystem() + " is at " + uri));
        return 0;
    }

    private void logIn() throws IOException {
        if ((principal == null) != (keytab == null)) {
            throw new ParameterException(spec.commandLine(), "--principal and --keytab go together; give both or none");
        }
        if (principal != null && keytab != null) {
            UserGroupInformation.setConfiguration(connection.conf());
            String local = InetAddress.getLocalHost().getCanonicalHostName();
            UserGroupInformation.loginUserFromKeytab(
                    SecurityUtil.getServerPrincipal(principal, local), keytab.toString());
        }
    }
}
