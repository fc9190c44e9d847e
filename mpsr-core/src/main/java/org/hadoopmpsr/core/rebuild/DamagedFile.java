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
 * A published file that cannot be read, is not what was published, or is false. Immutable.
 *
 * @param file with the segment, the content and the partition that were published, and no columns; of a foreign file the
 *     content is empty, and the partition is that of its directory
 * @param foreign true if nobody published it: somebody has put it in the place of a published one
 * @param state a number that is another one once the file has changed; the NameNode makes it
 */
public record DamagedFile(DataFile file, Cause cause, boolean foreign, long state) {
    /** A published file of which no state is known. */
    public DamagedFile(DataFile file, Cause cause) {
        this(file, cause, false, 0);
    }

    /** What is wrong with it. */
    public enum Cause {
        /** A block has no replica that can be read now. */
        LOST,
        /** All replicas of a block are corrupt. */
        CORRUPT,
        /** It was changed after it was published. */
        CHANGED,
        /** Whoever has read it found that it holds something else than it should, of whatever partitions. */
        FALSE
    }
}
