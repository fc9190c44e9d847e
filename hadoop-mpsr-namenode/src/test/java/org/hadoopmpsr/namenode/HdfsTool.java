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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy;

/** A tool of HDFS that runs as its own process, with a configuration of its own. */
final class HdfsTool implements AutoCloseable {
    private static final String KRB5 = "java.security.krb5.conf";

    private final Process process;
    private final Path log;

    /** Starts a main class; its configuration and its log go to {@code dir}. */
    HdfsTool(Path dir, Configuration conf, String main, String... args) throws IOException {
        Files.createDirectories(dir);
        try (OutputStream out = Files.newOutputStream(dir.resolve("hdfs-site.xml"))) {
            conf.writeXml(out);
        }
        log = dir.resolve("tool.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-D" + KRB5 + "="
                        + System.getProperty(KRB5, ""), // of the Kerberos server of this test, if there is one
                "-cp",
                dir + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(args));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** The configuration of somebody who knows nothing of MPSR. */
    static Configuration withoutMpsr(Configuration conf) {
        Configuration stock = new Configuration(conf);
        conf.forEach(entry -> {
            if (entry.getKey().startsWith("dfs.mpsr.")
                    || entry.getValue().equals(MpsrBlockPlacementPolicy.class.getName())) {
                stock.unset(entry.getKey());
            }
        });
        return stock;
    }

    /** Waits for its end; returns what it said. */
    String finish() throws IOException, InterruptedException {
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("the tool ends: " + said()).isTrue();
        return said();
    }

    String said() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
