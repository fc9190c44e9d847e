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
package org.hadoopmpsr.core.rebuild;

import java.util.List;

/**
 * What is rebuilt, and what is not. Immutable.
 *
 * @param units in the order in which they are done
 * @param left what cannot be rebuilt
 */
public record RebuildPlan(List<RebuildUnit> units, List<Left> left) {
    public RebuildPlan {
        units = List.copyOf(units);
        left = List.copyOf(left);
    }

    /**
     * Damage that stays.
     *
     * @param reason why, and what helps
     */
    public record Left(Damage damage, String reason) {}
}
