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
package org.hadoopmpsr.namenode.budget;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.plan.WorkLimit;

/** Ends the planning of a read when its time is over, or the client has gone. For the thread that plans. */
public final class CallDeadline implements WorkLimit {
    /** The number of files between two looks at the clock. */
    private static final int STRIDE = 64;

    private final LongSupplier nanoTime;
    private final BooleanSupplier wanted;
    private final int maxMs;
    private final long endNs;
    private int files;

    /**
     * Starts now.
     *
     * @param nanoTime a clock like {@link System#nanoTime}
     * @param wanted whether somebody waits for the plan
     */
    public CallDeadline(LongSupplier nanoTime, BooleanSupplier wanted, int maxMs) {
        this.nanoTime = nanoTime;
        this.wanted = wanted;
        this.maxMs = maxMs;
        this.endNs = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(maxMs);
    }

    @Override
    public void spend(int more) {
        files += more;
        if (files >= STRIDE) {
            files = 0;
            check();
        }
    }

    /** @throws WorkLimit.Overrun if the work must end */
    public void check() {
        if (leftNs() <= 0) {
            throw new WorkLimit.Overrun("planning took longer than " + ConfigKeys.MAX_PLAN_MS.name() + " = " + maxMs
                    + " allows; narrow the filter, or raise the key in the NameNode's hdfs-site.xml");
        }
        if (!wanted.getAsBoolean()) {
            throw new WorkLimit.Overrun("the client has closed its connection");
        }
    }

    /** The time that is left, in nanoseconds; 0 or less if none is. */
    public long leftNs() {
        return endNs - nanoTime.getAsLong();
    }
}
