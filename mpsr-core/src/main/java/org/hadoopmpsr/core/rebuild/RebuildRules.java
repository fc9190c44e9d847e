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

/**
 * What one change of a rebuild may be.
 *
 * @param fileBytes about the length of new files, in bytes
 * @param maxNewFiles the most files that it may write
 * @param maxOldFiles the most files that it may replace
 * @param unitBytes segments go into one change as long as they have no more bytes in the groups that are read
 */
public record RebuildRules(long fileBytes, int maxNewFiles, int maxOldFiles, long unitBytes) {
    private static final int OLD_FILES = 10_000;
    /** The least of a change: few changes for small segments. */
    private static final int UNIT_BLOCKS = 4;

    public RebuildRules {
        if (fileBytes < 1 || maxNewFiles < 1 || maxOldFiles < 1 || unitBytes < 1) {
            throw new IllegalArgumentException("no rebuild keeps these rules: files of " + fileBytes + " bytes, "
                    + maxNewFiles + " new files, " + maxOldFiles + " old files, " + unitBytes + " bytes");
        }
    }

    /**
     * The usual rules.
     *
     * @param blockBytes the size of an HDFS block; a file ends after about so many bytes
     * @param maxFiles the most files that a change may have
     * @param tasks how many tasks read and write a change. Each has a block to read if there is as much: the files of a segment
     *     lie on few nodes, so that a change of few segments keeps few nodes busy
     */
    public static RebuildRules of(long blockBytes, int maxFiles, int tasks) {
        return new RebuildRules(blockBytes, maxFiles, OLD_FILES, Math.max(UNIT_BLOCKS, tasks) * blockBytes);
    }

    /** With another number of new files. */
    public RebuildRules withMaxNewFiles(int files) {
        return new RebuildRules(fileBytes, files, maxOldFiles, unitBytes);
    }
}
