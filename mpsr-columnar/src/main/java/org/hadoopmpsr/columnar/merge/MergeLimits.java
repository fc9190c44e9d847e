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
package org.hadoopmpsr.columnar.merge;

import java.nio.file.Path;

/**
 * What a merge may take.
 *
 * @param targetBytes about the length of the files that it writes, in bytes
 * @param memoryBytes about the memory that it takes, in bytes; with less than 64 MiB files get small row groups
 * @param scratch a local directory for what does not fit into memory; the merge deletes what it writes there
 */
public record MergeLimits(long targetBytes, long memoryBytes, Path scratch) {
    public MergeLimits {
        if (targetBytes < 1 || memoryBytes < 1 << 20) {
            throw new IllegalArgumentException("a merge needs at least a byte per file and 1 MiB of memory, not "
                    + targetBytes + " and " + memoryBytes + " bytes");
        }
    }

    /** What the records in memory may take; the rest is for the files that are read. */
    long batchBytes() {
        return memoryBytes / 2;
    }
}
