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
package org.hadoopmpsr.columnar.compress;

import org.hadoopmpsr.core.codec.AutoCodecs;
import org.hadoopmpsr.core.codec.SamplingBudget;

/** The codecs of {@code auto} for all merges of a process: what one merge measures serves the next one. */
public final class MergeCodecs {
    /** Changes are not logged: the footers of the files tell the codecs. */
    public static final PageCodecs OF_PROCESS = new AutoPages(
            new AutoCodecs(AutoCodecs.Purpose.MERGE, new SamplingBudget(SamplingBudget.SHARE), change -> {}));

    private MergeCodecs() {}
}
