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
package org.hadoopmpsr.namenode.staging;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.ipc.RetriableException;
import org.hadoopmpsr.core.config.ConfigKey;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.jspecify.annotations.Nullable;

/**
 * The commits that were begun and neither published nor aborted, and their bounds for each dataset and each user. The
 * staging directories are the truth; this is brought in line with them from time to time, as after a failover.
 * Thread-safe.
 */
public final class OpenCommits {
    private final int maxPerDataset;
    private final int maxPerUser;
    private final Map<String, Open> byStaging = new HashMap<>();
    private final Map<String, Integer> byDataset = new HashMap<>();
    private final Map<String, Integer> byUser = new HashMap<>();
    /** The staging directories that somebody publishes, deletes or makes anew. */
    private final Set<String> claimed = new HashSet<>();

    public OpenCommits(int maxPerDataset, int maxPerUser) {
        this.maxPerDataset = maxPerDataset;
        this.maxPerUser = maxPerUser;
    }

    /**
     * One open commit.
     *
     * @param user who began it
     * @param sinceMs since when it is known here, in milliseconds since the epoch
     * @param rebuild what it rebuilds, as its writer says; null for another change, or if the writer has not told this NameNode
     */
    public record Open(
            String datasetId,
            String user,
            long sinceMs,
            @Nullable RebuildScope rebuild) {
        /** One that rebuilds nothing, as far as is known. */
        public Open(String datasetId, String user, long sinceMs) {
            this(datasetId, user, sinceMs, null);
        }
    }

    /** The open commits of which it is known that they rebuild something, the oldest first. */
    public synchronized List<Open> rebuilds() {
        return byStaging.values().stream()
                .filter(open -> open.rebuild() != null)
                .sorted(Comparator.comparingLong(Open::sinceMs))
                .toList();
    }

    /**
     * Adds a commit that is about to be begun. One with the same staging directory is replaced.
     *
     * @throws RetriableException if the dataset or the user has as many open commits as allowed
     */
    public synchronized void begin(String staging, Open open) throws IOException {
        if (!byStaging.containsKey(staging)) {
            check(
                    "the dataset",
                    byDataset.getOrDefault(open.datasetId(), 0),
                    maxPerDataset,
                    ConfigKeys.MAX_OPEN_COMMITS);
            check(
                    "user " + open.user(),
                    byUser.getOrDefault(open.user(), 0),
                    maxPerUser,
                    ConfigKeys.MAX_OPEN_COMMITS_OF_USER);
        }
        put(staging, open);
    }

    private static void check(String whose, int open, int max, ConfigKey key) throws RetriableException {
        if (open >= max) {
            throw new RetriableException(whose + " has " + open + " open commits, as many as " + key.name()
                    + " allows; publish or abort some of them, or try again when they have expired");
        }
    }

    /** Removes a commit that was published, aborted or given up. */
    public synchronized void end(String staging) {
        Open ended = byStaging.remove(staging);
        if (ended != null) {
            byDataset.merge(ended.datasetId(), -1, OpenCommits::sum);
            byUser.merge(ended.user(), -1, OpenCommits::sum);
        }
    }

    /**
     * Takes what lies in the staging directories for what is open.
     *
     * @param found by staging directory
     * @param lookedMs when the search began: commits that were begun since then stay
     */
    synchronized void found(Map<String, Open> found, long lookedMs) {
        for (Map.Entry<String, Open> known : Map.copyOf(byStaging).entrySet()) {
            if (!found.containsKey(known.getKey()) && known.getValue().sinceMs() < lookedMs) {
                end(known.getKey());
            }
        }
        found.forEach((staging, open) -> {
            if (!byStaging.containsKey(staging)) {
                put(staging, open);
            }
        });
    }

    /**
     * Work on a staging directory that takes several holds of the namesystem's lock.
     *
     * @param <T> the result
     */
    public interface Work<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /**
     * Does work on a staging directory while nobody else does.
     *
     * @throws RetriableException if somebody does; nothing is done
     */
    public <T extends @Nullable Object> T alone(String staging, Work<T> work) throws IOException {
        synchronized (this) {
            if (!claimed.add(staging)) {
                throw new RetriableException("commit " + PathNames.name(staging)
                        + " is published or deleted by another call now; try again in a moment");
            }
        }
        try {
            return work.run();
        } finally {
            synchronized (this) {
                claimed.remove(staging);
            }
        }
    }

    private void put(String staging, Open open) {
        end(staging);
        byStaging.put(staging, open);
        byDataset.merge(open.datasetId(), 1, OpenCommits::sum);
        byUser.merge(open.user(), 1, OpenCommits::sum);
    }

    /** A count that is 0 is no entry. */
    private static @Nullable Integer sum(Integer count, Integer more) {
        return count + more == 0 ? null : Integer.valueOf(count + more);
    }

    /** The number of open commits. */
    public synchronized int size() {
        return byStaging.size();
    }
}
