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
package org.hadoopmpsr.core.workload;

import org.hadoopmpsr.core.plan.Candidate;

/**
 * What planning found of one group for the queries of a class.
 *
 * @param chosen how many queries were given this group
 * @param evaluated for how many queries the group's cost was estimated; the sums are of these
 * @param atLeast of these, for how many the group was given up as too expensive, so that files, bytes and cost are lower limits
 * @param files the sum of the files after pruning
 * @param bytes the sum of the estimated bytes that are read
 * @param costMs the sum of the estimated milliseconds
 */
public record GroupTally(long chosen, long evaluated, long atLeast, double files, double bytes, double costMs) {
    static final GroupTally NONE = new GroupTally(0, 0, 0, 0, 0, 0);

    GroupTally plus(Candidate candidate, boolean isChosen) {
        return new GroupTally(
                chosen + (isChosen ? 1 : 0),
                evaluated + 1,
                atLeast + (candidate.atLeast() ? 1 : 0),
                files + candidate.files(),
                bytes + candidate.bytes(),
                costMs + candidate.costMs());
    }
}
