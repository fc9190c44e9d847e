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
package org.hadoopmpsr.namenode.nodes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.namenode.store.Listeners;
import org.slf4j.Logger;

/** The state of MPSR, with the reasons if it does not work. Thread-safe. */
public final class Readiness {
    private static final Logger LOG = PrintableLog.of(Readiness.class);

    /** The states, named as status and metrics show them. */
    public enum State {
        READY,
        /** There are too few DataNodes for the groups. MPSR becomes ready when there are enough. */
        NOT_READY,
        /** The NameNode's configuration, or what is in force of it, keeps it from working. */
        OFF;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param problems the reasons why MPSR is not ready; empty if it is ready, or if no groups are configured */
    public record Status(State state, List<ConfigProblem> problems) {
        /** The reason why representations cannot be written, for users. */
        public String message() {
            if (problems.isEmpty()) {
                return "MPSR is off: no replica groups are configured (" + ConfigKeys.GROUPS.name()
                        + " in the NameNode's hdfs-site.xml)";
            }
            return problems.stream()
                    .map(ConfigProblem::message)
                    .collect(Collectors.joining(
                            "\n  - ",
                            "MPSR is " + (state == State.OFF ? "off" : "not ready") + ": " + problems.size()
                                    + " problem(s)\n  - ",
                            ""));
        }
    }

    private final MpsrConfig config;
    private final Allocation allocation;
    private final Supplier<List<ConfigProblem>> hostProblems;
    private final List<ConfigProblem> fatal = new ArrayList<>();
    private final Listeners listeners = new Listeners();
    /** What the host lacked when it was asked last. */
    private volatile List<ConfigProblem> host = List.of();

    private volatile Status status = new Status(State.NOT_READY, List.of());

    /** @param hostProblems what the NameNode lacks for MPSR at the moment; asked often */
    public Readiness(MpsrConfig config, Allocation allocation, Supplier<List<ConfigProblem>> hostProblems) {
        this.config = config;
        this.allocation = allocation;
        this.hostProblems = hostProblems;
        fatal.addAll(config.problems());
        refresh();
    }

    public Status status() {
        return status;
    }

    public boolean isReady() {
        checkHost();
        return status.state() == State.READY;
    }

    /** What is in force can be changed at any time, and nobody tells. */
    private void checkHost() {
        if (!askHost().equals(host)) {
            refresh();
        }
    }

    private List<ConfigProblem> askHost() {
        return config.groups().isPresent() ? hostProblems.get() : List.of();
    }

    /** Adds a problem that keeps MPSR off until it is cleared. */
    public synchronized void fail(ConfigProblem problem) {
        fatal.add(problem);
        refresh();
    }

    /** Removes a problem that {@link #fail} added. */
    public synchronized void clear(ConfigProblem problem) {
        fatal.remove(problem);
        refresh();
    }

    /** The listeners that are called whenever the status changed. */
    public Listeners listeners() {
        return listeners;
    }

    /** Computes the state again from the present DataNodes. */
    public synchronized void refresh() {
        host = askHost();
        List<ConfigProblem> problems = new ArrayList<>(fatal);
        problems.addAll(host);
        problems.addAll(AllocationProblems.of(allocation, config.declared()));
        State state = State.OFF;
        if (fatal.isEmpty() && host.isEmpty() && config.groups().isPresent()) {
            state = problems.isEmpty() ? State.READY : State.NOT_READY;
        }
        Status next = new Status(state, List.copyOf(problems));
        if (!next.equals(status)) {
            status = next;
            if (state == State.READY) {
                LOG.info("MPSR is ready");
            } else if (state == State.OFF && !problems.isEmpty()) {
                LOG.error("{}", next.message());
            } else {
                LOG.warn("{}", next.message());
            }
            listeners.tell();
        }
    }

    /**
     * The groups, if MPSR is ready.
     *
     * @throws IOException with all problems if MPSR is not ready
     */
    public ReplicaGroups require() throws IOException {
        checkHost();
        Status now = status;
        if (now.state() != State.READY) {
            throw new IOException(now.message());
        }
        return config.groups().orElseThrow();
    }
}
