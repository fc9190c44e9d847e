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
package org.hadoopmpsr.core.stats;

import java.util.Set;

/**
 * A file of a representation.
 *
 * @param path absolute, without scheme
 * @param fileId the file's inode id
 * @param length in bytes
 * @param modificationTime in milliseconds since the epoch
 */
public record DataFile(String path, long fileId, long length, long modificationTime, FileStatistics statistics) {

    /** This file without column statistics. */
    public DataFile withoutColumns() {
        return new DataFile(path, fileId, length, modificationTime, statistics.withoutColumns());
    }

    /** This file with the statistics of these columns alone, in lower case. */
    public DataFile withColumns(Set<String> names) {
        return new DataFile(path, fileId, length, modificationTime, statistics.withColumns(names));
    }
}
