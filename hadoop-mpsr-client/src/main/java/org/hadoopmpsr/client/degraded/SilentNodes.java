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
package org.hadoopmpsr.client.degraded;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/**
 * The DataNodes that did not answer this process in the last minute, as HDFS names them, with their ports. Safe for use by
 * several threads.
 */
public final class SilentNodes {
    private static final Logger LOG = PrintableLog.of(SilentNodes.class);
    private static final RecentNames NAMES = new RecentNames();

    private SilentNodes() {}

    /**
     * Whether a file has a block that only silent DataNodes hold.
     *
     * @param blocks tells the DataNodes of each block; not asked while no DataNode is silent
     */
    static boolean holdBlockOf(Supplier<List<Set<String>>> blocks) {
        return !NAMES.isEmpty() && blocks.get().stream().anyMatch(NAMES::containsAll);
    }

    /**
     * Notes the DataNodes of a file that gave nothing for the timeout, and then failed: each of their files would. Nothing is
     * noted if it took less time, or if blocks lie on different DataNodes.
     *
     * @param blocks tells the DataNodes of each block; not asked if it took less time
     * @param sinceNs when the file was asked, as of {@link System#nanoTime}
     */
    static void note(Supplier<List<Set<String>>> blocks, long sinceNs, int timeoutMs) {
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs);
        if (tookMs < timeoutMs) {
            return;
        }
        List<Set<String>> nodes = blocks.get().stream().distinct().toList();
        if (nodes.size() == 1) {
            Set<String> silent = nodes.get(0).stream().filter(NAMES::add).collect(Collectors.toSet());
            if (!silent.isEmpty()) {
                LOG.warn(
                        "{} did not answer for {} ms; for a minute, files that lie there come from other groups",
                        String.join(", ", silent),
                        tookMs);
            }
        }
    }

    /** What this process knows now, for other processes: until when, in milliseconds since the epoch. */
    public static Map<String, Long> known() {
        Map<String, Long> known = new HashMap<>();
        long now = System.currentTimeMillis();
        NAMES.leftMs().forEach((name, left) -> known.put(name, now + left));
        return known;
    }

    /** What another process knew. Nothing is remembered for more than a minute from now, whatever its clock says. */
    public static void learn(Map<String, Long> known) {
        long now = System.currentTimeMillis();
        known.forEach((name, until) -> NAMES.add(name, until - now));
    }
}
