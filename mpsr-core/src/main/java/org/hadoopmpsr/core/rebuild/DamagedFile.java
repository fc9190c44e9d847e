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

import org.hadoopmpsr.core.stats.DataFile;

/**
 * A published file that cannot be read, or is not what was published. Immutable.
 *
 * @param file with the segment, the content and the partition that were published, and no columns
 */
public record DamagedFile(DataFile file, Cause cause) {

    /** What is wrong with it. */
    public enum Cause {
        /** A block has no replica that can be read now. */
        LOST,
        /** All replicas of a block are corrupt. */
        CORRUPT,
        /** It was changed after it was published. */
        CHANGED
    }
}
