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
package org.hadoopmpsr.client.maintain;

import org.jspecify.annotations.Nullable;

/** Where the process that maintains the cluster says what it decides. Called by several threads. */
public interface MaintenanceLog {

    /** What is said. */
    enum Event {
        /** The process got the lease, or left. */
        LEASE,
        /** Why the process does not maintain the cluster. */
        WAITING,
        /** A round of looking has ended. */
        LOOKED,
        STARTED,
        /** How far a run is, or what its job prints. */
        PROGRESS,
        DONE,
        FAILED,
        /** A run was ended before it was done. */
        ENDED
    }

    /**
     * Says something.
     *
     * @param dataset the dataset directory, or null if it is about none
     * @param task the name of the task, or null if it is about none
     * @param text not printable as it is
     */
    void say(Event event, @Nullable String dataset, @Nullable String task, String text);
}
