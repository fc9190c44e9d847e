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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.store.LockSteps;

/** The holds of the namesystem's lock in publishes, with their count. Thread-safe. */
public final class PublishHolds {
    /** The number of files in one hold of the lock. */
    public static final int STEP = 50;

    private final MpsrNamesystem system;
    private final Counters counters;

    public PublishHolds(MpsrNamesystem system, Counters counters) {
        this.system = system;
        this.counters = counters;
    }

    /** Calls with the write lock. */
    public <T> T hold(MpsrNamesystem.Write<T> call) throws IOException {
        return system.write("mpsrPublish", edits -> {
            long start = system.clock().monotonicNowNanos();
            try {
                return call.run(edits);
            } finally {
                long heldMs = TimeUnit.NANOSECONDS.toMillis(system.clock().monotonicNowNanos() - start);
                counters.max(Counter.PUBLISH_LOCK_MS_MAX, heldMs);
                counters.add(Counter.PUBLISH_LOCK_MS, heldMs);
            }
        });
    }

    /** Divides the files into holds. */
    public static <T> List<List<T>> steps(List<T> all) {
        return LockSteps.parts(all, STEP);
    }
}
