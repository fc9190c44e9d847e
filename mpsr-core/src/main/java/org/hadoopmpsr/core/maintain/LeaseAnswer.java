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

import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link LeaseRequest}. Immutable.
 *
 * @param enabled false if the cluster's configuration has maintenance switched off
 * @param granted whether the asking process holds the lease
 * @param holder who holds it; empty if nobody
 * @param remainingMs how long the holder still has it, in milliseconds
 * @param reason why the process does not hold it; null if it does, or if it has left
 */
public record LeaseAnswer(
        boolean enabled,
        boolean granted,
        String holder,
        long remainingMs,
        @Nullable String reason) {}
