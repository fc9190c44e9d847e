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
package org.hadoopmpsr.core.config;

/**
 * What one call to MPSR, and all calls together, may take of a NameNode. Immutable.
 *
 * @param maxBytes the maximum size of a call's message
 * @param maxValues the maximum number of values of a filter, and of entries in any other list of a call
 * @param maxConcurrent the maximum number of calls at one time; 0 for three quarters of the NameNode's handlers
 * @param maxPerUser the maximum number of one user's calls at one time; 0 for half of the NameNode's handlers
 * @param heapPercent the share of the heap, in percent, that all calls may take at one time
 * @param maxPageBytes about how many bytes a page of an answer may have
 * @param maxPlanMs the maximum number of milliseconds that planning may take
 */
public record CallLimits(
        int maxBytes,
        int maxValues,
        int maxConcurrent,
        int maxPerUser,
        int heapPercent,
        int maxPageBytes,
        int maxPlanMs) {

    /** The maximum number of calls at one time in a NameNode with so many handlers. */
    public int concurrent(int handlers) {
        return maxConcurrent > 0 ? maxConcurrent : Math.max(2, handlers * 3 / 4);
    }

    /** The maximum number of one user's calls at one time in a NameNode with so many handlers. */
    public int perUser(int handlers) {
        return Math.min(concurrent(handlers), maxPerUser > 0 ? maxPerUser : Math.max(2, handlers / 2));
    }
}
