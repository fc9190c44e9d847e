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
package org.hadoopmpsr.namenode.status;

import org.hadoopmpsr.core.rebuild.RebuildScope;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;

/**
 * A change of a dataset that rebuilds files, and that is begun.
 *
 * @param scope what it rebuilds, as its writer says
 * @param sinceMs when it was begun, in milliseconds since the epoch
 */
public record RebuildUnderway(DatasetRecord dataset, RebuildScope scope, long sinceMs) {
    /** As the bean shows it. */
    MpsrInfoMXBean.Rebuilding view() {
        return new MpsrInfoMXBean.Rebuilding(
                dataset.path(),
                scope.group(),
                scope.segments(),
                scope.files(),
                scope.bytes(),
                scope.falseFiles() ? "scrub" : "damage",
                sinceMs);
    }
}
