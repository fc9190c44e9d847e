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
package org.hadoopmpsr.mount.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The process of a mount, as the process that starts it sees it. It ends with this process until it is left to itself. */
final class StartedServer {
    private final Process process;
    private final Thread ender;

    private StartedServer(Process process, Thread ender) {
        this.process = process;
        this.ender = ender;
    }

    /**
     * Starts the process, and waits until programs can use the mount.
     *
     * @param log where it logs; null for the standard error of this process
     * @throws IOException with the reason if it cannot mount
     */
    static StartedServer start(ProcessBuilder builder, MountArguments arguments, @Nullable Path log)
            throws IOException, InterruptedException {
        Process process = builder.start();
        Thread ender = new Thread(() -> end(process), "mpsr-mount-end");
        Runtime.getRuntime().addShutdownHook(ender);
        StartedServer server = new StartedServer(process, ender);
        String reason = server.awaitMounted();
        if (reason != null) {
            int code = server.process.waitFor();
            server.leave();
            throw new IOException("cannot mount " + arguments.source() + " at " + arguments.directory() + ": "
                    + (reason.isEmpty() ? "the process ended with code " + code + lastWords(log) : reason));
        }
        return server;
    }

    /** Null when it is mounted; otherwise the reason why not, empty if the process says none. */
    private @Nullable String awaitMounted() throws IOException {
        String reason = "";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (MountReport.isMounted(line)) {
                    return null;
                }
                reason = MountReport.failure(line).orElse(reason);
            }
        }
        return reason;
    }

    private static String lastWords(@Nullable Path log) throws IOException {
        if (log == null) {
            return "";
        }
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            String last = lines.reduce("", (before, line) -> line.isBlank() ? before : line);
            return last.isEmpty() ? "" : "; last it said: " + last;
        } catch (UncheckedIOException e) {
            return "; its log is " + log;
        }
    }

    /** Waits until it is unmounted, and returns the code of the process. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Leaves the process to itself. */
    int leave() {
        Runtime.getRuntime().removeShutdownHook(ender);
        return 0;
    }

    /** Ends the process, and waits until it has unmounted. */
    private static void end(Process process) {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
