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
package org.hadoopmpsr.namenode.upkeep;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Work that is repeated.
 *
 * @param name the name for the log
 * @param period the time from the end of one run to the start of the next
 * @param active the steps of the active NameNode while it can write, in this order; after a failed step, the later
 *     steps of the run are skipped
 * @param follower the step of a standby or observer
 */
public record PeriodicTask(String name, Duration period, List<Step> active, List<Step> follower) {

    /** A part of the work. */
    public interface Step {
        void run() throws IOException;
    }

    /** A task of the active NameNode alone. */
    public static PeriodicTask ofActive(String name, Duration period, Step... steps) {
        return new PeriodicTask(name, period, List.of(steps), List.of());
    }
}
