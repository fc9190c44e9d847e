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
package org.hadoopmpsr.blockmanager;

import java.io.IOException;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Timer;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.jspecify.annotations.Nullable;

/** The allocation of nodes, fetched from the NameNode at most once a minute. Thread-safe. */
final class RemoteAllocation {
    private static final long MAX_AGE_NS = TimeUnit.MINUTES.toNanos(1);

    private final Configuration conf;
    private final Timer clock;
    private @Nullable Map<String, String> groups;
    private long fetchedAtNs;

    RemoteAllocation(Configuration conf, Timer clock) {
        this.conf = conf;
        this.clock = clock;
    }

    /**
     * The replica group by DataNode uuid; empty if no replica groups are configured.
     *
     * @throws IllegalStateException if the allocation cannot be fetched; without it, moves of blocks could break the
     *     placement
     */
    synchronized Map<String, String> get() {
        if (conf.getTrimmed(ConfigKeys.GROUPS.name(), "").isEmpty()) {
            return Map.of();
        }
        if (groups == null || clock.monotonicNowNanos() - fetchedAtNs > MAX_AGE_NS) {
            groups = fetch();
            fetchedAtNs = clock.monotonicNowNanos();
        }
        return groups;
    }

    private Map<String, String> fetch() {
        try {
            for (AllocationSource source : ServiceLoader.load(AllocationSource.class)) {
                return source.fetch(conf);
            }
        } catch (IOException e) {
            throw new IllegalStateException(problem("the NameNode did not tell it: " + e.getMessage()), e);
        }
        throw new IllegalStateException(
                problem("hadoop-mpsr-namenode and hadoop-mpsr-client are not on this process's class path"));
    }

    private static String problem(String cause) {
        return ConfigKeys.GROUPS.name() + " is set, but which DataNode belongs to which replica group is unknown: "
                + cause + "; no block is moved until this is repaired";
    }
}
