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
package org.hadoopmpsr.core.alloc;

import java.util.List;

/**
 * The moves that make the groups even and their racks disjoint.
 *
 * @param moves in the order of their steps; each step is possible after the steps before it
 * @param refused moves that are impossible, with the reason; one line each
 */
public record RebalancePlan(List<NodeMove> moves, List<String> refused) {

    public RebalancePlan {
        moves = List.copyOf(moves);
        refused = List.copyOf(refused);
    }
}
