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

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Names that are remembered for a minute. Safe for use by several threads. */
final class RecentNames {
    /** The planned files that tasks of this process could not read lately, by their paths. */
    static final RecentNames BAD_FILES = new RecentNames();

    private static final long REMEMBERED_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int MOST = 10_000;

    private final Map<String, Long> until = new ConcurrentHashMap<>();

    RecentNames() {}

    /** False if the name is remembered already. */
    boolean add(String name) {
        return addFor(name, REMEMBERED_NS);
    }

    /** Remembers a name for at most so many milliseconds; not at all if they are none. */
    void add(String name, long ms) {
        if (ms > 0 && !contains(name)) {
            addFor(name, Math.min(TimeUnit.MILLISECONDS.toNanos(ms), REMEMBERED_NS));
        }
    }

    private boolean addFor(String name, long ns) {
        long now = System.nanoTime();
        if (until.size() >= MOST) {
            until.values().removeIf(end -> end - now < 0);
        }
        if (until.size() >= MOST) {
            return !until.containsKey(name);
        }
        Long before = until.put(name, now + ns);
        return before == null || before - now < 0;
    }

    boolean isEmpty() {
        if (!until.isEmpty()) {
            long now = System.nanoTime();
            until.values().removeIf(end -> end - now < 0);
        }
        return until.isEmpty();
    }

    /** The names, and for how many more milliseconds they are remembered. */
    Map<String, Long> leftMs() {
        long now = System.nanoTime();
        Map<String, Long> left = new HashMap<>();
        until.forEach((name, end) -> {
            if (end - now > 0) {
                left.put(name, TimeUnit.NANOSECONDS.toMillis(end - now));
            }
        });
        return left;
    }

    /** True if there are names, and all of them are remembered. */
    boolean containsAll(Collection<String> names) {
        return !names.isEmpty() && names.stream().allMatch(this::contains);
    }

    boolean contains(String name) {
        Long known = until.get(name);
        return known != null && known - System.nanoTime() > 0;
    }
}
