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

import org.hadoopmpsr.namenode.damage.ToRebuild;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;

/**
 * What is to be rebuilt in a group of a dataset, and what becomes of it. Times are milliseconds since the epoch.
 *
 * @param dueMs when the first of it is to be rebuilt
 * @param runningSinceMs since when a maintenance run rebuilds the dataset; 0 if none does
 * @param leftSeconds how long it takes until nothing of the dataset is left to rebuild, at the pace so far, from the last health
 *     check; -1 while nothing was rebuilt yet
 */
public record RebuildStatus(DatasetRecord dataset, ToRebuild left, long dueMs, long runningSinceMs, long leftSeconds) {
    /** As the bean shows it. */
    MpsrInfoMXBean.ToRebuild view() {
        return new MpsrInfoMXBean.ToRebuild(
                left.group(),
                left.segments(),
                left.causes().allFiles(),
                left.bytes(),
                left.causes().text(),
                left.sinceMs(),
                dueMs,
                runningSinceMs,
                leftSeconds);
    }
}
