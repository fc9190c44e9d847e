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
package org.hadoopmpsr.ingest.commit;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.client.log.PrintableLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The wait between two attempts to reach one dataset. Meanwhile Connect fetches nothing of the dataset's topic-partitions,
 * and goes on with the others of the task. A cause is logged once, and again every ten minutes. For one thread, but for
 * {@link #isWaiting}.
 */
final class Backoff {
    private static final Logger LOG = PrintableLog.of(Backoff.class);
    private static final long REMIND_MS = 600_000;

    private final String dataset;
    private final long waitMs;
    private final SinkTaskContext context;
    private final LongSupplier clockMs;
    private final Set<TopicPartition> paused = new HashSet<>();
    private volatile @Nullable String cause;
    private long dueMs;
    private long loggedMs;

    /** @param clockMs a clock in milliseconds that only goes forward */
    Backoff(String dataset, long waitMs, SinkTaskContext context, LongSupplier clockMs) {
        this.dataset = dataset;
        this.waitMs = waitMs;
        this.context = context;
        this.clockMs = clockMs;
    }

    /** True from {@link #begin} to {@link #end}. */
    boolean isWaiting() {
        return cause != null;
    }

    /** In how many milliseconds, 0 at least, the next attempt is due. */
    long untilDueMs() {
        return Math.max(0, dueMs - clockMs.getAsLong());
    }

    /**
     * Begins a wait, or goes on after an attempt that failed.
     *
     * @param key equal for equal causes, whatever the numbers in the text are
     * @param text what is wrong and what heals it
     */
    void begin(String key, String text, Collection<TopicPartition> partitions) {
        long now = clockMs.getAsLong();
        if (!key.equals(cause) || now - loggedMs >= REMIND_MS) {
            LOG.warn("the dataset {} waits, tried again every {} ms: {}", dataset, waitMs, text);
            loggedMs = now;
        }
        cause = key;
        dueMs = now + waitMs;
        pause(partitions);
    }

    /** Stops the fetching of partitions that are taken on during a wait. */
    void pause(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            if (paused.add(partition)) {
                context.pause(partition);
            }
        }
    }

    /** Forgets partitions that are given back. */
    void forget(Collection<TopicPartition> partitions) {
        paused.removeAll(partitions);
    }

    /** The attempt succeeded: fetching goes on. */
    void end() {
        if (cause != null) {
            LOG.info("the dataset {} waits no longer", dataset);
            cause = null;
            context.resume(paused.toArray(TopicPartition[]::new));
            paused.clear();
        }
    }
}
