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
package org.hadoopmpsr.hadooptests;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Lines of words separated by tabs, each written out at once so that nothing is lost when the process is killed:
 *
 * <pre>
 * plan   test
 * start  test
 * finish test passed|failed|skipped milliseconds [first line of the message]
 * broken class message             a failure outside of tests, such as in the set-up of the class
 * end    counts
 * </pre>
 *
 * Stack traces go to standard error.
 */
final class Events implements TestExecutionListener, Closeable {
    private static final int MAX_MESSAGE = 400;

    private final Writer out;
    private final Map<String, Long> startedNs = new ConcurrentHashMap<>();

    Events(Writer out) {
        this.out = out;
    }

    synchronized void write(String... words) {
        try {
            String[] plain = new String[words.length];
            for (int i = 0; i < words.length; i++) {
                plain[i] = words[i].replaceAll("\\s+", " ").trim();
            }
            out.write(String.join("\t", plain) + "\n");
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write what became of the tests", e);
        }
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        plan.getRoots()
                .forEach(root -> plan.getDescendants(root).stream()
                        .filter(TestIdentifier::isTest)
                        .forEach(test -> write("plan", name(test))));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            startedNs.put(test.getUniqueId(), System.nanoTime());
            write("start", name(test));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (test.isTest()) {
            write("finish", name(test), "skipped", "0", reason);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String message = result.getThrowable().map(Events::message).orElse("");
        result.getThrowable().ifPresent(t -> {
            System.err.println("== " + name(test) + " ==");
            t.printStackTrace();
        });
        if (test.isTest()) {
            Long startNs = startedNs.get(test.getUniqueId());
            long ms = startNs == null ? 0 : (System.nanoTime() - startNs) / 1_000_000;
            write("finish", name(test), status(result), Long.toString(ms), message);
        } else if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            write("broken", name(test), message);
        }
    }

    private static String status(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> "passed";
            case ABORTED -> "skipped"; // an assumption does not hold
            case FAILED -> "failed";
        };
    }

    private static String name(TestIdentifier test) {
        return RunTests.plain(test.getDisplayName());
    }

    private static String message(Throwable problem) {
        String text = problem.getClass().getSimpleName() + ": " + Objects.toString(problem.getMessage(), "");
        return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + "…";
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
