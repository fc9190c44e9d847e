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
package org.hadoopmpsr.client.maintain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A program that does the work of a run. */
final class JobProcess {
    private static final long GRACE_S = 10;
    private static final long LOOK_S = 30;

    private JobProcess() {}

    /** What is done now and then while a program runs. */
    interface Look {
        void run() throws IOException;
    }

    /**
     * Runs a program until it ends. If the thread is interrupted, the program is asked to end, and killed some seconds later.
     *
     * @param lines is given each line that it prints, on another thread
     * @param look is called every half minute on this thread; what fails is left
     * @return its exit code
     * @throws IOException if it cannot be started
     * @throws InterruptedException if the thread was interrupted; the program has ended then
     */
    static int run(List<String> command, Consumer<String> lines, Look look) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        Thread reader = new Thread(() -> read(process, lines), "mpsr-job-output");
        reader.setDaemon(true);
        reader.start();
        try {
            while (!process.waitFor(LOOK_S, TimeUnit.SECONDS)) {
                look(look);
            }
            int code = process.exitValue();
            reader.join(TimeUnit.SECONDS.toMillis(GRACE_S)); // a grandchild may hold the pipe
            return code;
        } catch (InterruptedException e) {
            end(process);
            throw e;
        }
    }

    private static void look(Look look) throws InterruptedException {
        try {
            look.run();
        } catch (InterruptedIOException e) {
            throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
        } catch (IOException e) { // the next one may have more luck
            return;
        }
    }

    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        children.forEach(ProcessHandle::destroy);
        if (!process.waitFor(GRACE_S, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }

    private static void read(Process process, Consumer<String> lines) {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            out.lines().forEach(lines);
        } catch (IOException | UncheckedIOException e) {
            lines.accept("its output cannot be read: " + e.getMessage());
        }
    }
}
