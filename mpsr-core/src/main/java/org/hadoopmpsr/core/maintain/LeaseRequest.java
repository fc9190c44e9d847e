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
package org.hadoopmpsr.core.maintain;

import java.util.List;

/**
 * A process asks for the lease, or for a longer one, and tells of its runs. Immutable.
 *
 * @param holder what the process calls itself: 1 to {@value #MAX_HOLDER} characters, and another name for each process
 * @param leaseMs how long it wants the lease, in milliseconds
 * @param release true if it leaves instead
 * @param checked true if all tasks have been found to have nothing left to do, or have done it
 * @param runs what is to be kept; kept only if the process holds the lease
 */
public record LeaseRequest(String holder, long leaseMs, boolean release, boolean checked, List<DatasetRun> runs) {
    private static final int MAX_HOLDER = 200;
    /** The most runs in one request. */
    public static final int MAX_RUNS = 100;

    /** @throws IllegalArgumentException if it makes no sense, with a message for the caller */
    public LeaseRequest {
        runs = List.copyOf(runs);
        if (holder.isBlank() || holder.length() > MAX_HOLDER) {
            throw new IllegalArgumentException("a process that maintains the cluster has a name of " + holder.length()
                    + " characters; give one of 1 to " + MAX_HOLDER);
        }
        if (leaseMs < MaintenanceLease.MIN_MS || leaseMs > MaintenanceLease.MAX_MS) {
            throw new IllegalArgumentException("a lease of " + leaseMs + " ms; give one of " + MaintenanceLease.MIN_MS
                    + " to " + MaintenanceLease.MAX_MS);
        }
        if (runs.size() > MAX_RUNS) {
            throw new IllegalArgumentException(
                    runs.size() + " runs in one call; tell of at most " + MAX_RUNS + " at a time");
        }
    }

    /**
     * A run of a task in a dataset.
     *
     * @param datasetId the dataset's id
     */
    public record DatasetRun(String datasetId, MaintenanceRun run) {}
}
