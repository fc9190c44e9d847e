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
package org.hadoopmpsr.namenode.plan;

import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.plan.PlanPart;

/** Where a part of a plan comes from: a group, and the segments that are read from it. */
record PartSource(String group, Segments segments) {

    static PartSource of(PlanPart part) {
        return new PartSource(part.group(), part.segments());
    }

    /** All segments from one group. */
    static PartSource all(String group) {
        return new PartSource(group, Segments.ALL);
    }
}
