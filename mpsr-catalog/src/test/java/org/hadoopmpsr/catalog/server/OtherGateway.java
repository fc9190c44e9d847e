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
package org.hadoopmpsr.catalog.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.Awaitility;
import org.hadoopmpsr.testing.MiniCluster;

/** A gateway of a cluster that runs, as a process of its own. */
final class OtherGateway implements AutoCloseable {
    private static final int SECONDS = 60;

    private final Process process;
    private final Path address = MiniCluster.directory("gateway").resolve("address");

    /**
     * Starts one.
     *
     * @param options of the JVM
     */
    OtherGateway(RunningGateway of, int pageFiles, int plans, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.net.preferIPv4Stack=true");
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OtherGateway.class.getName()));
        command.add(of.dfs().getURI().toString());
        command.add(address.toString());
        command.addAll(List.of(Integer.toString(pageFiles), Integer.toString(plans)));
        process = new ProcessBuilder(command).inheritIO().start();
    }

    /** Arguments: the URI of the file system, a file that gets the URI of the gateway, files of a page, plans at a time. */
    public static void main(String[] arguments) throws Exception {
        Configuration conf = MiniCluster.stock();
        int pageFiles = Integer.parseInt(arguments[2]);
        int plans = Integer.parseInt(arguments[3]);
        try (CatalogServer server =
                CatalogServer.start(conf, URI.create(arguments[0]), RunningGateway.options(pageFiles, plans))) {
            Files.writeString(Path.of(arguments[1]), server.uri() + "\n");
            server.join();
        }
    }

    /** Waits until it listens. */
    URI uri() {
        return Awaitility.await()
                .atMost(SECONDS, TimeUnit.SECONDS)
                .until(() -> Files.exists(address) ? Files.readString(address) : "", text -> text.endsWith("\n"))
                .lines()
                .map(URI::create)
                .toList()
                .get(0);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it, as a power cut would. */
    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
