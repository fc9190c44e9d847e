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

import java.util.List;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ReadContent;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * What a merge has read and written.
 *
 * @param files in the order of their records; none if there are no records
 * @param read the content of the records that were read
 * @param written the content hash of the records that were written
 * @param duplicates the content hash of the records that were left out because another one has the same key
 */
public record MergeResult(List<MergedFile> files, ReadContent read, ContentHash written, ContentHash duplicates) {
    public MergeResult {
        files = List.copyOf(files);
    }

    /**
     * A file that a merge has written.
     *
     * @param relativePath below the group's directory: partition directories and the file's name
     * @param bytes the file's length
     */
    public record MergedFile(String relativePath, FileStatistics statistics, long bytes) {}
}
