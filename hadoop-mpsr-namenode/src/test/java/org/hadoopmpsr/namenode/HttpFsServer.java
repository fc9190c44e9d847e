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
package org.hadoopmpsr.namenode;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** An HttpFS server, which is a process of its own. It knows nothing of MPSR. */
final class HttpFsServer implements AutoCloseable {
    private final int port;
    private final Path log;
    private final Process process;

    /** Starts it in an empty directory, as a gateway to a file system, and waits until it answers. */
    HttpFsServer(Path dir, URI fileSystem) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path conf = Files.createDirectories(dir.resolve("conf"));
        Files.createDirectories(dir.resolve("log"));
        Files.createDirectories(dir.resolve("temp"));
        Configuration core = new Configuration(false);
        core.set("fs.defaultFS", fileSystem.toString());
        write(core, conf.resolve("core-site.xml"));
        write(new Configuration(false), conf.resolve("hdfs-site.xml"));
        Configuration site = new Configuration(false);
        site.set("httpfs.http.hostname", "localhost");
        site.setInt("httpfs.http.port", port);
        site.set("httpfs.hadoop.config.dir", conf.toString());
        write(site, conf.resolve("httpfs-site.xml"));
        Files.writeString(conf.resolve("httpfs-signature.secret"), "secret");
        log = dir.resolve("httpfs.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dhttpfs.home.dir=" + dir,
                "-cp",
                conf + System.getProperty("path.separator") + System.getProperty("java.class.path")));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-opens")) // Java 17 asks for them
                .forEach(command::add);
        command.add("org.apache.hadoop.fs.http.server.HttpFSServerWebServer");
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await().atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(50))
                    .until(this::answers);
        } catch (RuntimeException e) {
            close();
            throw new IOException("HttpFS does not answer: " + Files.readString(log), e);
        }
    }

    private static void write(Configuration conf, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            conf.writeXml(out);
        }
    }

    private boolean answers() throws IOException {
        if (!process.isAlive() || Files.readString(log).contains("Exception in thread \"main\"")) {
            throw new IllegalStateException("HttpFS has ended");
        }
        try {
            URI home = URI.create("http://" + address() + "/webhdfs/v1/?op=GETHOMEDIRECTORY&user.name=anybody");
            return ((HttpURLConnection) home.toURL().openConnection()).getResponseCode() == 200;
        } catch (java.net.ConnectException e) {
            return false;
        }
    }

    /** Host and port. */
    String address() {
        return "localhost:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
